//! JUnit's console launcher: six rows `[ 4 tests found ]` … `[ 1 tests failed ]` below `Test run finished after`.
//!
//! Containers that failed are failures too. Not here: its tree.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    ROW = r"^\[ +([0-9]+) (tests|containers) (found|skipped|started|aborted|successful|failed) +\]$";
}

/// Finds the rows.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut ticks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.contains('✔') {
            ticks = ticks.saturating_add(1);
        }
        if !line.starts_with("Test run finished after ") {
            continue;
        }
        let mut counts = Counts::default();
        let (mut found, mut last) = (0, at);
        for (row_at, row) in lines.iter().enumerate().skip(at + 1) {
            let Some(row) = ROW.captures(row) else { break };
            let bucket = match (text(&row, 2), text(&row, 3)) {
                ("tests", "found") => &mut found,
                ("tests", "successful") => &mut counts.passed,
                ("tests", "skipped" | "aborted") => &mut counts.skipped,
                (_, "failed") => &mut counts.failed,
                _ => continue,
            };
            *bucket = bucket.saturating_add(number(&row, 1));
            last = row_at;
        }
        let session =
            Session::sound(Runner::JunitConsole, at, last, counts).unless(counts.total() == found, INCONSISTENT);
        loose.session(session.unless(last > at, INCONSISTENT), ticks > 0 && ticks >= counts.passed);
        ticks = 0;
    }
    loose.finish(findings);
}
