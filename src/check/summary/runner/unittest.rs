//! Python's unittest and nose2: a rule of 70 dashes, `Ran N tests in …`, a blank line, and the verdict with its buckets.
//!
//! Not here: trial and green, whose blocks look alike and use other words.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests? in [0-9.]+s$";
    VERDICT = r"^(OK|FAILED|NO TESTS RAN)(?: \(([a-z]+[a-z =0-9,]*)\))?$";
    PROGRESS = r"^[.FEsxu]+$";
}

const RULE: &str = "----------------------------------------------------------------------";

/// Finds unittest's blocks.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut passes: u64 = 0;
    for (at, window) in lines.windows(4).enumerate() {
        let [rule, ran, blank, verdict] = window else { continue };
        passes = passes.saturating_add(passes_on(rule));
        if *rule != RULE || !blank.is_empty() {
            continue;
        }
        let (Some(ran), Some(verdict)) = (RAN.captures(ran), VERDICT.captures(verdict)) else { continue };
        let Some((counts, consistent)) = tally(number(&ran, 1), text(&verdict, 1), text(&verdict, 2)) else { continue };
        let session = Session::sound(Runner::Unittest, at, at + 3, counts).unless(consistent, INCONSISTENT);
        loose.session(session, passes >= counts.passed && passes > 0);
        passes = 0;
    }
    loose.finish(findings);
}

/// How many tests a progress line shows as passed.
fn passes_on(line: &str) -> u64 {
    if line.ends_with(" ... ok") {
        return 1;
    }
    if PROGRESS.is_match(line) { line.bytes().filter(|byte| *byte == b'.').count() as u64 } else { 0 }
}

/// The counts of a block, and whether its verdict goes with its numbers.
fn tally(ran: u64, verdict: &str, buckets: &str) -> Option<(Counts, bool)> {
    let mut counts = Counts::default();
    for bucket in buckets.split(", ").filter(|bucket| !bucket.is_empty()) {
        let (word, count) = bucket.split_once('=')?;
        let count = decimal(count);
        match word {
            "skipped" | "expected failures" => counts.skipped = counts.skipped.saturating_add(count),
            _ => counts.failed = counts.failed.saturating_add(count),
        }
    }
    if verdict == "FAILED" {
        counts.failed = counts.failed.max(1);
    }
    let spoken_for = counts.failed.saturating_add(counts.skipped);
    counts.passed = ran.saturating_sub(spoken_for);
    let consistent = spoken_for <= ran && (verdict != "NO TESTS RAN" || counts.passed == 0);
    Some((counts, consistent))
}
