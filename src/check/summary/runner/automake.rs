//! `make check` of automake: seven rows from `# TOTAL:` to `# ERROR:` below `Testsuite summary for …`.
//!
//! One frame per directory: they are added. Not here: the logs.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::decimal;
use crate::check::summary::settle::{ENDLESS, INCONSISTENT};
use crate::check::summary::{Counts, Runner};

const ROWS: [&str; 7] = ["# TOTAL:", "# PASS:", "# SKIP:", "# XFAIL:", "# FAIL:", "# XPASS:", "# ERROR:"];

/// Finds automake's frames.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("Testsuite summary for ") {
            continue;
        }
        let mut numbers = [0; 7];
        let mut complete = lines.get(at + 1).is_some_and(|rule| rule.starts_with("======"));
        for (offset, (number, label)) in numbers.iter_mut().zip(ROWS).enumerate() {
            match lines.get(at + 2 + offset).and_then(|row| row.strip_prefix(label)) {
                Some(digits) => *number = decimal(digits.trim()),
                None => complete = false,
            }
        }
        let [total, pass, skip, xfail, fail, xpass, error] = numbers;
        let failed = fail.saturating_add(xpass).saturating_add(error);
        let counts = Counts::new(pass, failed, skip.saturating_add(xfail));
        findings.session(
            Session::sound(Runner::Automake, at, at + 8, counts)
                .unless(complete, ENDLESS)
                .unless(counts.total() == total, INCONSISTENT),
        );
    }
}
