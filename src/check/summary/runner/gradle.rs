//! Gradle: `3 tests completed, 1 failed, 1 skipped`, which it prints only when something failed.
//!
//! A successful build shows no counts. Not here: the XML reports, which hold them.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    TOTAL = r"^([0-9]+) tests? completed(?:, ([0-9]+) failed)?(?:, ([0-9]+) skipped)?$";
    IDLE = r"^(?:> Task )?:(?:\S*:)?test (?:UP-TO-DATE|FROM-CACHE|NO-SOURCE|SKIPPED)$";
}

/// Finds Gradle's totals and what explains their absence.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        if line.contains(" completed") {
            let Some(found) = TOTAL.captures(line) else { continue };
            let (total, failed, skipped) = (number(&found, 1), number(&found, 2), number(&found, 3));
            let passed = total.saturating_sub(failed.saturating_add(skipped));
            if failed > 0 {
                let counts = Counts::new(passed, failed, skipped);
                findings.session(Session::sound(Runner::Gradle, at, at, counts));
            }
        } else if line.contains(":test ") && IDLE.is_match(line) {
            findings.notice(Runner::Gradle, Uncounted::NotRun, "Gradle executed no test task");
        } else if line.starts_with("BUILD SUCCESSFUL in ") {
            findings.notice(Runner::Gradle, Uncounted::NoCounts, "Gradle shows no counts of tests that passed");
        }
    }
}
