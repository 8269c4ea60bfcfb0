//! AVA: the list of counts below its rule, `  2 tests passed`, `  1 test failed`.
//!
//! When anything failed AVA does not say how many passed. Not here: `--tap`.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_word, sort_words};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

const RULE: &str = "  ─";

/// Finds AVA's lists. Among several, one is borne out by the ticks of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut ticks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("  ✔ ") {
            ticks = ticks.saturating_add(1);
        } else if *line == RULE
            && let Some((last, counts)) = list(lines, at)
        {
            loose.session(Session::sound(Runner::Ava, at, last, counts), ticks > 0 && ticks >= counts.passed);
            ticks = 0;
        }
    }
    loose.finish(findings);
}

/// The counts below a rule and a blank line.
fn list(lines: &Lines<'_>, at: usize) -> Option<(usize, Counts)> {
    if !lines.get(at + 1)?.is_empty() {
        return None;
    }
    let mut last = at + 1;
    let mut parts = Vec::new();
    while let Some(part) = lines.get(last + 1).and_then(|line| line.strip_prefix("  ")).and_then(counted_word) {
        let known = ["test", "known failure", "unhandled rejection", "uncaught exception", "previous failure"];
        if !known.iter().any(|word| part.1.starts_with(word)) {
            break;
        }
        parts.push(part);
        last += 1;
    }
    let passed = ["test passed", "tests passed"];
    let skipped = ["test skipped", "tests skipped", "test todo", "tests todo", "known failure", "known failures"];
    (!parts.is_empty()).then(|| (last, sort_words(&parts, &passed, &skipped, &[])))
}
