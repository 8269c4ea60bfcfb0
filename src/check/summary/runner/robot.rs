//! Robot Framework: `3 tests, 3 passed, 0 failed` of the outermost suite, directly above `Output:`.
//!
//! The same words after every inner suite are parts of that total. Not here: its XML output.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^([0-9]+) tests?, ([0-9]+) passed, ([0-9]+) failed(?:, ([0-9]+) skipped)?$";
}

/// Finds totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with("| PASS |") {
            shown = shown.saturating_add(1);
        } else if line.contains(" passed, ")
            && let Some(found) = TOTAL.captures(line)
        {
            let counts = Counts::new(number(&found, 2), number(&found, 3), number(&found, 4));
            let is_last = lines.get(at + 1).is_some_and(|next| next.starts_with("======"))
                && lines.get(at + 2).is_some_and(|next| next.starts_with("Output:"));
            if is_last {
                let session = Session::sound(Runner::Robot, at, at + 2, counts)
                    .unless(counts.total() == number(&found, 1), INCONSISTENT);
                loose.session(session, shown > 0 && shown >= counts.passed);
                shown = 0;
            } else if counts.failed > 0 {
                findings.alarm(Runner::Robot, "a suite of Robot Framework reports failed tests");
            }
        }
    }
    loose.finish(findings);
}
