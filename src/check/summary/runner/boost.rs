//! Boost.Test: from `Running N test cases...` to `*** No errors detected` or `*** 2 failures are detected`.
//!
//! Its failures are assertions, so a red run does not say how many cases passed. Not here: its XML loggers.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^Running ([0-9]+) test cases?\.\.\.$";
    RED = r"(?x)^\*\*\*\ ([0-9]+)\ failures?\ (?:is|are)\ detected(?:\ \(([0-9]+)\ failures?\ (?:is|are)\ expected\))?
        (?:\ in\ the\ test\ (?:module|suite|case)\ .*)?$";
    REPORT = r"^  ([0-9]+) test cases? out of ([0-9]+) (passed|failed|skipped|aborted)$";
}

/// Finds Boost's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(u64, Framed)> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("Running ").then(|| HEADER.captures(line)).flatten() {
            close(open.replace((number(&found, 1), Framed::open(Runner::BoostTest, at))), findings);
        } else if *line == "*** No errors detected" {
            match &mut open {
                Some((planned, framed)) => framed.trailer(at, Counts::new(*planned, 0, 0), true),
                None => {
                    let session = Session::sound(Runner::BoostTest, at, at, Counts::default());
                    findings.session(session.doubted(HEADLESS));
                }
            }
        } else if let Some(found) = line.starts_with("*** ").then(|| RED.captures(line)).flatten() {
            let failed = number(&found, 1).saturating_sub(number(&found, 2)).max(1);
            let counts = Counts::new(0, failed, 0);
            match &mut open {
                Some((_, framed)) => framed.trailer(at, counts, true),
                None => findings.session(Session::sound(Runner::BoostTest, at, at, counts).doubted(HEADLESS)),
            }
        } else if let Some(found) = line.starts_with("  ").then(|| REPORT.captures(line)).flatten()
            && let Some((planned, framed)) = &mut open
        {
            report(at, text(&found, 3), number(&found, 1), number(&found, 2), *planned, framed);
        }
    }
    close(open, findings);
}

/// A line of the report that can take the place of the closing line.
fn report(at: usize, word: &str, count: u64, total: u64, planned: u64, framed: &mut Framed) {
    match word {
        "passed" => framed.trailer(at, Counts::new(count, 0, planned.saturating_sub(count)), total == planned),
        "failed" | "aborted" if count > 0 => framed.trailer(at, Counts::new(0, count, 0), true),
        _ => {}
    }
}

fn close(open: Option<(u64, Framed)>, findings: &mut Findings) {
    if let Some((_, framed)) = open {
        findings.session(framed.close());
    }
}
