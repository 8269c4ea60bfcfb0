//! tcltest: `a.test:\tTotal\t2\tPassed\t2\tSkipped\t0\tFailed\t0`; it exits with 0 even when tests fail.
//!
//! Not here: the reports of single tests.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^\S+:\tTotal\t([0-9]+)\tPassed\t([0-9]+)\tSkipped\t([0-9]+)\tFailed\t([0-9]+)$";
}

/// Finds totals, one per file.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.contains("\tTotal\t").then(|| TOTAL.captures(line)).flatten() {
            let counts = Counts::new(number(&found, 2), number(&found, 4), number(&found, 3));
            findings.session(
                Session::sound(Runner::Tcltest, at, at, counts)
                    .unless(counts.total() == number(&found, 1), INCONSISTENT),
            );
        }
    }
}
