//! green: `Ran N tests in … using P processes`, a blank line, `OK (passes=3)`.
//!
//! Not here: unittest.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests? in [0-9.]+s using [0-9]+ process(?:es)?$";
    VERDICT = r"^(OK|FAILED|No Tests Found)(?: \(([a-z_]+=[0-9]+(?:, [a-z_]+=[0-9]+)*)\))?$";
}

/// Finds green's blocks.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, window) in lines.windows(3).enumerate() {
        let [ran, blank, verdict] = window else { continue };
        if !ran.starts_with("Ran ") || !blank.is_empty() {
            continue;
        }
        let (Some(ran), Some(verdict)) = (RAN.captures(ran), VERDICT.captures(verdict)) else { continue };
        let mut counts = Counts::default();
        for part in text(&verdict, 2).split(", ").filter_map(|part| part.split_once('=')) {
            let bucket = match part.0 {
                "passes" => &mut counts.passed,
                "skips" | "expected_failures" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(decimal(part.1));
        }
        if text(&verdict, 1) == "FAILED" {
            counts.failed = counts.failed.max(1);
        }
        let session =
            Session::sound(Runner::Green, at, at + 2, counts).unless(counts.total() == number(&ran, 1), INCONSISTENT);
        loose.session(session, false);
    }
    loose.finish(findings);
}
