//! One `<testsuite>`: what it states in numbers, and whether its test cases agree.
//!
//! Runners count differently: some leave skipped tests out of `tests`, one counts inner suites, one counts assertions. What
//! is asked is that no pass can hide in the difference: no case is missing, none that is stated as skipped or failed counts
//! as passed.

use super::document::Attributes;
use crate::domain::test_list::TestOutcome;

/// A suite that is being read.
#[derive(Debug, Default)]
pub(super) struct Suite {
    /// Its name; empty for the root that holds suites.
    pub name: String,
    stated: Stated,
    /// Of all cases below it.
    seen: Seen,
    /// Cases and suites directly in it.
    children: u64,
    /// Every case directly in it looks like Catch2's, which states assertions where others state tests.
    counts_assertions: bool,
}

#[derive(Debug, Default)]
struct Stated {
    tests: Option<u64>,
    bad: u64,
    skipped: u64,
    unreadable: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    all: u64,
    failed: u64,
    skipped: u64,
    failed_to_do: u64,
}

impl Suite {
    /// A suite with these attributes.
    pub(super) fn new(attributes: &Attributes) -> Suite {
        let mut unreadable = false;
        let mut number = |key: &str| -> Option<u64> {
            match attributes.get(key).map(str::trim) {
                None | Some("") => None,
                Some(text) => {
                    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
                    unreadable |= number.is_none();
                    number
                }
            }
        };
        let tests = number("tests");
        let bad = number("failures").unwrap_or(0).saturating_add(number("errors").unwrap_or(0));
        let skipped = number("skipped").unwrap_or(0).max(number("disabled").unwrap_or(0));
        Suite {
            name: attributes.get("name").unwrap_or_default().trim().to_owned(),
            stated: Stated { tests, bad, skipped, unreadable },
            counts_assertions: true,
            ..Suite::default()
        }
    }

    /// The root that holds suites: its name says nothing of the tests.
    pub(super) fn nameless(self) -> Suite {
        Suite { name: String::new(), ..self }
    }

    /// A case directly in it.
    pub(super) fn case(&mut self, outcome: TestOutcome, failed_to_do: bool, looks_like_catch2: bool) {
        self.children = self.children.saturating_add(1);
        self.counts_assertions &= looks_like_catch2;
        self.seen.all = self.seen.all.saturating_add(1);
        self.seen.failed_to_do = self.seen.failed_to_do.saturating_add(u64::from(failed_to_do));
        match outcome {
            TestOutcome::Failed => self.seen.failed = self.seen.failed.saturating_add(1),
            TestOutcome::Skipped => self.seen.skipped = self.seen.skipped.saturating_add(1),
            TestOutcome::Passed => {}
        }
    }

    /// A suite in it that has ended.
    pub(super) fn inner(&mut self, inner: &Suite) {
        self.children = self.children.saturating_add(1);
        self.counts_assertions &= inner.counts_assertions;
        self.seen.all = self.seen.all.saturating_add(inner.seen.all);
        self.seen.failed = self.seen.failed.saturating_add(inner.seen.failed);
        self.seen.skipped = self.seen.skipped.saturating_add(inner.seen.skipped);
        self.seen.failed_to_do = self.seen.failed_to_do.saturating_add(inner.seen.failed_to_do);
    }

    /// A failure of the suite itself.
    pub(super) fn failed(&mut self) {
        self.seen.failed = self.seen.failed.saturating_add(1);
    }

    /// Whether it states failures and no case shows one.
    pub(super) fn hides_failures(&self) -> bool {
        self.stated.bad > self.seen.failed_to_do && self.seen.failed == 0
    }

    /// How its numbers disagree with its cases. Where a test failed nothing needs proof.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let Seen { all, failed, skipped, .. } = self.seen;
        let fits = |tests: u64| tests == all || tests == self.children || tests == all.saturating_sub(skipped);
        let assertions = self.counts_assertions && all > 0;
        match &self.stated {
            _ if failed > 0 => None,
            stated if stated.unreadable => Some("a suite of the report states a number that is none"),
            stated if self.hides_failures() && stated.bad > 0 => {
                Some("a suite of the report states failures that no test case shows")
            }
            stated if stated.skipped > skipped => {
                Some("a suite of the report states more skipped tests than its test cases show")
            }
            stated if !assertions && stated.tests.is_some_and(|tests| !fits(tests)) => {
                Some("a suite of the report states another number of tests than it has test cases")
            }
            _ => None,
        }
    }
}
