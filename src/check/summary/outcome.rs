//! The answer: counts, outcome, and why a text was not counted.
//!
//! Not here: how the answer is reached.

use super::Runner;

/// Tests by what became of them. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ran and passed; a test that passed after a retry is in here.
    pub passed: u64,
    /// Failed, errored, timed out, crashed, were cancelled or invalid; at least 1 where the runner reports a failure that
    /// is no test's.
    pub failed: u64,
    /// Skipped, ignored, pending, to do, disabled, and expected failures: nothing that would be evidence of passing.
    pub skipped: u64,
}

impl Counts {
    /// These three numbers.
    pub(super) fn new(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts { passed, failed, skipped }
    }

    /// The sum with other counts.
    pub(super) fn plus(self, other: Counts) -> Counts {
        Counts {
            passed: self.passed.saturating_add(other.passed),
            failed: self.failed.saturating_add(other.failed),
            skipped: self.skipped.saturating_add(other.skipped),
        }
    }

    /// The same, no number above the limit.
    pub(super) fn at_most(self, limit: u64) -> Counts {
        Counts { passed: self.passed.min(limit), failed: self.failed.min(limit), skipped: self.skipped.min(limit) }
    }

    /// All tests counted here.
    pub(super) fn total(self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.skipped)
    }
}

/// What the run amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0, a counted summary, nothing failed, at least one test passed.
    Pass,
    /// A non-zero exit code, or a failure anywhere in the text.
    Fail,
    /// Neither: nothing failed, and nothing shows that tests passed.
    Unverified,
}

impl Outcome {
    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unverified => "unverified",
        }
    }
}

/// Why a text does not show that tests passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncounted {
    /// Nothing of any runner was recognised: no line shows a test, and no runner is named that would have shown some.
    None,
    /// A runner was recognised that prints no counts, and nothing red.
    NoCounts,
    /// A runner was recognised and executed no test.
    Empty,
    /// The run only listed, built or rehearsed.
    NotRun,
    /// The text contradicts itself: a session without an end, an end without a session, numbers that do not
    /// add up, a failed test that no total knows of, tests without any total.
    Contradiction,
    /// A part of the output is missing.
    Truncated,
    /// A report was asked for, and this run wrote none.
    NoReport,
}

impl Uncounted {
    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Uncounted::None => "none",
            Uncounted::NoCounts => "no-counts",
            Uncounted::Empty => "empty",
            Uncounted::NotRun => "not-run",
            Uncounted::Contradiction => "contradiction",
            Uncounted::Truncated => "truncated",
            Uncounted::NoReport => "no-report",
        }
    }
}

/// What the output amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Whether a genuine, complete summary without contradiction was recognised; a red one is counted too.
    pub counted: bool,
    /// The runner whose session carries most of the tests.
    pub runner: Option<Runner>,
    /// The tests of all sessions together. Without `counted` only `failed` means anything: failures seen anyway.
    pub counts: Counts,
    /// Pass, fail or unverified.
    pub outcome: Outcome,
    /// Why the text does not verify; also present for a counted summary of which no test was executed.
    pub uncounted: Option<Uncounted>,
    /// One sentence for people.
    pub reason: String,
}
