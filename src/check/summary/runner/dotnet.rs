//! `dotnet test` (VSTest): `Passed!  - Failed: 0, Passed: 5, Skipped: 0, Total: 5, Duration: … - X.dll (net8.0)`, one line
//! per test project, or the list below `Test Run Successful.` of a detailed logger.
//!
//! Not here: Microsoft.Testing.Platform.

use std::collections::HashSet;

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    PROJECT = r"(?x)^(Passed|Failed|Skipped)!\ +-\ Failed:\ +([0-9]+),\ Passed:\ +([0-9]+),\ Skipped:\ +([0-9]+),
        \ Total:\ +([0-9]+),\ Duration:\ [^-]+-\ (.+)$";
    ROW = r"^ *(Total tests|Passed|Failed|Skipped): ([0-9]+)$";
}

/// Finds projects. The same assembly twice is borne out by nothing.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut assemblies = HashSet::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.contains("!  - Failed:").then(|| PROJECT.captures(line)).flatten() {
            let mut counts = Counts::new(number(&found, 3), number(&found, 2), number(&found, 4));
            if text(&found, 1) == "Failed" {
                counts.failed = counts.failed.max(1);
            }
            let session = Session::sound(Runner::Dotnet, at, at, counts)
                .unless(counts.total() == number(&found, 5), INCONSISTENT);
            loose.session(session, assemblies.insert(text(&found, 6)));
        } else if line.starts_with("Test Run ") && (line.ends_with("Successful.") || line.ends_with("Failed.")) {
            if let Some((last, mut counts, total)) = detailed(lines, at) {
                if line.ends_with("Failed.") {
                    counts.failed = counts.failed.max(1);
                }
                let session = Session::sound(Runner::Dotnet, at, last, counts);
                loose.session(session.unless(counts.total() == total, INCONSISTENT), false);
            }
        } else if line.starts_with("No test matches the given testcase filter") {
            findings.notice(Runner::Dotnet, Uncounted::Empty, "no .NET test matches the filter");
        }
    }
    loose.finish(findings);
}

/// The rows below the verdict: the last one, what they count, and the total they give.
fn detailed(lines: &Lines<'_>, at: usize) -> Option<(usize, Counts, u64)> {
    let mut counts = Counts::default();
    let (mut total, mut last) = (None, at);
    while let Some(found) = lines.get(last + 1).and_then(|row| ROW.captures(row)) {
        let count = number(&found, 2);
        match text(&found, 1) {
            "Passed" => counts.passed = count,
            "Failed" => counts.failed = count,
            "Skipped" => counts.skipped = count,
            _ => total = Some(count),
        }
        last += 1;
    }
    total.map(|total| (last, counts, total))
}
