//! vitest: from ` RUN  v…` to `Test Files`, `Tests`, `Errors`, `Start at` and `Duration`.
//!
//! A file that failed and an unhandled error are failures although every test may have passed. Not here: its JSON, JUnit
//! and TAP reporters.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^ (?:RUN|DEV) +v[0-9]";
    ROW = r"^ +(Test Files|Tests) +(?:(no tests)|([0-9].*?) \(([0-9]+)\))$";
    ERRORS = r"^ +(?:Type Errors|Errors) +([0-9]+) errors?$";
    NO_TYPE_ERRORS = r"^ +Type Errors +no errors$";
}

/// Finds vitest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with(' ') {
            continue;
        }
        if (line.starts_with(" RUN") || line.starts_with(" DEV")) && HEADER.is_match(line) {
            close(open.replace(Framed::open(Runner::Vitest, at)), findings);
        } else if line.contains(" Test Files ")
            && let Some((last, counts, fits)) = block(lines, at)
        {
            match &mut open {
                Some(framed) => framed.sole_trailer(last, counts, fits),
                None => findings.session(Session::sound(Runner::Vitest, at, last, counts).doubted(HEADLESS)),
            }
        }
    }
    close(open, findings);
}

/// The block that begins with this `Test Files` line: its last line, its counts, and whether its numbers add up.
fn block(lines: &Lines<'_>, at: usize) -> Option<(usize, Counts, bool)> {
    let (files, files_total) = row(lines.get(at)?, "Test Files")?;
    let (mut counts, total) = row(lines.get(at + 1)?, "Tests")?;
    let mut last = at + 2;
    let mut errors: u64 = 0;
    while let Some(line) = lines.get(last) {
        if let Some(found) = ERRORS.captures(line) {
            errors = errors.saturating_add(number(&found, 1));
        } else if !NO_TYPE_ERRORS.is_match(line) {
            break;
        }
        last += 1;
    }
    let start = lines.get(last)?.trim_start();
    let duration = lines.get(last + 1)?.trim_start();
    if !start.starts_with("Start at ") || !duration.starts_with("Duration ") {
        return None;
    }
    let fits = counts.total() == total && files.total() == files_total;
    counts.failed = counts.failed.max(files.failed.min(1).max(errors.min(1)));
    if counts.failed <= 1 && files.failed > 1 {
        counts.failed = files.failed;
    }
    Some((last + 1, counts, fits))
}

/// The numbers of one row, and the total in brackets.
fn row(line: &str, label: &str) -> Option<(Counts, u64)> {
    let found = ROW.captures(line)?;
    if text(&found, 1) != label {
        return None;
    }
    if found.get(2).is_some() {
        return Some((Counts::default(), 0));
    }
    let parts = counted_words(text(&found, 3), " | ")?;
    let counts = sort_words(&parts, &["passed"], &["skipped", "todo", "expected fail"], &[]);
    Some((counts, number(&found, 4)))
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    // Without tests vitest says so and ends; an interrupted run fails by its exit code.
    if let Some(framed) = open.filter(Framed::ended) {
        findings.session(framed.close());
    }
}
