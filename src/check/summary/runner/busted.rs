//! busted: `2 successes / 0 failures / 0 errors / 0 pending : 0.01 seconds`.
//!
//! Not here: its TAP and GoogleTest-like outputs.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^([0-9]+) success(?:es)? / ([0-9]+) failures? / ([0-9]+) errors? / ([0-9]+) pending : [0-9.]+ seconds?$";
    PROGRESS = r"^[+*.\-●○◌✱]+$";
}

/// Finds busted's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut marks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.contains(" / ").then(|| TOTAL.captures(line)).flatten() {
            let failed = number(&found, 2).saturating_add(number(&found, 3));
            let counts = Counts::new(number(&found, 1), failed, number(&found, 4));
            loose.session(Session::sound(Runner::Busted, at, at, counts), marks > 0 && marks >= counts.passed);
            marks = 0;
        } else if line.starts_with(['+', '●', '-', '*', '.', '○', '◌', '✱']) && PROGRESS.is_match(line) {
            marks = marks.saturating_add(line.chars().filter(|c| matches!(c, '+' | '●')).count() as u64);
        }
    }
    loose.finish(findings);
}
