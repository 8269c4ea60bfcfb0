//! Foundry: `Suite result: ok. 5 passed; 0 failed; 0 skipped; …` per contract, and a total that must be their sum.
//!
//! Not here: libtest, whose line looks alike.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{ENDLESS, MISMATCH};
use crate::check::summary::{Counts, Runner};

patterns! {
    SUITE = r"^Suite result: (?:ok|FAILED)\. ([0-9]+) passed; ([0-9]+) failed; ([0-9]+) skipped; finished in ";
    TOTAL = r"(?x)^Ran\ [0-9]+\ test\ suites?\ in\ .+:\ ([0-9]+)\ tests?\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped
        \ \(([0-9]+)\ total\ tests?\)$";
}

/// Finds Foundry's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(usize, Counts)> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("Suite result: ").then(|| SUITE.captures(line)).flatten() {
            let (first, sum) = open.unwrap_or((at, Counts::default()));
            open = Some((first, sum.plus(Counts::new(number(&found, 1), number(&found, 2), number(&found, 3)))));
        } else if let Some(found) = line.starts_with("Ran ").then(|| TOTAL.captures(line)).flatten() {
            let (first, sum) = open.take().unwrap_or((at, Counts::default()));
            let mut counts = Counts::new(number(&found, 1), number(&found, 2), number(&found, 3));
            let fits = counts == sum && counts.total() == number(&found, 4);
            counts.failed = counts.failed.max(sum.failed);
            findings.session(Session::sound(Runner::Foundry, first, at, counts).unless(fits, MISMATCH));
        }
    }
    if let Some((first, sum)) = open {
        findings.session(Session::sound(Runner::Foundry, first, first, sum).unless(false, ENDLESS));
    }
}
