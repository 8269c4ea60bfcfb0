//! What an agent's turn was worth: the table and what is seen afterwards decide, not what the agent says.

use super::fact::Outcome;
use super::id::StoryId;
use super::status::Status;
use super::workflow::{Hook, Task, Way, row, targets};
use crate::safety::{Failure, FailureKind, ProviderFault, provider_fault, refused_quietly};

/// How an agent's program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// Its time was over.
    TimedOut,
    /// It could not be started.
    NotStarted(String),
    /// We ended it.
    Ended,
}

/// What is seen of the story after a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryAfter {
    /// It can be read.
    Read {
        /// Its state.
        status: Status,
        /// The names of what blocks it.
        dependencies: Vec<String>,
        /// Its epic.
        epic: Option<String>,
    },
    /// Its file is gone or was moved.
    Missing,
    /// Its file cannot be read; why.
    Unreadable(String),
}

/// What is seen after an agent's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentReport {
    /// How it ended.
    pub exit: Exit,
    /// The end of its error output, or of its output when that is empty.
    pub output: String,
    /// The story.
    pub story: StoryAfter,
    /// Other stories that were changed, made, moved or deleted.
    pub others: Vec<StoryId>,
    /// The files that were changed besides stories and decisions.
    pub files: Vec<String>,
    /// What the agent added to the story's log.
    pub note: Option<String>,
}

/// The verdict about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What came of it.
    pub outcome: Outcome,
    /// The hook that has to pass before it counts.
    pub hook: Option<Hook>,
    /// Whether the agent's changes are undone.
    pub restore: bool,
}

/// Judges a turn, all but its hook and, for a circle, whether it is gone.
pub fn judge(task: Task, report: &AgentReport) -> Judgement {
    let strike = |kind, reason: String| Judgement {
        outcome: strike(kind, reason, &report.output),
        hook: None,
        restore: kind != FailureKind::NoProgress,
    };
    let uncharged = |outcome| Judgement { outcome, hook: None, restore: true };
    match &report.exit {
        Exit::Code(0) => {}
        Exit::Ended => return uncharged(Outcome::Interrupted),
        Exit::TimedOut => return strike(FailureKind::Timeout, "the agent's time was over".to_owned()),
        Exit::NotStarted(why) => {
            return strike(FailureKind::NotStarted, format!("the agent could not be started: {why}"));
        }
        Exit::Code(code) => {
            return match provider_fault(&report.output) {
                Some(fault) => uncharged(Outcome::Provider(fault)),
                None => strike(FailureKind::Exit, format!("the agent ended with status {code}")),
            };
        }
    }
    if !report.others.is_empty() {
        let names: Vec<&str> = report.others.iter().map(StoryId::as_str).take(5).collect();
        return strike(FailureKind::ForeignEdit, format!("the agent changed other stories: {}", names.join(", ")));
    }
    let from = task.status();
    let to = match &report.story {
        StoryAfter::Missing => return strike(FailureKind::Deleted, "the story's file is gone".to_owned()),
        StoryAfter::Unreadable(why) => {
            return strike(FailureKind::Unreadable, format!("the story cannot be read any more: {why}"));
        }
        StoryAfter::Read { status, .. } => *status,
    };
    if task == Task::BreakCycle && to == from {
        return Judgement { outcome: Outcome::CycleBroken, hook: None, restore: false };
    }
    // Staying is a move only where tests are repaired, and only when something was repaired.
    let stays = to == from;
    let allowed = row(from, to, task.role())
        .filter(|row| (row.way == Way::Repair) == (task == Task::RepairTests) && !(stays && report.files.is_empty()));
    match allowed {
        Some(row) => {
            let outcome = Outcome::Progress { to, row: row.number };
            Judgement { outcome, hook: row.hook, restore: false }
        }
        None if stays => match quiet_refusal(report) {
            Some(fault) => uncharged(Outcome::Provider(fault)),
            None => strike(FailureKind::NoProgress, format!("the agent left the story in {from}")),
        },
        None => {
            let legal: Vec<&str> = targets(from, task.role()).map(Status::as_str).collect();
            let reason = format!("{from} → {to} is not allowed here; allowed: {}", legal.join(", "));
            strike(FailureKind::IllegalMove, reason)
        }
    }
}

/// What a program that did nothing at all was refused, if that is all that it says.
fn quiet_refusal(report: &AgentReport) -> Option<ProviderFault> {
    let idle = report.files.is_empty() && report.note.is_none();
    refused_quietly(&report.output).filter(|_| idle)
}

/// A strike for this reason.
pub fn strike(kind: FailureKind, reason: String, output: &str) -> Outcome {
    let text = if kind.is_of_program() { output } else { reason.as_str() };
    Outcome::Strike { kind, signature: Failure::new(kind, text).signature, reason }
}
