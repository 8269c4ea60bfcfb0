//! Julia's Test: the first row below `Test Summary: | Pass  Fail  Error  Broken  Total  Time`, one table per outermost set.
//!
//! A column is there only when it is not zero. Not here: the rows of inner sets.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, patterns};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^Test Summary: +\| +((?:Pass|Fail|Error|Broken)(?: +(?:Fail|Error|Broken))*) +Total(?: +Time)?$";
}

/// Finds tables.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Some tests did not pass: ")
            || line.starts_with("ERROR: LoadError: Some tests did not pass: ")
        {
            findings.alarm(Runner::Julia, "Julia reports tests that did not pass");
        }
        let Some(header) = line.starts_with("Test Summary:").then(|| HEADER.captures(line)).flatten() else { continue };
        let Some((_, row)) = lines.get(at + 1).and_then(|row| row.rsplit_once('|')) else { continue };
        let mut numbers = row.split_whitespace();
        let mut counts = Counts::default();
        let columns = header.get(1).map_or("", |columns| columns.as_str());
        for (column, digits) in columns.split_whitespace().zip(&mut numbers) {
            let bucket = match column {
                "Pass" => &mut counts.passed,
                "Broken" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(decimal(digits));
        }
        let total = numbers.next().map_or(0, decimal);
        findings
            .session(Session::sound(Runner::Julia, at, at + 1, counts).unless(counts.total() == total, INCONSISTENT));
    }
}
