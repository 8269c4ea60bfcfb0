//! The nine states of a story and who moves it. Only words: which move is legal is the table's business (`workflow`).

use crate::domain::{near::nearest, word::words};

words! {
    /// Where a story stands; the words are the ones in its file.
    Status, "a story state" {
        /// Written down, not refined.
        Draft = "Draft",
        /// Refined, waits for tests.
        Ready = "Ready",
        /// Tests are written, waits for code.
        TestsReady = "Tests Ready",
        /// Rejected, being repaired.
        InProgress = "In Progress",
        /// Code is written, waits for the reviewer.
        InReview = "In Review",
        /// Technically sound, waits for the product owner.
        BusinessReview = "Business Review",
        /// Finished.
        Done = "Done",
        /// Waits for other stories.
        Blocked = "Blocked",
        /// Given up.
        Failed = "Failed",
    }
}

words! {
    /// A role that an agent plays.
    Role, "a story role" {
        /// Refines, validates, breaks circles.
        ProductOwner = "product_owner",
        /// Writes and repairs tests.
        QaEngineer = "qa_engineer",
        /// Writes code.
        Developer = "developer",
        /// Reviews code.
        Reviewer = "reviewer",
    }
}

impl Status {
    /// Reads a state as people write it: any letter case, any run of spaces between two words.
    pub fn read(text: &str) -> Option<Status> {
        Status::ALL.iter().copied().find(|status| {
            let mut theirs = text.split_whitespace();
            let mut ours = status.as_str().split(' ');
            loop {
                match (theirs.next(), ours.next()) {
                    (None, None) => return true,
                    (Some(one), Some(other)) if one.eq_ignore_ascii_case(other) => {}
                    _ => return false,
                }
            }
        })
    }

    /// The state that a misspelt word most likely means.
    pub fn nearest(text: &str) -> Option<Status> {
        let known: Vec<&str> = Status::ALL.iter().map(|status| status.as_str()).collect();
        nearest(text, &known).and_then(Status::read)
    }

    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        matches!(self, Status::Done | Status::Failed)
    }
}

impl Role {
    /// The name that activity logs use.
    pub fn short(self) -> &'static str {
        match self {
            Role::ProductOwner => "PO",
            Role::QaEngineer => "QA",
            Role::Developer => "Dev",
            Role::Reviewer => "Reviewer",
        }
    }
}
