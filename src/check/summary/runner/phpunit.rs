//! PHPUnit: from its version line to `OK (2 tests, 3 assertions)` or `Tests: 3, Assertions: 4, Failures: 1.`
//!
//! Not here: Pest, which prints its own totals.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    OK = r"^OK \(([0-9]+) tests?, [0-9]+ assertions?\)$";
    TOTAL = r"^Tests: ([0-9]+), Assertions: [0-9]+((?:, [A-Za-z ]+: [0-9]+)*)\.$";
    PROGRESS = r" +[0-9]+ / ([0-9]+) \( *[0-9]+%\)$";
}

/// Finds PHPUnit's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(Framed, Option<u64>)> = None;
    let mut verdict = "";
    for (at, line) in lines.iter().enumerate() {
        if (line.starts_with("PHPUnit ") && line.contains(" by Sebastian Bergmann")) || line.starts_with("ParaTest v") {
            close(open.replace((Framed::open(Runner::Phpunit, at), None)), findings);
        } else if let Some((total, counts)) = trailer(line, verdict) {
            match &mut open {
                Some((framed, shown)) => {
                    framed.sole_trailer(
                        at,
                        counts,
                        shown.is_none_or(|shown| shown == total) && total == counts.total(),
                    );
                }
                None => findings.session(Session::sound(Runner::Phpunit, at, at, counts).doubted(HEADLESS)),
            }
        } else if line.ends_with("%)")
            && let (Some((_, shown)), Some(found)) = (&mut open, PROGRESS.captures(line))
        {
            *shown = Some(number(&found, 1));
        }
        verdict = line;
    }
    close(open, findings);
}

/// A closing line: how many tests it speaks of, and the counts.
fn trailer(line: &str, verdict: &str) -> Option<(u64, Counts)> {
    if line.starts_with("No tests executed!") {
        return Some((0, Counts::default()));
    }
    if let Some(found) = line.starts_with("OK (").then(|| OK.captures(line)).flatten() {
        return Some((number(&found, 1), Counts::new(number(&found, 1), 0, 0)));
    }
    let found = line.starts_with("Tests: ").then(|| TOTAL.captures(line)).flatten()?;
    let total = number(&found, 1);
    // From version 10 on, warnings and notices are remarks about tests that passed.
    let remarks = verdict.starts_with("OK, but there were issues!");
    let mut counts = Counts::default();
    for (word, digits) in text(&found, 2).split(", ").filter_map(|part| part.split_once(": ")) {
        let bucket = match word {
            "Skipped" | "Incomplete" | "Risky" => &mut counts.skipped,
            "Deprecations" | "Notices" | "PHPUnit Deprecations" | "PHPUnit Notices" => continue,
            "Warnings" | "PHPUnit Warnings" if remarks => continue,
            _ => &mut counts.failed,
        };
        *bucket = bucket.saturating_add(decimal(digits));
    }
    counts.passed = total.saturating_sub(counts.failed.saturating_add(counts.skipped));
    if ["FAILURES!", "ERRORS!"].contains(&verdict) {
        counts.failed = counts.failed.max(1);
    }
    Some((total, counts))
}

fn close(open: Option<(Framed, Option<u64>)>, findings: &mut Findings) {
    if let Some((framed, _)) = open {
        findings.session(framed.close());
    }
}
