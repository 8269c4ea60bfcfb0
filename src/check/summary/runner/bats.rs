//! bats with its pretty formatter: `2 tests, 0 failures, 1 skipped` below the marks of the tests.
//!
//! On a pipe bats prints TAP. Not here: that, and ExUnit, whose total looks alike.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^([0-9]+) tests?, ([0-9]+) failures?(?:, ([0-9]+) skipped)?(?: in [0-9]+ seconds?)?$";
}

/// Finds totals that have as many marks above them as tests passed.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut marks: u64 = 0;
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        if line.contains(" ✓ ") || line.contains(" ✗ ") {
            marks = marks.saturating_add(1);
        } else if line.contains(" test")
            && !previous.starts_with("Finished in ")
            && let Some(found) = TOTAL.captures(line)
        {
            let (total, failed, skipped) = (number(&found, 1), number(&found, 2), number(&found, 3));
            let spoken_for = failed.saturating_add(skipped);
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            let session = Session::sound(Runner::Bats, at, at, counts).unless(spoken_for <= total, INCONSISTENT);
            if marks > 0 || failed > 0 {
                findings.session(session.unless(marks >= counts.passed, INCONSISTENT));
            }
            marks = 0;
        }
        previous = line;
    }
}
