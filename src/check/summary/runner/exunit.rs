//! ExUnit: `1 doctest, 5 tests, 2 failures, 1 excluded, 1 skipped` directly below `Finished in …`.
//!
//! Its total includes what was excluded; invalid tests have failed. Not here: rebar3, whose line is shorter.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"(?x)^(?:([0-9]+)\ doctests?,\ )?(?:([0-9]+)\ propert(?:y|ies),\ )?([0-9]+)\ tests?,\ ([0-9]+)\ failures?
        (?:,\ ([0-9]+)\ excluded)?(?:,\ ([0-9]+)\ invalid)?(?:,\ ([0-9]+)\ skipped)?$";
    PROGRESS = r"^[.*?]+$";
}

/// Finds totals of `mix test` and of `rebar3 eunit`, which are told apart by rebar3's headings.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut runner = Runner::Exunit;
    let mut dots: u64 = 0;
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        if line.contains("===> Performing EUnit tests") {
            runner = Runner::Eunit;
        } else if line.starts_with("  * test ") {
            dots = dots.saturating_add(1);
        } else if line.starts_with(['.', '*', '?']) && PROGRESS.is_match(line) {
            dots = dots.saturating_add(line.bytes().filter(|byte| *byte == b'.').count() as u64);
        } else if previous.starts_with("Finished in ")
            && line.contains(" test")
            && let Some(found) = TOTAL.captures(line)
        {
            let total = (1..=3).fold(0u64, |sum, group| sum.saturating_add(number(&found, group)));
            let failed = number(&found, 4).saturating_add(number(&found, 6));
            let skipped = number(&found, 7);
            let spoken_for = failed.saturating_add(skipped).saturating_add(number(&found, 5));
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            let session = Session::sound(runner, at, at, counts).unless(spoken_for <= total, INCONSISTENT);
            loose.session(session, dots > 0 && dots >= counts.passed);
            dots = 0;
        }
        previous = line;
    }
    loose.finish(findings);
}
