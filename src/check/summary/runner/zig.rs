//! `zig test`: `1/3 main.test.a...OK` lines and `All 3 tests passed.` or `2 passed; 1 skipped; 0 failed.`
//!
//! Logged errors and leaked memory fail a run. Not here: `zig build test` without `--summary all`, which prints nothing.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    GREEN = r"^All ([0-9]+) tests passed\.$";
    MIXED = r"^([0-9]+) passed; ([0-9]+) skipped; ([0-9]+) failed\.$";
    BAD = r"^[0-9]+ (?:errors were logged|tests leaked memory)\.$";
    OK = r"^[0-9]+/[0-9]+ .*OK$";
}

/// Finds totals that the lines of their tests bear out; the same sentence alone is anybody's.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        let counts = if let Some(found) = line.ends_with("passed.").then(|| GREEN.captures(line)).flatten() {
            Counts::new(number(&found, 1), 0, 0)
        } else if let Some(found) = line.ends_with("failed.").then(|| MIXED.captures(line)).flatten() {
            Counts::new(number(&found, 1), number(&found, 3), number(&found, 2))
        } else {
            if line.ends_with("OK") && OK.is_match(line) {
                shown = shown.saturating_add(1);
            } else if line.ends_with('.') && BAD.is_match(line) {
                findings.alarm(Runner::Zig, "zig reports logged errors or leaked memory");
            }
            continue;
        };
        if counts.failed > 0 || (shown > 0 && shown >= counts.passed) {
            findings.session(Session::sound(Runner::Zig, at, at, counts));
        } else {
            findings.notice(Runner::Zig, Uncounted::NoCounts, "a line says that tests passed, and no test is shown");
        }
        shown = 0;
    }
}
