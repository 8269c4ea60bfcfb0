//! `cabal test`: `1 of 1 test suites (1 of 1 test cases) passed.`, which counts suites and hides what they printed.
//!
//! Not here: the suites' own output, shown when one fails.

use super::Lines;
use crate::check::summary::finding::Findings;
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::{Runner, Uncounted};

patterns! {
    TOTAL = r"^([0-9]+) of ([0-9]+) test suites \([0-9]+ of [0-9]+ test cases\) passed\.$";
}

/// Finds cabal's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for line in lines {
        let Some(found) = line.contains(" test suites ").then(|| TOTAL.captures(line)).flatten() else { continue };
        if number(&found, 1) < number(&found, 2) {
            findings.alarm(Runner::Cabal, "cabal reports a failed test suite");
        } else {
            findings.notice(Runner::Cabal, Uncounted::NoCounts, "cabal counts suites and hides the tests inside");
        }
    }
}
