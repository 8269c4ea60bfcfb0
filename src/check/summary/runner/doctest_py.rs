//! Python's doctest with `-v`: `2 passed and 0 failed.` below `2 tests in 1 items.`; its unit is the example.
//!
//! Without `-v` only failures are printed. Not here: pytest's doctests.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    ITEMS = r"^([0-9]+) tests? in [0-9]+ items?\.$";
    TOTAL = r"^([0-9]+) passed(?: and ([0-9]+) failed)?\.$";
    FAILED = r"^\*\*\*Test Failed\*\*\* ([0-9]+) failures?(?:\.|,)";
}

/// Finds doctest's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    let mut told = false;
    for (at, line) in lines.iter().enumerate() {
        if *line == "ok" {
            shown = shown.saturating_add(1);
        } else if let Some(items) = line.contains(" in ").then(|| ITEMS.captures(line)).flatten()
            && let Some(total) = lines.get(at + 1).and_then(|next| TOTAL.captures(next))
        {
            let counts = Counts::new(number(&total, 1), number(&total, 2), 0);
            let session = Session::sound(Runner::DoctestPy, at, at + 1, counts)
                .unless(counts.total() == number(&items, 1), INCONSISTENT);
            loose.session(session, shown > 0 && shown >= counts.passed);
            told = counts.failed > 0;
            shown = 0;
        } else if let Some(failed) = line.starts_with("***").then(|| FAILED.captures(line)).flatten()
            && !std::mem::take(&mut told)
        {
            let counts = Counts::new(0, number(&failed, 1).max(1), 0);
            loose.session(Session::sound(Runner::DoctestPy, at, at, counts), true);
        }
    }
    loose.finish(findings);
}
