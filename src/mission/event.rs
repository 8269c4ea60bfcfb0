//! What can happen to a mission. Its events, in their order, are its state; nothing else is remembered.

use super::answer::Verdict;
use super::id::{ChildId, PackageId};
use super::limits::Limits;
use crate::domain::digest::Digest;
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::word::words;
use crate::safety::{Action, Decision, Failure, FailureKind, Signature};

words! {
    /// What a child is for.
    Role, "a role" {
        /// It does the work.
        Maker = "maker",
        /// It does the work after the same failure came twice, another way.
        Debugger = "debugger",
        /// It judges the work, and never saw who made it.
        Checker = "checker",
    }
}

words! {
    /// Who starts a child.
    Dispatcher, "a dispatcher" {
        /// We do: the program of a configured provider.
        Provider = "provider",
        /// Somebody outside, who hands the answer back.
        External = "external",
    }
}

words! {
    /// How a child ended.
    ChildResult, "a child's result" {
        /// It gave an answer that can be read.
        Answered = "answered",
        /// It did not.
        Failed = "failed",
        /// It was cut off, and is charged with nothing.
        Interrupted = "interrupted",
    }
}

/// A failure with what was decided about it. The decision follows from the history, and reading it checks that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setback {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// What it is recognised by.
    pub signature: Signature,
    /// In words, without secrets.
    pub text: String,
    /// What was decided.
    pub action: Action,
    /// The code of the row that decided.
    pub reason: String,
}

/// What a person decides about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A work package that needs a person before it runs.
    Package(PackageId),
    /// The work of a package whose tests are fewer, or others, than before it.
    Tests(PackageId),
    /// A work package that was blocked.
    Reopen(PackageId),
    /// The end of a mission that had something critical.
    Final,
    /// The circuit.
    Circuit,
    /// A mission that was blocked or escalated.
    Mission,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The plan was recorded.
    Planned {
        /// The digest of its record.
        plan: Digest,
        /// The commit that the work begins at, and its tree.
        base: (GitId, GitId),
        /// The limits that hold for good.
        limits: Limits,
    },
    /// Work may begin.
    Activated,
    /// A child begins.
    ChildStarted {
        /// Its name.
        child: ChildId,
        /// What it is for.
        role: Role,
        /// Its work package; `None` for the final review.
        package: Option<PackageId>,
        /// Which attempt.
        attempt: u32,
        /// The governed run.
        run: RunId,
        /// Who starts it.
        dispatcher: Dispatcher,
        /// The commit and the tree that it sees first.
        from: (GitId, GitId),
        /// When, in seconds since 1970.
        at: i64,
        /// When its answer has to be there, where somebody outside gives it.
        deadline: Option<i64>,
    },
    /// A child is over.
    ChildEnded {
        /// Its name.
        child: ChildId,
        /// How.
        result: ChildResult,
        /// What a checker says.
        verdict: Option<Verdict>,
        /// The commit and the tree that a maker left.
        work: Option<(GitId, GitId)>,
        /// What went wrong.
        setback: Option<Setback>,
        /// The evidence with its transcript, in the run.
        evidence: Vec<String>,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// Tests ran: of a work package, or all of them at the end.
    Tested {
        /// The work package; `None` for the whole.
        package: Option<PackageId>,
        /// Which attempt.
        attempt: u32,
        /// The run that holds the evidence.
        run: RunId,
        /// The tree that they ran on.
        tree: GitId,
        /// Whether every one of them passed there.
        green: bool,
        /// The evidence.
        evidence: Vec<String>,
        /// What went wrong, for a work package.
        setback: Option<Setback>,
        /// What is less in green tests than before the work, so that a person has to say whether that may be.
        fewer: Option<String>,
    },
    /// The work of a package is taken: it is on the mission's branch.
    Accepted {
        /// The work package.
        package: PackageId,
        /// Which attempt.
        attempt: u32,
        /// The mission's commit and tree with it.
        tip: (GitId, GitId),
    },
    /// The work of a package cannot be taken.
    Refused {
        /// The work package.
        package: PackageId,
        /// Which attempt.
        attempt: u32,
        /// Why.
        setback: Setback,
    },
    /// A person said yes.
    Approved {
        /// To what.
        subject: Subject,
        /// Who.
        by: String,
        /// Why, where it has to be said.
        reason: String,
        /// When it was signed, in seconds since 1970; the signature lies beside the record.
        signed_at: Option<i64>,
    },
    /// A person said no.
    Rejected {
        /// To what.
        subject: Subject,
        /// Who.
        by: String,
        /// Why.
        reason: String,
    },
    /// Nothing can go on by itself.
    Blocked {
        /// Why.
        reason: String,
    },
    /// It is done.
    Completed {
        /// The mission's commit and tree.
        tip: (GitId, GitId),
    },
    /// A person ended it.
    Cancelled {
        /// Why.
        reason: String,
        /// Who; older records do not say.
        by: Option<String>,
    },
}

impl Setback {
    /// A failure and its decision.
    pub fn new(failure: &Failure, text: String, decision: Decision) -> Setback {
        Setback {
            kind: failure.kind,
            signature: failure.signature.clone(),
            text,
            action: decision.action,
            reason: decision.reason.to_owned(),
        }
    }

    /// The failure alone.
    pub fn failure(&self) -> Failure {
        Failure { kind: self.kind, signature: self.signature.clone() }
    }
}

impl Event {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Planned { .. } => "planned",
            Event::Activated => "activated",
            Event::ChildStarted { .. } => "child_started",
            Event::ChildEnded { .. } => "child_ended",
            Event::Tested { .. } => "tested",
            Event::Accepted { .. } => "accepted",
            Event::Refused { .. } => "refused",
            Event::Approved { .. } => "approved",
            Event::Rejected { .. } => "rejected",
            Event::Blocked { .. } => "blocked",
            Event::Completed { .. } => "completed",
            Event::Cancelled { .. } => "cancelled",
        }
    }

    /// What went wrong in it.
    pub fn setback(&self) -> Option<&Setback> {
        match self {
            Event::ChildEnded { setback, .. } | Event::Tested { setback, .. } => setback.as_ref(),
            Event::Refused { setback, .. } => Some(setback),
            _ => None,
        }
    }
}
