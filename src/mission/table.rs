//! The life cycles of a mission, a work package and an attempt: one table each, the only place that knows which move is legal.

use crate::domain::word::words;

words! {
    /// Where a mission stands.
    MissionStatus, "a mission's status" {
        /// Its plan is recorded and nothing has run.
        Planned = "planned",
        /// It may be worked.
        Active = "active",
        /// Everything is done and was reviewed.
        Completed = "completed",
        /// Nothing can go on by itself.
        Blocked = "blocked",
        /// The final review said no: a person has to look.
        Escalated = "escalated",
        /// A person ended it.
        Cancelled = "cancelled",
    }
}

words! {
    /// Where a work package stands.
    PackageStatus, "a work package's status" {
        /// It is in the plan.
        Planned = "planned",
        /// A person has to allow it.
        ApprovalRequired = "approval_required",
        /// It may be worked once its dependencies are done.
        Ready = "ready",
        /// A maker is at work.
        Making = "making",
        /// Its tests are next.
        Testing = "testing",
        /// A fresh checker is next, or at work.
        Checking = "checking",
        /// Its work is on the mission's branch.
        Done = "done",
        /// It cannot go on by itself.
        Blocked = "blocked",
    }
}

words! {
    /// How an attempt at a work package stands.
    AttemptStatus, "an attempt's status" {
        /// Its maker is at work.
        Making = "making",
        /// Its tests are next.
        Testing = "testing",
        /// A checker is next, or at work.
        Checking = "checking",
        /// Its work was taken.
        Accepted = "accepted",
        /// It failed.
        Failed = "failed",
        /// It was cut off, and says nothing about the work.
        Interrupted = "interrupted",
    }
}

/// Every legal move of a mission.
pub const MISSION_MOVES: &[(MissionStatus, MissionStatus)] = {
    use MissionStatus::{Active, Blocked, Cancelled, Completed, Escalated, Planned};
    &[
        (Planned, Active),
        (Planned, Cancelled),
        (Active, Completed),
        (Active, Blocked),
        (Active, Escalated),
        (Active, Cancelled),
        (Blocked, Active),
        (Blocked, Cancelled),
        (Escalated, Active),
        (Escalated, Cancelled),
    ]
};

/// Every legal move of a work package.
pub const PACKAGE_MOVES: &[(PackageStatus, PackageStatus)] = {
    use PackageStatus::{ApprovalRequired, Blocked, Checking, Done, Making, Planned, Ready, Testing};
    &[
        (Planned, ApprovalRequired),
        (Planned, Ready),
        (ApprovalRequired, Ready),
        (Ready, Making),
        (Making, Testing),
        (Making, Ready),
        (Making, Checking), // the second opinion on work whose maker failed
        (Testing, Checking),
        (Testing, Ready),
        (Testing, ApprovalRequired), // a person has to say whether its tests may be fewer
        (ApprovalRequired, Checking),
        (Checking, Done),
        (Checking, Ready),
        (Planned, Blocked),
        (ApprovalRequired, Blocked),
        (Ready, Blocked),
        (Making, Blocked),
        (Testing, Blocked),
        (Checking, Blocked),
        (Blocked, Ready), // a person, with a reason
        (Done, Ready),    // the same, when the whole is red
    ]
};

/// Every legal move of an attempt.
pub const ATTEMPT_MOVES: &[(AttemptStatus, AttemptStatus)] = {
    use AttemptStatus::{Accepted, Checking, Failed, Interrupted, Making, Testing};
    &[
        (Making, Testing),
        (Making, Failed),
        (Making, Interrupted),
        (Making, Checking),
        (Testing, Checking),
        (Testing, Failed),
        (Checking, Accepted),
        (Checking, Failed),
    ]
};

impl MissionStatus {
    /// Whether it may move there.
    pub fn may_become(self, to: MissionStatus) -> bool {
        MISSION_MOVES.contains(&(self, to))
    }

    /// Whether nothing ever follows.
    pub fn is_terminal(self) -> bool {
        MissionStatus::ALL.iter().all(|to| !self.may_become(*to))
    }
}

impl PackageStatus {
    /// Whether it may move there.
    pub fn may_become(self, to: PackageStatus) -> bool {
        PACKAGE_MOVES.contains(&(self, to))
    }

    /// Whether an attempt at it is under way.
    pub fn is_at_work(self) -> bool {
        matches!(self, PackageStatus::Making | PackageStatus::Testing | PackageStatus::Checking)
    }
}

impl AttemptStatus {
    /// Whether it may move there.
    pub fn may_become(self, to: AttemptStatus) -> bool {
        ATTEMPT_MOVES.contains(&(self, to))
    }
}
