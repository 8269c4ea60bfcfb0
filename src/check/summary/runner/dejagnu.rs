//! DejaGnu: the list of `# of expected passes` below `=== tool Summary ===`.
//!
//! Not here: SRFI 64, which prints the same list below another header.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::ENDLESS;
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^\t*=== .+ Summary ===$";
    ROW = r"^# of ([a-z ]+?)\s+([0-9]+)$";
}

/// Finds DejaGnu's summaries.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with(" Summary ===") && HEADER.is_match(line) {
            let (last, counts) = list(lines, at + 2);
            let session = Session::sound(Runner::Dejagnu, at, last, counts);
            findings.session(session.unless(last > at + 1, ENDLESS));
        }
    }
}

/// The rows from this line on: the last line that is one, and what they count.
pub(super) fn list(lines: &Lines<'_>, first: usize) -> (usize, Counts) {
    let mut counts = Counts::default();
    let mut last = first.saturating_sub(1);
    for (at, line) in lines.iter().enumerate().skip(first) {
        let Some(row) = line.starts_with("# of ").then(|| ROW.captures(line)).flatten() else { break };
        let bucket = match text(&row, 1) {
            "expected passes" => &mut counts.passed,
            "expected failures" | "untested testcases" | "unsupported tests" | "skipped tests" => &mut counts.skipped,
            _ => &mut counts.failed,
        };
        *bucket = bucket.saturating_add(number(&row, 2));
        last = at;
    }
    (last, counts)
}
