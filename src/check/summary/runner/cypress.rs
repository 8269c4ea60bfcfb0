//! Cypress: the last row of its table, `✔  All specs passed!  00:05  3  3  -  -  -`; the epilogues above are its specs'.
//!
//! Not here: those epilogues, which are mocha's.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    ROW = r"(?x)^\ +(?:(✔\ +All\ specs\ passed!)|✖\ +[0-9]+\ of\ [0-9]+\ failed\ \([0-9]+%\))\ +[0-9:]+m?s?
        \ +([0-9]+|-)\ +([0-9]+|-)\ +([0-9]+|-)\ +([0-9]+|-)\ +([0-9]+|-)$";
}

/// Finds last rows.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut finished = false;
    for (at, line) in lines.iter().enumerate() {
        if line.contains("(Run Finished)") {
            finished = true;
        }
        let has_row = line.contains("All specs passed!") || line.contains(" failed (");
        let Some(found) = has_row.then(|| ROW.captures(line)).flatten() else { continue };
        let of = |group: usize| if text(&found, group) == "-" { 0 } else { number(&found, group) };
        let mut counts = Counts::new(of(3), of(4), of(5).saturating_add(of(6)));
        if found.get(1).is_none() {
            counts.failed = counts.failed.max(1);
        }
        let session = Session::sound(Runner::Cypress, at, at, counts).unless(counts.total() == of(2), INCONSISTENT);
        loose.session(session, std::mem::take(&mut finished));
    }
    loose.finish(findings);
}
