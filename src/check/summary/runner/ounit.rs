//! OUnit (OCaml): `Ran: 5 tests in: 0.00 seconds.` and `OK` or `FAILED: Cases: 5 Tried: 5 Errors: 1 …`.
//!
//! Not here: alcotest.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran: ([0-9]+) tests in: [0-9.]+ seconds\.$";
    VERDICT = r"^(OK|FAILED)(?:: (.*?)\.?)?$";
    PART = r"([A-Za-z]+): +([0-9]+)";
    PROGRESS = r"^[.FEST]+$";
}

/// Finds OUnit's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut dots: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(['.', 'F', 'E', 'S', 'T']) && PROGRESS.is_match(line) {
            dots = dots.saturating_add(line.bytes().filter(|byte| *byte == b'.').count() as u64);
        } else if let Some(ran) = line.starts_with("Ran: ").then(|| RAN.captures(line)).flatten()
            && let Some(verdict) = lines.get(at + 1).and_then(|next| VERDICT.captures(next))
        {
            let total = number(&ran, 1);
            let mut counts = Counts::default();
            for part in PART.captures_iter(text(&verdict, 2)) {
                let bucket = match text(&part, 1) {
                    "Cases" | "Tried" => continue,
                    "Skip" | "Todo" => &mut counts.skipped,
                    _ => &mut counts.failed,
                };
                *bucket = bucket.saturating_add(number(&part, 2));
            }
            if text(&verdict, 1) == "FAILED" {
                counts.failed = counts.failed.max(1);
            }
            let spoken_for = counts.failed.saturating_add(counts.skipped);
            counts.passed = total.saturating_sub(spoken_for);
            let session = Session::sound(Runner::Ounit, at, at + 1, counts).unless(spoken_for <= total, INCONSISTENT);
            loose.session(session, dots > 0 && dots >= counts.passed);
            dots = 0;
        }
    }
    loose.finish(findings);
}
