//! ScalaTest: `Tests: succeeded 3, failed 0, canceled 0, ignored 1, pending 0` below `Suites: completed 1, aborted 0`.
//!
//! An aborted suite has failed. Not here: sbt's own line, which sums up this one.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    SUITES = r"^(?:\[\w+\] )?Suites: completed [0-9]+, aborted ([0-9]+)$";
    TESTS = r"(?x)^(?:\[\w+\]\ )?Tests:\ succeeded\ ([0-9]+),\ failed\ ([0-9]+),\ canceled\ ([0-9]+),\ ignored\ ([0-9]+),
        \ pending\ ([0-9]+)$";
}

/// Finds totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut completed = false;
    for (at, line) in lines.iter().enumerate() {
        if line.contains("Run completed in ") {
            completed = true;
        }
        let Some(suites) = line.contains("Suites: completed ").then(|| SUITES.captures(line)).flatten() else {
            continue;
        };
        let Some(tests) = lines.get(at + 1).and_then(|next| TESTS.captures(next)) else { continue };
        let failed = number(&tests, 2).saturating_add(number(&suites, 1));
        let skipped = (3..=5).fold(0u64, |sum, group| sum.saturating_add(number(&tests, group)));
        let counts = Counts::new(number(&tests, 1), failed, skipped);
        loose.session(Session::sound(Runner::Scalatest, at, at + 1, counts), std::mem::take(&mut completed));
    }
    loose.finish(findings);
}
