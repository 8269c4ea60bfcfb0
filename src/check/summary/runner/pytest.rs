//! pytest: framed sessions from `test session starts` to the total, bare totals of `-q`, and pytest-sugar's list.
//!
//! A green total counts only when progress was seen before it, and, where pytest says how many items it collected, when it
//! accounts for all of them. Not here: the words of the total line, and JUnit files.

use super::Lines;
use super::pytest_words::{Total, sugar_bucket, total};
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    COLLECTED = r"(?x)^(?:collecting\ \.\.\.\ )?collected\ ([0-9]+)\ items?
        (?:\ /\ ([0-9]+)\ errors?)?(?:\ /\ ([0-9]+)\ deselected)?(?:\ /\ ([0-9]+)\ skipped)?(?:\ /\ ([0-9]+)\ selected)?$";
    LISTED = r"^(?:[0-9]+(?:/[0-9]+)? tests? collected|no tests collected)\b.* in [0-9.]+s";
    STOPPED = r"^!{3,} (.+) !{3,}$";
    SUGAR_RESULTS = r"^Results \([0-9.]+s(?: \([0-9:]+\))?\):$";
    PROGRESS = r"(?:^|\s)(?:[.FEsxXRfpu,-]+|[✓⨯✗sxX]+)(?:\s+\[ *[0-9]+%\])?$";
}

const INCOMPLETE: &str = "pytest stopped before it had run everything";

#[derive(Default)]
struct State {
    framed: Option<Framed>,
    sugar: bool,
    collected: Option<Collected>,
    progress: bool,
    stopped: bool,
}

#[derive(Clone, Copy)]
struct Collected {
    items: u64,
    deselected: u64,
    skipped: u64,
}

/// Finds pytest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut state = State::default();
    for (at, line) in lines.iter().enumerate() {
        let is_sugar = line.starts_with("Test session starts (platform: ");
        if is_sugar || (line.ends_with('=') && line.contains("= test session starts =")) {
            state.close(findings);
            state = State { framed: Some(Framed::open(Runner::Pytest, at)), sugar: is_sugar, ..State::default() };
        } else if let Some(found) = line.contains("collected ").then(|| COLLECTED.captures(line)).flatten() {
            let (items, deselected, skipped) = (number(&found, 1), number(&found, 3), number(&found, 4));
            state.collected.get_or_insert(Collected { items, deselected, skipped });
        } else if line.starts_with("!!!") && STOPPED.is_match(line) {
            state.stopped = true;
        } else if line.starts_with("INTERNALERROR>") {
            findings.alarm(Runner::Pytest, "pytest reports an internal error");
        } else if line.ends_with('s') || line.ends_with('=') || line.ends_with(')') {
            if let Some(total) = total(line) {
                state.total(at, total, findings);
            } else if LISTED.is_match(line) {
                findings.notice(Runner::Pytest, Uncounted::NotRun, "pytest collected the tests and ran none");
            } else {
                state.progress |= is_progress(line);
            }
        } else if state.sugar && SUGAR_RESULTS.is_match(line) {
            state.sugar_list(at, lines.get(at + 1..).unwrap_or_default());
        } else {
            state.progress |= is_progress(line);
        }
    }
    state.close(findings);
}

/// Whether a line shows tests being run: status letters, a percentage, or `name PASSED`.
fn is_progress(line: &str) -> bool {
    match line.as_bytes().last() {
        Some(b']') => line.ends_with("%]"),
        // A JUnit file written to the same stream begins on the line of the last percentage.
        Some(b'>') => line.contains("[100%]<?xml "),
        Some(b'.' | b'F' | b'E' | b's' | b'x' | b'X' | b'R' | b',' | b'-') => PROGRESS.is_match(line),
        Some(b'D') => line.ends_with(" PASSED") || line.ends_with(" FAILED") || line.ends_with(" SKIPPED"),
        Some(last) => !last.is_ascii() && (PROGRESS.is_match(line) || line.contains("% █")),
        None => false,
    }
}

impl State {
    /// A total line, framed or bare. Within a framed session a bare green one is somebody's output.
    fn total(&mut self, at: usize, total: Total, findings: &mut Findings) {
        match &mut self.framed {
            Some(framed) => {
                if total.framed || total.counts.failed > 0 {
                    let complete = self.stopped || fits(self.collected, total);
                    framed.trailer(at, total.counts, complete && (self.progress || total.counts.passed == 0));
                }
            }
            None => {
                let session = Session::sound(Runner::Pytest, at, at, total.counts);
                let session = if total.framed { session.doubted(HEADLESS) } else { session };
                let session = session
                    .unless(self.progress || total.counts.passed == 0, "pytest's total appears without any progress");
                findings.session(self.unproven(session));
                self.progress = false;
                self.stopped = false;
            }
        }
    }

    /// pytest-sugar's list below `Results (1.23s):`; unindented or unknown lines end it.
    fn sugar_list(&mut self, at: usize, below: &Lines<'_>) {
        let mut counts = Counts::default();
        let mut last = at;
        for (offset, line) in below.iter().enumerate() {
            match sugar_bucket(line) {
                Some(bucket) => {
                    counts = counts.plus(bucket);
                    last = at + 1 + offset;
                }
                None if line.trim_start().starts_with("- ") => {}
                None => break,
            }
        }
        let total = Total { framed: true, counts, deselected: 0 };
        let complete = self.stopped || fits(self.collected, total);
        if let Some(framed) = &mut self.framed {
            framed.trailer(last, counts, complete && (self.progress || counts.passed == 0));
        }
    }

    fn close(&mut self, findings: &mut Findings) {
        if let Some(framed) = self.framed.take() {
            findings.session(self.unproven(framed.close()));
        }
    }

    /// A stopped run is counted for what it ran, and approves nothing.
    fn unproven(&self, mut session: Session) -> Session {
        if self.stopped {
            session.unproven = Some((Uncounted::Contradiction, INCOMPLETE));
        }
        session
    }
}

/// Whether a green total accounts for every item collected. pytest-xdist says nothing to compare with.
fn fits(collected: Option<Collected>, total: Total) -> bool {
    let Some(collected) = collected else { return true };
    let deselected = collected.deselected.max(total.deselected);
    let expected = collected.items.saturating_sub(deselected);
    let ran = total.counts.total();
    ran == expected || ran == expected.saturating_add(collected.skipped)
}
