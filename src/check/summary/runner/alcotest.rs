//! alcotest (OCaml): `Test Successful in 0.001s. 2 tests run.` or `1 failure! in 0.001s. 3 tests run.`
//!
//! Not here: dune, which prints nothing for a cached run.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    GREEN = r"^Test Successful in [0-9.]+s\. ([0-9]+) tests? run\.$";
    RED = r"^([0-9]+) failures?! in [0-9.]+s\. ([0-9]+) tests? run\.$";
}

/// Finds alcotest's totals. Among several, one is borne out by the lines of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("  [OK] ") {
            shown = shown.saturating_add(1);
        }
        let counts = if let Some(found) = line.starts_with("Test Successful").then(|| GREEN.captures(line)).flatten() {
            Counts::new(number(&found, 1), 0, 0)
        } else if let Some(found) = line.ends_with(" run.").then(|| RED.captures(line)).flatten() {
            let failed = number(&found, 1);
            Counts::new(number(&found, 2).saturating_sub(failed), failed.max(1), 0)
        } else {
            continue;
        };
        loose.session(Session::sound(Runner::Alcotest, at, at, counts), shown > 0 && shown >= counts.passed);
        shown = 0;
    }
    loose.finish(findings);
}
