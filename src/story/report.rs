//! The report of a run as data: how it ended, the exit status, and the keys that programs already read.

use super::deadlock::{self, Cause, Stuck};
use super::estimate::Estimate;
use super::fact::StopReason;
use super::id::StoryId;
use super::machine::Machine;
use super::status::Status;
use super::transition::{Transition, Transitions};
use crate::domain::json::Value;
use crate::domain::word::words;

words! {
    /// How a run ended.
    RunResult, "the result of a run" {
        /// Everything is Done.
        Completed = "completed",
        /// Nothing is left to do, and something was given up.
        CompletedWithFailures = "completed_with_failures",
        /// Ended before its time.
        Stopped = "stopped",
        /// Nothing can be done about what is left.
        Stuck = "stuck",
        /// It could not run.
        Error = "error",
    }
}

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub result: RunResult,
    /// The exit status.
    pub exit_code: u8,
    /// Why it ended early, if it did.
    pub stop_reason: Option<String>,
    /// What cannot go on, and why.
    pub stuck: Vec<Stuck>,
}

impl Report {
    /// The report of an engine that has come to its end.
    pub fn of(machine: &Machine) -> Report {
        let state = machine.state();
        let stuck = deadlock::stuck(state, machine.graph(), |node| machine.is_selected(node));
        let failed = count(machine, Some(Status::Failed)) > 0;
        let reason = state.ended.as_ref().unwrap_or(&StopReason::Interrupted);
        let (result, exit_code) = match reason {
            StopReason::Complete if failed => (RunResult::CompletedWithFailures, 2),
            StopReason::Complete if !stuck.is_empty() => (RunResult::Stuck, 3),
            StopReason::Complete => (RunResult::Completed, 0),
            StopReason::Once(_) if failed => (RunResult::Stopped, 2),
            StopReason::Once(true) => (RunResult::Stopped, 0),
            _ => (RunResult::Stopped, 3),
        };
        Report { result, exit_code, stop_reason: reason.sentence(), stuck }
    }

    /// The JSON of a run.
    pub fn to_value(&self, machine: &Machine, project_dir: &str, elapsed_seconds: u64) -> Value {
        let state = machine.state();
        let summary = Value::object([
            ("total", selected(machine).count().into()),
            ("done", count(machine, Some(Status::Done)).into()),
            ("failed", count(machine, Some(Status::Failed)).into()),
            ("blocked", count(machine, Some(Status::Blocked)).into()),
            ("draft", count(machine, Some(Status::Draft)).into()),
            ("unreadable", count(machine, None).into()),
            ("iterations", state.spent.into()),
            ("elapsed_seconds", elapsed_seconds.into()),
        ]);
        let stories = selected(machine).map(|(_, story)| {
            Value::object([
                ("id", story.id.as_str().into()),
                ("status", story.status.map_or("unreadable", Status::as_str).into()),
                ("iterations", story.memory.turns.into()),
                ("reject_cycles", story.memory.rejects.into()),
            ])
            .with_some("epic", story.epic.as_deref())
            .with_some("error", story.memory.reason.as_deref())
        });
        let strikes =
            state.all_strikes().filter(|(node, _, _)| machine.is_selected(*node)).filter_map(|(node, at, count)| {
                let story = state.story(node)?;
                let strike = Value::object([
                    ("story", story.id.as_str().into()),
                    ("status", at.into()),
                    ("count", count.into()),
                ]);
                Some(strike.with_some("reason", story.memory.last_reason.as_deref()))
            });
        let stopped = matches!(self.result, RunResult::Stopped) && !matches!(state.ended, Some(StopReason::Once(_)));
        Value::object([
            ("schema_version", 1.into()),
            ("project_dir", project_dir.into()),
            ("result", self.result.into()),
            ("exit_code", u32::from(self.exit_code).into()),
            ("stopped_early", stopped.into()),
            ("stop_reason", self.stop_reason.as_deref().map_or(Value::Null, Value::from)),
            ("summary", summary),
            ("stories", Value::list(stories)),
            ("strikes", Value::list(strikes)),
            ("stuck", Value::list(self.stuck.iter().map(stuck_value))),
        ])
    }
}

/// The JSON of a run with its moves.
pub fn with_transitions(report: Value, transitions: &Transitions) -> Value {
    report.with("transitions", Value::list(transitions.all().iter().map(Transition::to_value)))
}

/// The JSON of a run with what a dry run estimates.
pub fn with_estimate(report: Value, dry_run: bool, estimate: &Estimate) -> Value {
    report.with("dry_run", dry_run).with("estimate", estimate.to_value())
}

/// The JSON of a run that could not begin.
pub fn error_value(project_dir: &str, error: Value) -> Value {
    Value::object([
        ("schema_version", 1.into()),
        ("project_dir", project_dir.into()),
        ("result", RunResult::Error.into()),
        ("exit_code", 1.into()),
        ("error", error),
    ])
}

fn stuck_value(stuck: &Stuck) -> Value {
    let causes = stuck.causes.iter().map(|cause| {
        let value = Value::object([("code", cause.code().into()), ("message", cause.sentence().into())]);
        match cause {
            Cause::Cycle(path) => value.with("cycle", Value::list(path.iter().map(StoryId::as_str))),
            _ => value,
        }
    });
    Value::object([("story", stuck.story.as_str().into()), ("causes", Value::list(causes))])
}

fn selected(machine: &Machine) -> impl Iterator<Item = (usize, &super::state::Story)> {
    machine.state().stories().iter().enumerate().filter(|(node, _)| machine.is_selected(*node))
}

fn count(machine: &Machine, status: Option<Status>) -> usize {
    selected(machine).filter(|(_, story)| story.status == status).count()
}
