//! Buck2: `Tests finished: Pass 5. Fail 0. Timeout 0. Fatal 0. Skip 1. Omit 0. …`
//!
//! Not here: what the tests print.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::decimal;
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

/// Finds Buck2's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(list) = line.strip_prefix("Tests finished: ") else { continue };
        let mut counts = Counts::default();
        for (word, digits) in list.trim_end_matches('.').split(". ").filter_map(|part| part.rsplit_once(' ')) {
            let bucket = match word {
                "Pass" => &mut counts.passed,
                "Skip" | "Omit" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(decimal(digits));
        }
        loose.session(Session::sound(Runner::Buck2, at, at, counts), false);
    }
    loose.finish(findings);
}
