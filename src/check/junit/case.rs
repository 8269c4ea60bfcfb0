//! One `<testcase>`: what became of it, from its attributes and the elements in it.
//!
//! Not here: the suites around it.

use super::document::Attributes;
use crate::domain::test_list::TestOutcome;

/// A test case that is being read.
#[derive(Debug)]
pub(super) struct Case {
    /// Its own name.
    pub name: String,
    /// The class it says it belongs to.
    pub class: String,
    to_do: bool,
    failed: bool,
    skipped: bool,
    /// It has the `status="run"` that some writers give every case.
    pub plain_run: bool,
}

impl Case {
    /// A test case with these attributes.
    pub(super) fn new(attributes: &Attributes) -> Case {
        let of = |key: &str| attributes.get(key).unwrap_or_default();
        let said = |words: &[&str]| {
            ["status", "result"].iter().any(|key| words.iter().any(|word| of(key).eq_ignore_ascii_case(word)))
        };
        Case {
            name: of("name").to_owned(),
            class: of("classname").to_owned(),
            to_do: false,
            failed: said(&["fail", "failed", "failure", "error", "errored", "broken", "timeout", "aborted"]),
            skipped: said(&[
                "notrun",
                "skipped",
                "skip",
                "disabled",
                "suppressed",
                "ignored",
                "pending",
                "inconclusive",
            ]),
            plain_run: of("status") == "run",
        }
    }

    /// An element directly inside it.
    pub(super) fn child(&mut self, name: &str, attributes: &Attributes) {
        match name {
            "failure" | "error" => self.failed = true,
            "skipped" | "ignored" | "disabled" | "pending" | "incomplete" | "risky" | "warning" | "inconclusive" => {
                self.skipped = true;
                self.to_do |= attributes.get("type") == Some("todo");
            }
            // Output, properties, and attempts that a later one made up for (`flakyFailure`, `rerunFailure`).
            _ => {}
        }
    }

    /// What became of it. A failure wins over everything, except where the test is marked as still to do.
    pub(super) fn outcome(&self) -> TestOutcome {
        match (self.failed && !self.to_do, self.skipped) {
            (true, _) => TestOutcome::Failed,
            (false, true) => TestOutcome::Skipped,
            (false, false) => TestOutcome::Passed,
        }
    }

    /// Whether suites may state a failure for it although it counts as skipped.
    pub(super) fn failed_to_do(&self) -> bool {
        self.failed && self.to_do
    }
}
