//! stestr: the list below `Totals` and `Ran: N tests in … sec.`
//!
//! Not here: the subunit stream it is made from.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran: ([0-9]+) tests? in [0-9.]+ sec\.$";
}

/// Finds stestr's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with("... ok") {
            shown = shown.saturating_add(1);
        }
        let Some(ran) = line.starts_with("Ran: ").then(|| RAN.captures(line)).flatten() else { continue };
        let mut counts = Counts::default();
        let mut last = at;
        while let Some((word, digits)) =
            lines.get(last + 1).and_then(|line| line.strip_prefix(" - ")).and_then(|row| row.split_once(": "))
        {
            let bucket = match word {
                "Passed" => &mut counts.passed,
                "Skipped" | "Expected Fail" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(decimal(digits));
            last += 1;
        }
        let session = Session::sound(Runner::Stestr, at, last, counts)
            .unless(last > at && counts.total() == number(&ran, 1), INCONSISTENT);
        loose.session(session, shown > 0 && shown >= counts.passed);
        shown = 0;
    }
    loose.finish(findings);
}
