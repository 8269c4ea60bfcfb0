//! CUnit: the `tests` row of the table below `Run Summary:`.
//!
//! Not here: its XML.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^Run Summary: +Type +Total +Ran +Passed +Failed +Inactive$";
    SUITES = r"^ +suites +[0-9]+ +[0-9]+ +n/a +([0-9]+) +[0-9]+$";
    TESTS = r"^ +tests +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+)$";
}

/// Finds CUnit's tables.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut passed_shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with("...passed") {
            passed_shown = passed_shown.saturating_add(1);
        }
        if !(line.starts_with("Run Summary:") && HEADER.is_match(line)) {
            continue;
        }
        let suites = lines.get(at + 1).and_then(|row| SUITES.captures(row));
        let tests = lines.get(at + 2).and_then(|row| TESTS.captures(row));
        let (Some(suites), Some(tests)) = (suites, tests) else { continue };
        let mut counts = Counts::new(number(&tests, 3), number(&tests, 4), number(&tests, 5));
        if counts.failed == 0 {
            counts.failed = number(&suites, 1);
        }
        let ran = counts.passed.saturating_add(number(&tests, 4));
        let session = Session::sound(Runner::Cunit, at, at + 2, counts).unless(ran == number(&tests, 2), INCONSISTENT);
        loose.session(session, passed_shown > 0 && passed_shown >= counts.passed);
        passed_shown = 0;
    }
    loose.finish(findings);
}
