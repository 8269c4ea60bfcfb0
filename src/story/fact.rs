//! What happened, as it is recorded: the state of a run is the fold of its facts, and nothing else.

mod codec;

use super::id::StoryId;
use super::status::Status;
use super::workflow::Task;
use crate::safety::{FailureKind, ProviderFault, Signature};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A run began or went on, with so many turns to spend.
    Begun {
        /// The turns.
        allowance: u32,
    },
    /// A person changed the story's state since the last run: its budgets begin anew.
    Taken {
        /// The story.
        story: StoryId,
        /// Its state now.
        status: Status,
    },
    /// The orchestrator moved a story.
    Moved {
        /// The story.
        story: StoryId,
        /// From where.
        from: Status,
        /// To where.
        to: Status,
        /// The row of the table.
        row: u8,
        /// Why.
        reason: String,
    },
    /// An agent was started.
    TurnBegun {
        /// The turn's number.
        turn: u32,
        /// The story.
        story: StoryId,
        /// What the agent is asked.
        task: Task,
    },
    /// An agent's turn is over.
    TurnEnded {
        /// The turn's number.
        turn: u32,
        /// The story.
        story: StoryId,
        /// What the agent was asked.
        task: Task,
        /// What came of it.
        outcome: Outcome,
        /// What the next agent on this story is told.
        told: Told,
    },
    /// A story's file can no longer be read or written.
    Lost {
        /// The story.
        story: StoryId,
        /// Why.
        reason: String,
    },
    /// Failures that turned out to be the provider's are taken off the stories.
    Forgiven {
        /// The stories and the states they were charged in.
        strikes: Vec<(StoryId, Status)>,
    },
    /// The run is over.
    Ended {
        /// Why.
        reason: StopReason,
    },
}

/// What a turn leaves behind for the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What went wrong, for the retry.
    pub feedback: Option<String>,
    /// What the agent wrote into the log.
    pub note: Option<String>,
    /// The files it changed.
    pub files: Vec<String>,
    /// The story's dependencies, when the turn changed them.
    pub dependencies: Option<Vec<String>>,
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A legal move, or repaired tests.
    Progress {
        /// The state now.
        to: Status,
        /// The row of the table.
        row: u8,
    },
    /// A circle of dependencies is broken.
    CycleBroken,
    /// No progress; charged to the story in this state.
    Strike {
        /// How it failed.
        kind: FailureKind,
        /// What it is recognised by.
        signature: Signature,
        /// In a sentence.
        reason: String,
    },
    /// The provider's fault; charged to nobody.
    Provider(ProviderFault),
    /// Ended by us; charged to nobody.
    Interrupted,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Nothing is left to do.
    Complete,
    /// The turns are spent.
    Iterations(u32),
    /// The time is over.
    WallTime(u64),
    /// The provider's fault.
    Provider(ProviderFault),
    /// The same failure hit one story after the other.
    Circuit(Signature),
    /// Somebody wanted it to end.
    Interrupted,
    /// One turn was asked for; whether it got on.
    Once(bool),
}

impl StopReason {
    /// In a sentence; `None` for a run that is complete.
    pub fn sentence(&self) -> Option<String> {
        Some(match self {
            StopReason::Complete => return None,
            StopReason::Iterations(limit) => format!("max_iterations: the {limit} turns of this run are spent"),
            StopReason::WallTime(limit) => format!("max_wall_time: the {limit} seconds of this run are over"),
            StopReason::Provider(ProviderFault::Quota) => "provider: its allowance is used up".to_owned(),
            StopReason::Provider(ProviderFault::Authorisation) => "provider: it does not let us in".to_owned(),
            StopReason::Circuit(signature) => {
                format!("circuit: the same failure ({signature}) hit one story after the other")
            }
            StopReason::Interrupted => "interrupted".to_owned(),
            StopReason::Once(_) => "once: one turn was asked for".to_owned(),
        })
    }

    /// Whether agents that still work are ended at once.
    pub fn is_urgent(&self) -> bool {
        matches!(self, StopReason::Interrupted | StopReason::WallTime(_))
    }
}
