//! tasty (Haskell): `All 2 tests passed (0.00s)` or `1 out of 2 tests failed (0.00s)`.
//!
//! Not here: hspec and HUnit.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    GREEN = r"^All ([0-9]+) tests? passed \([0-9.]+s\)$";
    RED = r"^([0-9]+) out of ([0-9]+) tests? failed \([0-9.]+s\)$";
    TEST = r":\s+OK(?: \([0-9.]+s\))?$";
}

/// Finds tasty's totals. Among several, one is borne out by the lines of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        let counts = if let Some(found) = line.starts_with("All ").then(|| GREEN.captures(line)).flatten() {
            Counts::new(number(&found, 1), 0, 0)
        } else if let Some(found) = line.contains(" out of ").then(|| RED.captures(line)).flatten() {
            let failed = number(&found, 1);
            Counts::new(number(&found, 2).saturating_sub(failed), failed, 0)
        } else {
            if line.contains(" OK") && TEST.is_match(line) {
                shown = shown.saturating_add(1);
            }
            continue;
        };
        loose.session(Session::sound(Runner::Tasty, at, at, counts), shown > 0 && shown >= counts.passed);
        shown = 0;
    }
    loose.finish(findings);
}
