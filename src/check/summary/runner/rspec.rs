//! RSpec, and hspec and Crystal's spec with the same words: `6 examples, 2 failures, 3 pending` below `Finished in …`.
//!
//! Errors outside of examples are failures although the line says `0 failures`. Not here: RSpec's JSON.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"(?x)^([0-9]+)\ examples?,\ ([0-9]+)\ failures?(?:,\ ([0-9]+)\ errors?)?(?:,\ ([0-9]+)\ pending)?
        (?:,\ ([0-9]+)\ errors?\ occurred\ outside\ of\ examples)?$";
    PROGRESS = r"^[.F*E]+$";
}

/// Finds totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut dots: u64 = 0;
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(['.', 'F', '*', 'E']) && PROGRESS.is_match(line) {
            dots = dots.saturating_add(line.bytes().filter(|byte| *byte == b'.').count() as u64);
        } else if line.contains(" example")
            && previous.starts_with("Finished in ")
            && let Some(found) = TOTAL.captures(line)
        {
            let runner = if found.get(3).is_some() {
                Runner::CrystalSpec
            } else if previous.contains("(files took ") {
                Runner::Rspec
            } else {
                Runner::Hspec
            };
            let failed = number(&found, 2).saturating_add(number(&found, 3));
            let (total, pending) = (number(&found, 1), number(&found, 4));
            let spoken_for = failed.saturating_add(pending);
            let failed = failed.saturating_add(number(&found, 5));
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, pending);
            let session = Session::sound(runner, at, at, counts).unless(spoken_for <= total, INCONSISTENT);
            loose.session(session, dots > 0 && dots >= counts.passed);
            dots = 0;
        }
        previous = line;
    }
    loose.finish(findings);
}
