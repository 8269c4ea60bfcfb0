//! Pester: `Tests Passed: 3, Failed: 0, Skipped: 1, Inconclusive: 0, NotRun: 0` below `Tests completed in …`.
//!
//! Not here: its XML.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^Tests (Passed: [0-9]+, Failed: [0-9]+(?:,? [A-Za-z]+: [0-9]+)*),?$";
    PART = r"([A-Za-z]+): ([0-9]+)";
}

/// Finds Pester's totals. Among several, one is borne out by the marks of its tests.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut marks: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("[+] ") {
            marks = marks.saturating_add(1);
        } else if line.starts_with("Container failed: ") {
            findings.alarm(Runner::Pester, "Pester reports a container that failed");
        }
        let Some(found) = line.starts_with("Tests Passed: ").then(|| TOTAL.captures(line)).flatten() else { continue };
        let mut counts = Counts::default();
        // Between the last two parts some versions have no comma.
        for part in PART.captures_iter(text(&found, 1)) {
            let bucket = match text(&part, 1) {
                "Passed" => &mut counts.passed,
                "NotRun" => continue,
                "Skipped" | "Pending" | "Inconclusive" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(number(&part, 2));
        }
        loose.session(Session::sound(Runner::Pester, at, at, counts), marks > 0 && marks >= counts.passed);
        marks = 0;
    }
    loose.finish(findings);
}
