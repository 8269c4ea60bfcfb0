//! Perl's prove and Test::Harness: a line per file, then `Files=2, Tests=3, …` and `Result: PASS`.
//!
//! It counts what the files printed as TAP; with `-v` that TAP is shown above and belongs to it. Not here: TAP by itself.

use super::Lines;
use super::tap_line::{Directive, Line, read};
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{ENDLESS, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    FILE = r"^\S+\.t \.+(?:\s*(?:ok|skipped(?::.*)?)(?:\s.*)?)?$";
    FILES = r"^Files=([0-9]+), Tests=([0-9]+), ";
    RESULT = r"^Result: (PASS|FAIL|NOTESTS)$";
    FAILED_FILE = r"^\S+\s+\(Wstat: .*Tests: ([0-9]+) Failed: ([0-9]+)\)$";
}

#[derive(Default)]
struct State {
    first: Option<usize>,
    files: u64,
    failed_files: u64,
    failed_tests: u64,
    skipped: u64,
}

/// Finds prove's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut state = State::default();
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Files=")
            && let Some(total) = FILES.captures(line)
            && let Some(result) = lines.get(at + 1).and_then(|next| RESULT.captures(next))
        {
            let bailed = lines.get(at + 2).is_some_and(|next| next.starts_with("FAILED--Further testing stopped"));
            let seen = std::mem::take(&mut state);
            let supported = seen.files > 0 && seen.files >= number(&total, 1);
            let counts = seen.counts(number(&total, 2), text(&result, 1));
            let session = Session::sound(Runner::Prove, seen.first.unwrap_or(at), at + 1, counts);
            loose.session(if bailed { session.doubted("prove was told to bail out") } else { session }, supported);
        } else {
            state.take(at, line);
        }
    }
    if let Some(first) = state.first {
        findings.session(Session::sound(Runner::Prove, first, first, Counts::default()).doubted(ENDLESS));
    }
    loose.finish(findings);
}

impl State {
    fn take(&mut self, at: usize, line: &str) {
        if line.contains(".t ..") && FILE.is_match(line) {
            self.first.get_or_insert(at);
            self.files = self.files.saturating_add(1);
        } else if line.ends_with(')')
            && let Some(found) = FAILED_FILE.captures(line)
        {
            // A file can fail without a failed test: a wrong plan, a crash.
            self.failed_files = self.failed_files.saturating_add(number(&found, 2).max(1));
            self.failed_tests = self.failed_tests.saturating_add(number(&found, 2));
        } else if let Line::Point { ok: true, directive: Directive::Skip | Directive::Todo, .. } = read(line) {
            self.skipped = self.skipped.saturating_add(1);
        }
    }

    fn counts(&self, total: u64, result: &str) -> Counts {
        let failed = if result == "FAIL" { self.failed_files.max(1) } else { 0 };
        let spoken_for = self.failed_tests.saturating_add(self.skipped);
        Counts::new(total.saturating_sub(spoken_for), failed, self.skipped)
    }
}
