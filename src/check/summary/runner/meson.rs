//! `meson test`: the rows `Ok:`, `Expected Fail:`, `Fail:`, `Unexpected Pass:`, `Skipped:`, `Timeout:`.
//!
//! Not here: its JUnit file.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    ROW = r"^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +([0-9]+)$";
    TEST = r"^ *[0-9]+/[0-9]+ .*\bOK +[0-9.]+s";
}

/// Finds meson's lists. Among several, one is borne out by the lines of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    let mut skip_to = 0;
    for (at, line) in lines.iter().enumerate() {
        if at < skip_to {
            continue;
        }
        if line.contains('/') && TEST.is_match(line) {
            shown = shown.saturating_add(1);
        } else if line.starts_with("Ok: ") && ROW.is_match(line) {
            let (last, counts) = rows(lines, at);
            if last > at {
                loose.session(Session::sound(Runner::Meson, at, last, counts), shown > 0 && shown >= counts.passed);
                shown = 0;
                skip_to = last + 1;
            }
        }
    }
    loose.finish(findings);
}

fn rows(lines: &Lines<'_>, first: usize) -> (usize, Counts) {
    let mut counts = Counts::default();
    let mut last = first;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let Some(row) = ROW.captures(line) else { break };
        let bucket = match text(&row, 1) {
            "Ok" => &mut counts.passed,
            "Skipped" | "Expected Fail" => &mut counts.skipped,
            _ => &mut counts.failed,
        };
        *bucket = bucket.saturating_add(number(&row, 2));
        last = at;
    }
    (last, counts)
}
