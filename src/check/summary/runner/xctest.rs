//! XCTest: from `Test Suite 'All tests' started` to the `Executed N tests` line below its end.
//!
//! The same words after every inner suite are parts of it. Not here: Swift Testing, which runs beside it.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    OUTER = r"^Test Suite '(?:All tests|Selected tests)' (started|passed|failed) at ";
    EXECUTED = r"(?x)^\s+Executed\ ([0-9]+)\ tests?,\ with\ (?:([0-9]+)\ tests?\ skipped\ and\ )?([0-9]+)\ failures?
        \ \(([0-9]+)\ unexpected\)\ in\ ";
    CASE = r"^Test Case '.+' passed \(";
}

/// Finds sessions. The outermost total cannot count more tests than were shown.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(Framed, u64)> = None;
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("Test ") {
            continue;
        }
        if let Some((_, shown)) = &mut open
            && CASE.is_match(line)
        {
            *shown = shown.saturating_add(1);
        } else if let Some(found) = OUTER.captures(line) {
            if found.get(1).is_some_and(|word| word.as_str() == "started") {
                close(open.replace((Framed::open(Runner::Xctest, at), 0)), findings);
            } else if let Some(total) = lines.get(at + 1).and_then(|next| EXECUTED.captures(next)) {
                let (failed, skipped) = (number(&total, 3), number(&total, 2));
                let passed = number(&total, 1).saturating_sub(failed.saturating_add(skipped));
                let counts = Counts::new(passed, failed, skipped);
                match &mut open {
                    Some((framed, shown)) => framed.sole_trailer(at + 1, counts, passed <= *shown),
                    None => findings.session(Session::sound(Runner::Xctest, at, at + 1, counts).doubted(HEADLESS)),
                }
            }
        }
    }
    close(open, findings);
}

fn close(open: Option<(Framed, u64)>, findings: &mut Findings) {
    if let Some((framed, _)) = open {
        findings.session(framed.close());
    }
}
