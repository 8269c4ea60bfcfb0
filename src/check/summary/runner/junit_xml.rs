//! JUnit XML in the output, as several runners can write it.
//!
//! Counts come from the `<testcase>` elements; attributes of the suites can only add failures. Not here: the grammar of
//! XML ([`super::xml`]) and JUnit files on disk.

use super::Lines;
use super::xml::{Reader, Tag};
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::decimal;
use crate::check::summary::{Counts, Runner};

/// What became of a test case.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Passed,
    Skipped,
    /// Still to do: a failure beside it is expected.
    Todo,
    Failed,
}

#[derive(Default)]
struct Document {
    counts: Counts,
    case: Option<State>,
    declared: u64,
    flaky: u64,
    nextest: bool,
}

/// Finds documents.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut at = 0;
    while let Some(offset) = lines.iter().skip(at).position(|line| begins(line)) {
        let first = at + offset;
        let mut reader = Reader::new(lines, first);
        let (document, whole) = read(&mut reader);
        let last = reader.line();
        let session = Session::sound(Runner::JunitXml, first, last, document.total());
        let mut session = session.unless(whole, "a JUnit document in the output is cut off or malformed");
        if document.nextest {
            session.excused = document.flaky;
        }
        if whole || document.case.is_some() || document.counts != Counts::default() {
            findings.session(session);
        }
        at = last.max(first) + 1;
    }
}

/// Whether a document may begin on this line.
fn begins(line: &str) -> bool {
    let start = line.trim_start();
    start.starts_with("<testsuites") || start.starts_with("<testsuite ") || line.contains("<?xml version=")
}

/// Reads elements until the outermost one ends; `false` when it never does.
fn read(reader: &mut Reader<'_, '_>) -> (Document, bool) {
    let mut document = Document::default();
    let mut depth: u64 = 0;
    while let Some(tag) = reader.next_tag() {
        match tag {
            Tag::Open { name, attributes, closed } => {
                if depth == 0 && name != "testsuites" && name != "testsuite" {
                    return (document, false);
                }
                document.open(&name, &attributes, depth);
                if closed {
                    document.close(&name);
                } else {
                    depth = depth.saturating_add(1);
                }
                if depth == 0 {
                    return (document, true);
                }
            }
            Tag::Close { name } => {
                document.close(&name);
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (document, true);
                }
            }
        }
    }
    (document, false)
}

impl Document {
    fn open(&mut self, name: &str, attributes: &[(String, String)], depth: u64) {
        let attribute = |key: &str| attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        match name {
            "testcase" => {
                let idle = matches!(attribute("status"), Some("notrun" | "skipped" | "disabled"))
                    || matches!(attribute("result"), Some("suppressed" | "skipped"));
                self.case = Some(if idle { State::Skipped } else { State::Passed });
            }
            // A failing test that is still to do is reported as skipped with its failure beside.
            "failure" | "error" if self.case != Some(State::Todo) => self.case = Some(State::Failed),
            "failure" | "error" => {}
            "skipped" if attribute("type") == Some("todo") => self.case = Some(State::Todo),
            "skipped" if self.case != Some(State::Failed) => self.case = Some(State::Skipped),
            "skipped" => {}
            "flakyFailure" | "flakyError" => self.flaky = self.flaky.saturating_add(1),
            _ if depth <= 1 => {
                self.nextest |= attribute("name") == Some("nextest-run");
                let of = |key: &str| attribute(key).map_or(0, decimal);
                self.declared = self.declared.max(of("failures").saturating_add(of("errors")));
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if name != "testcase" {
            return;
        }
        let bucket = match self.case.take() {
            Some(State::Passed) => &mut self.counts.passed,
            Some(State::Skipped | State::Todo) => &mut self.counts.skipped,
            Some(State::Failed) => &mut self.counts.failed,
            None => return,
        };
        *bucket = bucket.saturating_add(1);
    }

    fn total(&self) -> Counts {
        let mut counts = self.counts;
        counts.failed =
            counts.failed.max(u64::from(self.declared > 0)).max(u64::from(self.case == Some(State::Failed)));
        counts
    }
}
