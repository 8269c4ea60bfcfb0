//! What the engine is told and what it wants done.

use crate::story::fact::{Fact, StopReason};
use crate::story::id::StoryId;
use crate::story::judge::{AgentReport, Exit};
use crate::story::status::{Role, Status};
use crate::story::workflow::{Hook, Task};

/// What the engine is told.
#[derive(Clone, Debug)]
pub enum Event {
    /// Begin, or go on after an earlier run.
    Start,
    /// An agent's program is over.
    AgentFinished {
        /// The turn.
        turn: u32,
        /// What is seen afterwards.
        report: AgentReport,
    },
    /// A hook is over.
    HookFinished {
        /// The turn.
        turn: u32,
        /// How it ended.
        exit: Exit,
        /// The end of its output.
        output: String,
    },
    /// A story's file can no longer be read or written.
    StoryLost {
        /// The story.
        story: StoryId,
        /// Why.
        reason: String,
    },
    /// So many seconds have passed since the start.
    Tick {
        /// The seconds.
        elapsed: u64,
    },
    /// Somebody wants the run to end.
    Interrupt,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Write this on the ledger.
    Record(Fact),
    /// Write another state into a story's file.
    SetStatus {
        /// The story.
        story: StoryId,
        /// Its file.
        file: String,
        /// The state.
        status: Status,
    },
    /// Add a line to a story's log; the performer adds the date.
    AppendLog {
        /// The story.
        story: StoryId,
        /// Who speaks.
        actor: &'static str,
        /// What it says.
        text: String,
    },
    /// Keep the working copy as it is, so that this turn can be undone.
    Snapshot {
        /// The turn.
        turn: u32,
    },
    /// Start an agent.
    StartAgent(Box<Turn>),
    /// Run a hook.
    RunHook {
        /// The turn.
        turn: u32,
        /// The hook.
        hook: Hook,
    },
    /// Put back exactly what the turn changed; the story is in this state again.
    Restore {
        /// The turn.
        turn: u32,
        /// The story.
        story: StoryId,
        /// Its state.
        status: Status,
    },
    /// Keep what went wrong where people look for it.
    Feedback {
        /// The turn.
        turn: u32,
        /// The story.
        story: StoryId,
        /// Who failed.
        role: Role,
        /// What went wrong.
        text: String,
    },
    /// Write the checkpoint.
    Checkpoint,
    /// End every program of these turns with its whole group, and answer each with [`Exit::Ended`].
    EndAgents {
        /// The turns.
        turns: Vec<u32>,
    },
    /// The run is over; the checkpoint is removed when it is complete.
    Stop(StopReason),
}

/// One turn of one agent, with what its prompt is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its number; never given twice.
    pub number: u32,
    /// The story.
    pub story: StoryId,
    /// Its file.
    pub file: String,
    /// Its epic.
    pub epic: Option<String>,
    /// What is asked.
    pub task: Task,
    /// From 1; one more than the strikes in this state.
    pub attempt: u32,
    /// How long to wait first, in seconds.
    pub wait_seconds: u64,
    /// How long it may take, in seconds.
    pub timeout_seconds: u64,
    /// What went wrong last time.
    pub feedback: Option<String>,
    /// Who worked on the story last, and where that led.
    pub last: Option<(Task, Option<Status>)>,
    /// What that agent wrote into the log.
    pub note: Option<String>,
    /// The files that it changed.
    pub files: Vec<String>,
    /// The circle to break.
    pub cycle: Vec<StoryId>,
}
