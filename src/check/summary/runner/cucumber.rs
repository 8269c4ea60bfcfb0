//! cucumber: `4 scenarios (1 failed, 1 undefined, 2 passed)` directly above its line of steps.
//!
//! Undefined, pending and ambiguous scenarios have not passed. Not here: behave, which words its lines differently.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    SCENARIOS = r"^([0-9]+) scenarios?(?: \((.+)\))?$";
    STEPS = r"^[0-9]+ steps?(?: \(.+\))?$";
    PROGRESS = r"^[.FUPA-]+$";
}

/// Finds cucumber's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut marks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(['.', 'F', 'U', 'P', 'A', '-']) && PROGRESS.is_match(line) {
            marks = marks.saturating_add(line.len() as u64);
        } else if line.contains(" scenario")
            && let Some(found) = SCENARIOS.captures(line)
            && lines.get(at + 1).is_some_and(|next| STEPS.is_match(next))
        {
            let counts = counted_words(text(&found, 2), ", ")
                .map_or(Counts::default(), |parts| sort_words(&parts, &["passed"], &["skipped"], &[]));
            let session = Session::sound(Runner::Cucumber, at, at + 1, counts)
                .unless(counts.total() == number(&found, 1), INCONSISTENT);
            loose.session(session, marks > 0 && marks >= counts.passed);
            marks = 0;
        }
    }
    loose.finish(findings);
}
