//! mocha: the epilogue of its reporters, `  3 passing (5ms)`, `  1 pending`, `  1 failing`, between blank lines.
//!
//! Not here: its TAP, JSON and XUnit reporters.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Loose, SURPLUS};
use crate::check::summary::{Counts, Runner};

patterns! {
    PASSING = r"^  ([0-9]+) passing(?: \([0-9]+(?:ms|s|m|h|d)\))?$";
    PENDING = r"^  ([0-9]+) pending$";
    FAILING = r"^  ([0-9]+) failing$";
    DOTS = r"^  [.,!․]+$";
}

/// Finds epilogues. Among several, one is borne out by the marks of the tests above it.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut marks: u64 = 0;
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("  ") {
            // A title stands at the same indent as the epilogue, but has tests and not a blank line below it.
        } else if previous.is_empty() && line.contains(" passing") {
            if let Some((last, counts)) = epilogue(lines, at) {
                // An earlier run may have died after its tests were shown.
                let session = Session::sound(Runner::Mocha, at, last, counts).unless(marks <= counts.passed, SURPLUS);
                loose.session(session, marks > 0 && marks >= counts.passed);
                marks = 0;
            }
        } else if DOTS.is_match(line) {
            marks = marks.saturating_add(line.chars().filter(|c| matches!(c, '.' | '․')).count() as u64);
        } else if line.trim_start().starts_with(['✔', '✓', '√']) {
            marks = marks.saturating_add(1);
        } else if FAILING.is_match(line) && !previous.contains(" passing") && !previous.contains(" pending") {
            findings.alarm(Runner::Mocha, "a line reports failing tests");
        }
        previous = line;
    }
    loose.finish(findings);
}

/// The last line and the counts of an epilogue that begins here and is followed by a blank line or nothing.
fn epilogue(lines: &Lines<'_>, at: usize) -> Option<(usize, Counts)> {
    let passed = PASSING.captures(lines.get(at)?)?;
    let mut counts = Counts::new(number(&passed, 1), 0, 0);
    let mut last = at;
    for (pattern, bucket) in [(&PENDING, &mut counts.skipped), (&FAILING, &mut counts.failed)] {
        if let Some(found) = lines.get(last + 1).and_then(|line| pattern.captures(line)) {
            *bucket = number(&found, 1);
            last += 1;
        }
    }
    lines.get(last + 1).is_none_or(|line| line.is_empty()).then_some((last, counts))
}
