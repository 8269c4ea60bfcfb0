//! `go test` text: `=== RUN` and `--- PASS` lines of `-v`, and the line that closes each package.
//!
//! A test counts once, under the name that had a RUN line. A package without RUN lines has no counts: plain `go test` says
//! `ok` for skipped and empty packages too. Not here: `-json`.

use std::collections::HashMap;

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{patterns, text};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    RESULT = r"^ *--- (PASS|FAIL|SKIP): (\S+) \([0-9.]+s\)$";
    LATE_RESULT = r"--- (PASS|FAIL): (\S+) \([0-9.]+s\)$";
    PACKAGE = r"^(ok  |FAIL|\?   )\t(\S+)(?:\t| |$)(.*)$";
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Running,
    Passed,
    Failed,
    Skipped,
}

impl State {
    fn counts(self) -> Counts {
        match self {
            State::Running => Counts::default(),
            State::Passed => Counts::new(1, 0, 0),
            State::Failed => Counts::new(0, 1, 0),
            State::Skipped => Counts::new(0, 0, 1),
        }
    }
}

/// One package from its first line to its last.
#[derive(Default)]
struct Package<'t> {
    first: Option<usize>,
    last: usize,
    tests: HashMap<&'t str, State>,
    /// Earlier rounds of tests that ran again under `-count`.
    earlier: Counts,
    contradicted: bool,
}

/// Finds the packages of `go test`.
pub(super) fn scan<'t>(lines: &Lines<'t>, findings: &mut Findings) {
    let mut package = Package::default();
    let mut failed_before = false;
    for (at, line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("=== RUN   ") {
            package.run(at, name);
        } else if line.contains("--- ") {
            package.result(at, line);
        } else if let Some((word, rest)) = package_line(line) {
            let closed = std::mem::take(&mut package);
            failed_before |= word == "FAIL";
            closed.close(at, word, rest, findings);
        } else if *line == "FAIL" {
            failed_before |= package.tests.values().any(|state| *state == State::Failed);
            if !failed_before {
                findings.alarm(Runner::GoTest, "go test reports FAIL");
            }
        }
    }
    if let Some(first) = package.first {
        let counts = package.counts();
        let cut = Session::sound(Runner::GoTest, first, package.last, counts);
        findings.session(cut.unless(false, "the tests of a go package begin and the package never ends"));
    }
}

/// The word and the remark of a line that closes a package.
fn package_line(line: &str) -> Option<(&str, &str)> {
    if !(line.starts_with("ok  \t") || line.starts_with("FAIL\t") || line.starts_with("?   \t")) {
        return None;
    }
    let found = PACKAGE.captures(line)?;
    Some((text(&found, 1).trim_end(), text(&found, 3)))
}

impl<'t> Package<'t> {
    fn begin(&mut self, at: usize) {
        self.first.get_or_insert(at);
        self.last = at;
    }

    /// A test begins, perhaps once more.
    fn run(&mut self, at: usize, name: &'t str) {
        self.begin(at);
        match self.tests.insert(name, State::Running) {
            Some(State::Running) => self.contradicted = true,
            Some(ended) => self.earlier = self.earlier.plus(ended.counts()),
            None => {}
        }
    }

    /// A result line. One that follows unfinished output on the same line is heeded only for a test that is running.
    fn result(&mut self, at: usize, line: &'t str) {
        let whole = RESULT.captures(line);
        let is_whole = whole.is_some();
        let Some(found) = whole.or_else(|| LATE_RESULT.captures(line)) else { return };
        let (word, name) = (text(&found, 1), text(&found, 2));
        let known = self.tests.get(name).copied();
        match (word, known) {
            ("PASS", Some(State::Running)) => self.put(at, name, State::Passed),
            ("SKIP", Some(State::Running)) => self.put(at, name, State::Skipped),
            ("FAIL", Some(_)) => self.put(at, name, State::Failed),
            ("FAIL", None) if is_whole => self.put(at, name, State::Failed),
            (_, Some(_)) => self.contradicted = true,
            _ => {}
        }
    }

    fn put(&mut self, at: usize, name: &'t str, state: State) {
        self.begin(at);
        self.tests.insert(name, state);
    }

    fn counts(&self) -> Counts {
        self.tests.values().fold(self.earlier, |sum, state| sum.plus(state.counts()))
    }

    fn close(self, at: usize, word: &str, rest: &str, findings: &mut Findings) {
        let mut counts = self.counts();
        if word == "FAIL" {
            counts.failed = counts.failed.max(1);
        } else if self.tests.is_empty() {
            let (why, what) = match word {
                "ok" if !rest.contains("[no tests to run]") => {
                    (Uncounted::NoCounts, "plain `go test` says ok without counting tests")
                }
                _ => (Uncounted::Empty, "a go package has no tests to run"),
            };
            findings.notice(Runner::GoTest, why, what);
            return;
        }
        let unfinished =
            self.tests.iter().any(|(name, state)| *state == State::Running && !name.starts_with("Benchmark"));
        let first = self.first.unwrap_or(at);
        findings.session(
            Session::sound(Runner::GoTest, first, at, counts)
                .unless(!unfinished, "a go test begins and never ends")
                .unless(!self.contradicted, "a go test is reported twice"),
        );
    }
}
