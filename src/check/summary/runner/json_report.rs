//! Whole-run reports written as one line of JSON: jest's (vitest writes the same) and RSpec's.
//!
//! Not here: event streams, which belong to their runners.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::json::{self, Json};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

/// Finds reports.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        let is_jest = line.starts_with('{') && line.contains("\"numTotalTests\":");
        let is_rspec = line.starts_with('{') && line.contains("\"summary_line\":");
        if !is_jest && !is_rspec {
            continue;
        }
        let Some(report) = json::parse(line) else { continue };
        let read = if is_jest { jest(&report) } else { rspec(&report) };
        if let Some((counts, consistent)) = read {
            findings.session(Session::sound(Runner::JsonReport, at, at, counts).unless(consistent, INCONSISTENT));
        }
    }
}

/// jest's report: the counters must agree with the list of results.
fn jest(report: &Json) -> Option<(Counts, bool)> {
    let skipped = report.count("numPendingTests")?.saturating_add(report.count("numTodoTests").unwrap_or(0));
    let mut counts = Counts::new(report.count("numPassedTests")?, report.count("numFailedTests")?, skipped);
    let suites = report.count("numFailedTestSuites").unwrap_or(0);
    let broken = report.count("numRuntimeErrorTestSuites").unwrap_or(0);
    if counts.failed == 0 {
        counts.failed = suites.max(broken);
    }
    if report.flag("success") == Some(false) || report.flag("wasInterrupted") == Some(true) {
        counts.failed = counts.failed.max(1);
    }
    let files = report.get("testResults")?.list()?;
    let results = files.iter().filter_map(|file| file.get("assertionResults")?.list()).flatten();
    let passed = results.filter(|result| result.word("status") == Some("passed")).count() as u64;
    Some((counts, report.count("numTotalTests")? == counts.total() && passed == counts.passed))
}

/// RSpec's report.
fn rspec(report: &Json) -> Option<(Counts, bool)> {
    let summary = report.get("summary")?;
    let (total, failed) = (summary.count("example_count")?, summary.count("failure_count")?);
    let (pending, outside) =
        (summary.count("pending_count")?, summary.count("errors_outside_of_examples_count").unwrap_or(0));
    let counts =
        Counts::new(total.saturating_sub(failed.saturating_add(pending)), failed.saturating_add(outside), pending);
    let examples = report.get("examples")?.list()?;
    let passed = examples.iter().filter(|example| example.word("status") == Some("passed")).count() as u64;
    Some((counts, passed == counts.passed))
}
