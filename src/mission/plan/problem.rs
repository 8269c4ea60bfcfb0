//! What can be wrong with a plan. Each kind has a name that never changes its meaning.

use crate::domain::word::words;

words! {
    /// The kind of a fault in a plan.
    ProblemKind, "a kind of problem" {
        /// A key that no plan has.
        UnknownKey = "unknown_key",
        /// A key that is not there.
        MissingKey = "missing_key",
        /// A value of another type.
        WrongType = "wrong_type",
        /// A version of the format that is not known.
        UnknownVersion = "unknown_version",
        /// An id that is none.
        InvalidId = "invalid_id",
        /// An id that is there twice.
        DuplicateId = "duplicate_id",
        /// A dependency on nothing.
        UnknownDependency = "unknown_dependency",
        /// A dependency on itself.
        SelfDependency = "self_dependency",
        /// Dependencies that go round.
        Cycle = "cycle",
        /// An order that leaves one out, or has one twice.
        OrderIncomplete = "order_incomplete",
        /// An order in which something stands before what it needs.
        OrderNotTopological = "order_not_topological",
        /// Nothing that could show that it works.
        NoTests = "no_tests",
        /// No path that may change.
        EmptyScope = "empty_scope",
        /// A path that must not change.
        UnsafeScope = "unsafe_scope",
        /// A risk class that is not known.
        UnknownRisk = "unknown_risk",
        /// A size or a mode that is not known.
        UnknownWord = "unknown_word",
        /// A text or a list that is empty or too long.
        Limit = "limit",
    }
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its kind.
    pub kind: ProblemKind,
    /// Where it stands: a JSON pointer.
    pub pointer: String,
    /// In words.
    pub message: String,
}
