//! Bazel: `Executed 1 out of 2 tests: 2 tests pass.`; its unit is the target.
//!
//! A target that was not executed now was replayed from a cache. Not here: what the targets print.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    TOTAL = r"^Executed ([0-9]+) out of ([0-9]+) tests?: (.+)\.$";
    PART = r"([0-9]+) (?:tests? )?(pass(?:es)?|fails?|failed|was skipped|were skipped)\b";
}

/// Finds Bazel's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.starts_with("Executed ").then(|| TOTAL.captures(line)).flatten() else { continue };
        let list = text(&found, 3);
        let mut counts = Counts::default();
        for part in PART.captures_iter(list) {
            let bucket = match text(&part, 2) {
                "pass" | "passes" => &mut counts.passed,
                "was skipped" | "were skipped" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(number(&part, 1));
        }
        if list.contains("fail") {
            counts.failed = counts.failed.max(1);
        }
        let mut session =
            Session::sound(Runner::Bazel, at, at, counts).unless(counts.total() == number(&found, 2), INCONSISTENT);
        if number(&found, 1) == 0 {
            session.unproven = Some((Uncounted::NotRun, "Bazel replayed every test from its cache"));
        }
        loose.session(session, false);
    }
    loose.finish(findings);
}
