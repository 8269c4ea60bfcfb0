//! shunit2: `Ran 2 tests.`, a blank line, `OK` or `FAILED (failures=1,skipped=1)`.
//!
//! Its failures are assertions, so a red run does not say how many tests passed. Not here: other shell runners.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns, text};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests?\.$";
    VERDICT = r"^(OK|FAILED)(?: \(([a-z]+=[0-9]+(?:,[a-z]+=[0-9]+)*)\))?$";
}

/// Finds shunit2's blocks. Among several, one is borne out by the names of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut names: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("test") && !line.contains(' ') {
            names = names.saturating_add(1);
        }
        let Some(ran) = line.starts_with("Ran ").then(|| RAN.captures(line)).flatten() else { continue };
        let (Some(blank), Some(verdict)) = (lines.get(at + 1), lines.get(at + 2)) else { continue };
        let Some(verdict) = VERDICT.captures(verdict).filter(|_| blank.is_empty()) else { continue };
        let total = number(&ran, 1);
        let mut counts = Counts::default();
        for (word, digits) in text(&verdict, 2).split(',').filter_map(|part| part.split_once('=')) {
            let bucket = if word == "skipped" { &mut counts.skipped } else { &mut counts.failed };
            *bucket = bucket.saturating_add(decimal(digits));
        }
        if text(&verdict, 1) == "FAILED" {
            counts.failed = counts.failed.max(1);
        }
        if counts.failed == 0 {
            counts.passed = total.saturating_sub(counts.skipped);
        }
        loose.session(Session::sound(Runner::Shunit2, at, at + 2, counts), names > 0 && names >= total);
        names = 0;
    }
    loose.finish(findings);
}
