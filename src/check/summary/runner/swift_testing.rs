//! Swift Testing: from `Test run started.` to `✔ Test run with 5 tests in 2 suites passed after 0.1 seconds.`
//!
//! It is printed together with XCTest's total, and one of the two usually has no tests: they are added. Not here: XCTest.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"(?x)^\S+\s+Test\ run\ with\ ([0-9]+)\ tests?(?:\ in\ [0-9]+\ suites?)?\ (passed|failed)\ after\ [0-9.]+\ seconds
        (?:\ with\ ([0-9]+)\ issues?(?:\ \(.*\))?)?\.$";
    SKIPPED = r"^\S+\s+Test .+ skipped(?:\.|: .*)$";
}

/// Finds sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(Framed, u64)> = None;
    for (at, line) in lines.iter().enumerate() {
        if !line.contains(" Test ") {
            continue;
        }
        if line.ends_with(" Test run started.") {
            close(open.replace((Framed::open(Runner::SwiftTesting, at), 0)), findings);
        } else if let Some(found) = TOTAL.captures(line) {
            let skipped = open.as_ref().map_or(0, |(_, skipped)| *skipped);
            // Known issues are expected; a run that failed says so by its word.
            let failed = if text(&found, 2) == "failed" { number(&found, 3).max(1) } else { 0 };
            let passed = number(&found, 1).saturating_sub(failed.saturating_add(skipped));
            let counts = Counts::new(passed, failed, skipped);
            match &mut open {
                Some((framed, _)) => framed.sole_trailer(at, counts, true),
                None => findings.session(Session::sound(Runner::SwiftTesting, at, at, counts).doubted(HEADLESS)),
            }
        } else if let Some((_, skipped)) = &mut open
            && SKIPPED.is_match(line)
        {
            *skipped = skipped.saturating_add(1);
        }
    }
    close(open, findings);
}

fn close(open: Option<(Framed, u64)>, findings: &mut Findings) {
    if let Some((framed, _)) = open {
        findings.session(framed.close());
    }
}
