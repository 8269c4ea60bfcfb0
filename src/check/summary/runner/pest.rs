//! Pest: `  Tests:    1 failed, 2 passed (5 assertions)` directly above `  Duration: …`.
//!
//! Not here: PHPUnit, which it runs on.

use super::Lines;
use crate::check::summary::Runner;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, patterns, sort_words, text};
use crate::check::summary::settle::Loose;

patterns! {
    TOTAL = r"^  Tests: +([0-9].*?) \([0-9]+ assertions?\)$";
}

/// Words of tests that gave no evidence of passing.
const NO_EVIDENCE: &[&str] =
    &["skipped", "todo", "todos", "incomplete", "incompleted", "risky", "warning", "warnings", "pending"];

/// Finds Pest's totals. Among several, one is borne out by the ticks of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut ticks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("  ✓ ") || line.starts_with("   ✓ ") {
            ticks = ticks.saturating_add(1);
        } else if line.starts_with("  Tests: ")
            && lines.get(at + 1).is_some_and(|next| next.starts_with("  Duration: "))
            && let Some(found) = TOTAL.captures(line)
            && let Some(parts) = counted_words(text(&found, 1), ", ")
        {
            let counts = sort_words(&parts, &["passed", "deprecated", "notice", "notices"], NO_EVIDENCE, &[]);
            loose.session(Session::sound(Runner::Pest, at, at + 1, counts), ticks > 0 && ticks >= counts.passed);
            ticks = 0;
        }
    }
    loose.finish(findings);
}
