//! Reports of tests in JUnit XML: what a runner wrote into a file, counted test case by test case.
//!
//! The numbers that a report states about itself are not taken: they are compared with its test cases, and a report that
//! disagrees with itself is not counted. A failure that it states anywhere stays a failure. Not here: finding the file, and
//! whether this run wrote it (`report`); the same format in the output of a command (`summary`).

mod case;
mod conclusion;
mod document;
mod suite;

#[cfg(test)]
mod tests;

pub use conclusion::{NoReport, conclude};

use super::summary::Counts;
use crate::diagnostics::Result;
use crate::domain::test_list::{TestList, TestOutcome};

/// The largest report that is read, in bytes.
pub const LARGEST: u64 = 64 << 20;

/// What a report says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JunitReport {
    /// Its tests by name. A test that passed after a retry has passed; an expected failure is skipped.
    pub tests: TestList,
    /// Failures that are no test's: of a suite as a whole, or stated in numbers only.
    pub other_failures: u64,
    /// Why its passes cannot be believed: how it disagrees with itself.
    pub fault: Option<&'static str>,
    /// It says when it was written, so no two runs write the same bytes.
    pub dated: bool,
}

impl JunitReport {
    /// Its tests by what became of them.
    pub fn counts(&self) -> Counts {
        Counts {
            passed: self.tests.count(TestOutcome::Passed),
            failed: self.tests.count(TestOutcome::Failed).saturating_add(self.other_failures),
            skipped: self.tests.count(TestOutcome::Skipped),
        }
    }

    /// Adds another report of the same run.
    pub fn extend(&mut self, other: JunitReport) {
        self.tests.extend(other.tests);
        self.other_failures = self.other_failures.saturating_add(other.other_failures);
        self.fault = self.fault.or(other.fault);
        self.dated |= other.dated;
    }
}

/// Reads a report.
///
/// # Errors
/// RAPID1321 when it is not JUnit XML, is cut off, is larger or deeper than any report, or holds what reports have no need of:
/// document types, entities beyond the five, other encodings than UTF-8.
pub fn read(bytes: &[u8]) -> Result<JunitReport> {
    document::read(bytes)
}

/// Whether bytes begin as a report does; the rest of them is not looked at.
pub fn looks_like(bytes: &[u8]) -> bool {
    document::root(bytes).is_some_and(|name| matches!(name.as_str(), "testsuites" | "testsuite"))
}

/// Whether bytes are XML of another kind.
pub(super) fn is_other_xml(bytes: &[u8]) -> bool {
    document::root(bytes).is_some() && !looks_like(bytes)
}
