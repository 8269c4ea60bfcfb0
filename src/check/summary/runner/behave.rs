//! behave: `2 scenarios passed, 0 failed, 1 skipped` between its lines of features and of steps.
//!
//! A rehearsal reports its scenarios as untested. Not here: cucumber.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Runner, Uncounted};

patterns! {
    SCENARIOS = r"^([0-9]+) scenarios? passed, (.+)$";
    STEPS = r"^[0-9]+ steps? passed, ";
}

/// Finds behave's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("Scenario") {
            shown = shown.saturating_add(1);
        } else if line.contains(" scenario")
            && let Some(found) = SCENARIOS.captures(line)
            && lines.get(at + 1).is_some_and(|next| STEPS.is_match(next))
            && let Some(parts) = counted_words(text(&found, 2), ", ")
        {
            let mut counts = sort_words(&parts, &[], &["skipped"], &["untested"]);
            counts.passed = number(&found, 1);
            let mut session = Session::sound(Runner::Behave, at, at + 1, counts);
            if parts.iter().any(|(count, word)| *word == "untested" && *count > 0) {
                session.unproven = Some((Uncounted::NotRun, "behave left scenarios untested"));
            }
            loose.session(session, shown > 0 && shown >= counts.passed);
            shown = 0;
        }
    }
    loose.finish(findings);
}
