//! What a command amounts to whose report was asked for: the report's numbers, the output's failures, the exit code.
//!
//! The report wins over the output's numbers, never over its failures. Without a report that this run wrote nothing passes.

use super::JunitReport;
use crate::check::summary::{Counts, Outcome, Runner, Summary, Uncounted};

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReport {
    /// Nothing is there.
    Missing,
    /// What is there is older than the run of the command, or the same as before it.
    Stale,
    /// What is there cannot be read; in words.
    Unreadable(String),
}

/// The answer, given what the output amounts to.
pub fn conclude(text: Summary, exit_code: i32, report: &Result<JunitReport, NoReport>) -> Summary {
    let report = match report {
        Ok(report) => report,
        Err(why) => {
            let (uncounted, reason) = explained(why);
            return without(text, exit_code, uncounted, reason);
        }
    };
    let counts = report.counts();
    if let (Some(fault), 0) = (report.fault, counts.failed) {
        return without(text, exit_code, Uncounted::Contradiction, format!("{fault}, so nothing is counted"));
    }
    let counts = Counts { failed: counts.failed.max(text.counts.failed), ..counts };
    let uncounted = match text.uncounted {
        Some(why @ (Uncounted::Truncated | Uncounted::NotRun)) => Some(why),
        _ if counts.passed == 0 && counts.failed == 0 => Some(Uncounted::Empty),
        _ => None,
    };
    let outcome = match (exit_code != 0 || counts.failed > 0, uncounted) {
        (true, _) => Outcome::Fail,
        (false, None) => Outcome::Pass,
        (false, Some(_)) => Outcome::Unverified,
    };
    let numbers = format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    let reason = match (outcome, uncounted) {
        (Outcome::Pass, _) => format!("the test report shows {numbers}"),
        (Outcome::Fail, _) if report.counts().failed == 0 && counts.failed > 0 => {
            format!("the output shows failures that the test report does not: {}", text.reason)
        }
        (Outcome::Fail, _) if counts.failed > 0 && exit_code == 0 => {
            format!("the test report shows failures although the command exits with 0: {numbers}")
        }
        (Outcome::Fail, _) if counts.failed > 0 => format!("the test report shows failures: {numbers}"),
        (Outcome::Fail, _) => format!("the command exits with {exit_code} although the test report shows {numbers}"),
        (Outcome::Unverified, Some(Uncounted::Empty)) => {
            format!("the test report shows no test that was executed: {numbers}")
        }
        (Outcome::Unverified, _) => text.reason,
    };
    let counted = counts.failed > 0 || !matches!(uncounted, Some(Uncounted::Truncated | Uncounted::NotRun));
    Summary { counted, runner: Some(Runner::JunitXml), counts, outcome, uncounted, reason }
}

fn explained(why: &NoReport) -> (Uncounted, String) {
    match why {
        NoReport::Missing => {
            (Uncounted::NoReport, "the command wrote no test report where one was asked for".to_owned())
        }
        NoReport::Stale => {
            (Uncounted::NoReport, "the test report is from before: this run of the command did not write it".to_owned())
        }
        NoReport::Unreadable(why) => (Uncounted::Contradiction, why.clone()),
    }
}

/// The answer without a report: what the output shows of failures stands, its passes do not.
fn without(text: Summary, exit_code: i32, why: Uncounted, reason: String) -> Summary {
    let fails = exit_code != 0 || text.counts.failed > 0;
    Summary {
        counted: text.counted && text.counts.failed > 0,
        outcome: if fails { Outcome::Fail } else { Outcome::Unverified },
        uncounted: Some(why),
        reason: if text.counts.failed > 0 { format!("{reason}; {}", text.reason) } else { reason },
        ..text
    }
}
