//! testthat (R): `[ FAIL 0 | WARN 0 | SKIP 0 | PASS 3 ]`, redrawn as it goes; the last one is the total.
//!
//! Its unit is the expectation. Not here: its summary reporter, which has no counts.

use super::Lines;
use crate::check::summary::finding::Findings;
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Framed;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^\[ FAIL ([0-9]+) \| WARN [0-9]+ \| SKIP ([0-9]+) \| PASS ([0-9]+) \]$";
}

/// Finds the last total.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("[ FAIL ").then(|| TOTAL.captures(line)).flatten() {
            let counts = Counts::new(number(&found, 3), number(&found, 1), number(&found, 2));
            open.get_or_insert_with(|| Framed::open(Runner::Testthat, at)).trailer(at, counts, true);
        }
    }
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
