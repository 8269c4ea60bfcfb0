//! TestNG: `Total tests run: 3, Failures: 1, Skips: 1` between its double rules.
//!
//! Not here: surefire, which prints its own total for TestNG.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^Total tests run: ([0-9]+)(?:, Passes: [0-9]+)?, Failures: ([0-9]+), Skips: ([0-9]+)$";
    CONFIGURATION = r"^Configuration Failures: ([0-9]+), Skips: [0-9]+$";
}

/// Finds TestNG's totals. Among several, one is borne out by the rule two lines above.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.starts_with("Total tests run: ").then(|| TOTAL.captures(line)).flatten() else {
            continue;
        };
        let (total, failed, skipped) = (number(&found, 1), number(&found, 2), number(&found, 3));
        let spoken_for = failed.saturating_add(skipped);
        let configuration = lines.get(at + 1).and_then(|next| CONFIGURATION.captures(next));
        let broken = configuration.map_or(0, |found| number(&found, 1));
        let counts = Counts::new(total.saturating_sub(spoken_for), failed.saturating_add(broken), skipped);
        let ruled = at.checked_sub(2).and_then(|above| lines.get(above)).is_some_and(|rule| rule.starts_with("====="));
        let session = Session::sound(Runner::Testng, at, at, counts).unless(spoken_for <= total && ruled, INCONSISTENT);
        loose.session(session, ruled);
    }
    loose.finish(findings);
}
