//! node-tap: `# { total: 4, pass: 1, fail: 1, todo: 1, skip: 1 }` directly above `# time=…`.
//!
//! The TAP above it has one point per file; this line counts the tests. Not here: that TAP.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::decimal;
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

/// Finds node-tap's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, window) in lines.windows(2).enumerate() {
        let [line, time] = window else { continue };
        if !time.starts_with("# time=") {
            continue;
        }
        let Some(list) = line.strip_prefix("# { ").and_then(|rest| rest.strip_suffix(" }")) else { continue };
        let mut counts = Counts::default();
        let mut total = 0;
        for part in list.split(", ") {
            let Some((word, digits)) = part.split_once(": ") else { continue };
            let count = decimal(digits);
            match word {
                "total" => total = count,
                "pass" => counts.passed = count,
                "todo" | "skip" => counts.skipped = counts.skipped.saturating_add(count),
                _ => counts.failed = counts.failed.saturating_add(count),
            }
        }
        findings
            .session(Session::sound(Runner::NodeTap, at, at + 1, counts).unless(total == counts.total(), INCONSISTENT));
    }
}
