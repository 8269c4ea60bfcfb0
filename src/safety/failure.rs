//! How a step can fail, and whose fault it is.

use super::signature::Signature;
use crate::domain::word::words;

words! {
    /// The kind of a failure.
    FailureKind, "a kind of failure" {
        /// The program ended with a status other than 0.
        Exit = "exit",
        /// The program could not be started.
        NotStarted = "not_started",
        /// The deadline passed.
        Timeout = "timeout",
        /// Nothing changed.
        NoProgress = "no_progress",
        /// A move that no table allows.
        IllegalMove = "illegal_move",
        /// Something was changed that is another's.
        ForeignEdit = "foreign_edit",
        /// What was worked on is gone.
        Deleted = "deleted",
        /// What was worked on cannot be read any more.
        Unreadable = "unreadable",
        /// A hook or a check did not pass.
        Check = "check",
        /// The work was rejected.
        Rejected = "rejected",
        /// A change outside the allowed scope.
        ScopeViolation = "scope_violation",
        /// Evidence or records were touched.
        Tampering = "tampering",
        /// A secret in the change.
        SecretInDiff = "secret_in_diff",
        /// A checker saw what the maker argued.
        CheckerContaminated = "checker_contaminated",
    }
}

impl FailureKind {
    /// A failure after which nothing may go on by itself.
    pub fn is_breach(self) -> bool {
        use FailureKind::{CheckerContaminated, ScopeViolation, SecretInDiff, Tampering};
        matches!(self, ScopeViolation | Tampering | SecretInDiff | CheckerContaminated)
    }

    /// A failure of the program that was started, not of the work.
    pub fn is_of_program(self) -> bool {
        matches!(self, FailureKind::Exit | FailureKind::NotStarted | FailureKind::Timeout)
    }
}

/// A failure with its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind.
    pub kind: FailureKind,
    /// What it is recognised by.
    pub signature: Signature,
}

impl Failure {
    /// A failure that says this.
    pub fn new(kind: FailureKind, text: &str) -> Failure {
        Failure { kind, signature: Signature::of(&format!("{kind} {text}")) }
    }
}
