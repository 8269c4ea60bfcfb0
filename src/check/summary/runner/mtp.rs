//! Microsoft.Testing.Platform: `Test run summary: Passed!` and indented rows `total:`, `failed:`, `succeeded:`, `skipped:`.
//!
//! Not here: VSTest.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    ROW = r"^ +(total|failed|succeeded|skipped|error|errors): ([0-9]+)$";
}

/// Finds summaries.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(verdict) = line.strip_prefix("Test run summary: ") else { continue };
        let mut counts = Counts::default();
        let (mut total, mut last) = (0, at);
        while let Some(found) = lines.get(last + 1).and_then(|row| ROW.captures(row)) {
            let bucket = match text(&found, 1) {
                "total" => &mut total,
                "succeeded" => &mut counts.passed,
                "skipped" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(number(&found, 2));
            last += 1;
        }
        if verdict.starts_with("Failed!") {
            counts.failed = counts.failed.max(1);
        }
        let session = Session::sound(Runner::Mtp, at, last, counts);
        loose.session(session.unless(last > at && counts.total() == total, INCONSISTENT), false);
    }
    loose.finish(findings);
}
