//! Catch2: `All tests passed (4 assertions in 2 test cases)` or `test cases: 4 | 1 passed | 1 failed`, and the compact form.
//!
//! Not here: its JUnit reporter.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    GREEN = r"^All tests passed \([0-9]+ assertions? in ([0-9]+) test cases?\)$";
    TOTAL = r"^test cases: +([0-9]+) \|(.+)$";
    COMPACT_GREEN = r"^Passed (?:all |both )?([0-9]+) test cases? with [0-9]+ assertions?\.$";
    COMPACT_RED = r"^Failed (?:all |both )?([0-9]+) test cases?, failed (?:all |both )?[0-9]+ assertions?\.$";
}

/// Finds totals. Among several, one is borne out by the double rule above it.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        let ruled = previous.starts_with("==========");
        previous = line;
        let (counts, fits) = if let Some(found) = line.starts_with("All tests").then(|| GREEN.captures(line)).flatten()
        {
            (Counts::new(number(&found, 1), 0, 0), ruled)
        } else if let Some(found) = line.starts_with("test cases: ").then(|| TOTAL.captures(line)).flatten() {
            let Some(parts) = counted_words(text(&found, 2), "|") else { continue };
            let counts = sort_words(&parts, &["passed"], &["failed as expected", "skipped"], &[]);
            let closed = lines.get(at + 1).is_some_and(|next| next.starts_with("assertions: "));
            (counts, closed && counts.total() == number(&found, 1))
        } else if let Some(found) = line.starts_with("Passed ").then(|| COMPACT_GREEN.captures(line)).flatten() {
            (Counts::new(number(&found, 1), 0, 0), true)
        } else if let Some(found) = line.starts_with("Failed ").then(|| COMPACT_RED.captures(line)).flatten() {
            (Counts::new(0, number(&found, 1).max(1), 0), true)
        } else {
            if ruled && *line == "No tests ran" {
                findings.notice(Runner::Catch2, Uncounted::Empty, "Catch2 ran no test");
            }
            continue;
        };
        let last = if line.starts_with("test cases: ") { at + 1 } else { at };
        loose.session(Session::sound(Runner::Catch2, at, last, counts).unless(fits, INCONSISTENT), ruled);
    }
    loose.finish(findings);
}
