//! Twisted's trial: `Ran N tests in …`, a blank line, `PASSED (successes=3)`.
//!
//! Not here: unittest, whose verdict has other words.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests? in [0-9.]+s$";
    VERDICT = r"^(PASSED|FAILED)(?: \(([a-zA-Z]+=[0-9]+(?:, [a-zA-Z]+=[0-9]+)*)\))?$";
}

/// Finds trial's blocks.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, window) in lines.windows(4).enumerate() {
        let [rule, ran, blank, verdict] = window else { continue };
        if rule.ends_with("[OK]") {
            shown = shown.saturating_add(1);
        }
        if !ran.starts_with("Ran ") || !blank.is_empty() || rule.len() < 79 || rule.bytes().any(|byte| byte != b'-') {
            continue;
        }
        let (Some(ran), Some(verdict)) = (RAN.captures(ran), VERDICT.captures(verdict)) else { continue };
        let mut counts = Counts::default();
        for part in text(&verdict, 2).split(", ").filter_map(|part| part.split_once('=')) {
            let bucket = match part.0 {
                "successes" => &mut counts.passed,
                "skips" | "expectedFailures" | "todos" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(decimal(part.1));
        }
        if text(&verdict, 1) == "FAILED" {
            counts.failed = counts.failed.max(1);
        }
        let session =
            Session::sound(Runner::Trial, at, at + 3, counts).unless(counts.total() == number(&ran, 1), INCONSISTENT);
        loose.session(session, shown > 0 && shown >= counts.passed);
        shown = 0;
    }
    loose.finish(findings);
}
