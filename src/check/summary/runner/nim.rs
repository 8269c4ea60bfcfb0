//! Nim's unittest: `  [OK] name` lines and no total, so only its failures mean anything.
//!
//! Not here: testament.

use super::Lines;
use crate::check::summary::finding::Findings;
use crate::check::summary::{Runner, Uncounted};

/// Finds the lines of suites.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut in_suite = false;
    for line in lines {
        if line.starts_with("[Suite] ") {
            in_suite = true;
        } else if in_suite && line.starts_with("  [FAILED] ") {
            findings.alarm(Runner::NimUnittest, "a test of a Nim suite failed");
        } else if in_suite && line.starts_with("  [OK] ") {
            findings.notice(Runner::NimUnittest, Uncounted::NoCounts, "Nim's unittest prints no total");
        }
    }
}
