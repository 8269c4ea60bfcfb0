//! Criterion (C): `[====] Synthesis: Tested: 2 | Passing: 2 | Failing: 0 | Crashing: 0`.
//!
//! Crashing tests are among the failing ones. Not here: its TAP.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^\[====\] Synthesis: Tested: ([0-9]+) \| Passing: ([0-9]+) \| Failing: ([0-9]+) \| Crashing: ([0-9]+)$";
}

/// Finds Criterion's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("[====] Synthesis").then(|| TOTAL.captures(line)).flatten() {
            let counts = Counts::new(number(&found, 2), number(&found, 3).max(number(&found, 4)), 0);
            let session = Session::sound(Runner::CriterionC, at, at, counts)
                .unless(counts.total() == number(&found, 1), INCONSISTENT);
            loose.session(session, false);
        }
    }
    loose.finish(findings);
}
