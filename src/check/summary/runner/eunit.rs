//! EUnit: `  All 3 tests passed.`, or `  Failed: 1.  Skipped: 0.  Passed: 2.`, at two spaces.
//!
//! Cancelled tests are in none of its numbers and are a failure. Not here: rebar3's own total.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    GREEN = r"^  (?:All )?([0-9]+) tests passed\.$";
    RED = r"^  Failed: ([0-9]+)\.  Skipped: ([0-9]+)\.  Passed: ([0-9]+)\.$";
}

/// Finds EUnit's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with("...ok") {
            shown = shown.saturating_add(1);
        }
        if !line.starts_with("  ") {
            continue;
        }
        let mut counts = if *line == "  Test passed." {
            Counts::new(1, 0, 0)
        } else if let Some(found) = line.ends_with("passed.").then(|| GREEN.captures(line)).flatten() {
            Counts::new(number(&found, 1), 0, 0)
        } else if let Some(found) = line.starts_with("  Failed: ").then(|| RED.captures(line)).flatten() {
            Counts::new(number(&found, 3), number(&found, 1), number(&found, 2))
        } else {
            if *line == "  There were no tests to run." {
                findings.notice(Runner::Eunit, Uncounted::Empty, "EUnit found no tests to run");
            }
            continue;
        };
        if lines.get(at + 1).is_some_and(|next| next.starts_with("One or more tests were cancelled.")) {
            counts.failed = counts.failed.max(1);
        }
        loose.session(Session::sound(Runner::Eunit, at, at, counts), shown > 0 && shown >= counts.passed);
        shown = 0;
    }
    loose.finish(findings);
}
