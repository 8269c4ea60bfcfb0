//! The states of a run (§2.6): each a whole snapshot, each exactly one step after the one before.
//!
//! A step is made here and checked here by the same code: reading a history replays it.

mod change;
mod codec;

pub use change::Change;

use super::{
    contract::Contract,
    digest::Digest,
    gate::{GateKind, Phase},
    ids::{GateId, RunId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    near::or_near,
};
use crate::diagnostics::{Code, Result};

/// A task as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskState {
    /// Its id.
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// Why; empty when nobody said.
    pub reason: String,
}

/// A gate as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateState {
    /// Its id.
    pub id: GateId,
    /// What it asks for.
    pub kind: GateKind,
    /// When it is met.
    pub phase: Phase,
    /// Whether the verdict asks for it.
    pub required: bool,
    /// Whether it may be let go.
    pub waivable: bool,
    /// What was decided.
    pub disposition: Disposition,
    /// Why; empty when nobody said.
    pub reason: String,
}

/// A snapshot of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// The run.
    pub run_id: RunId,
    /// 1, 2, 3 …
    pub revision: u32,
    /// Where the run stands.
    pub status: RunStatus,
    /// Its tasks, in contract order.
    pub tasks: Vec<TaskState>,
    /// Its gates, in contract order.
    pub gates: Vec<GateState>,
    /// What changed: `run.prepared`, `run.status.active`, `task.T001.done`, `gate.gate.tests.acknowledged` …
    pub change_kind: String,
    /// Why, in words.
    pub reason: String,
}

impl RunState {
    /// The first state of a run.
    pub fn prepared(contract: &Contract) -> RunState {
        let tasks = contract.tasks.iter().map(|task| TaskState {
            id: task.id.clone(),
            description: task.description.clone(),
            status: TaskStatus::Pending,
            reason: String::new(),
        });
        let gates = contract.decision.gates.iter().map(|gate| GateState {
            id: gate.id.clone(),
            kind: gate.kind,
            phase: gate.phase,
            required: gate.required,
            waivable: gate.waivable,
            disposition: Disposition::Pending,
            reason: String::new(),
        });
        RunState {
            run_id: contract.run_id.clone(),
            revision: 1,
            status: RunStatus::Prepared,
            tasks: tasks.collect(),
            gates: gates.collect(),
            change_kind: "run.prepared".to_owned(),
            reason: "prepared".to_owned(),
        }
    }

    /// The task with this id (RAPID1010 when there is none).
    pub fn task(&self, id: &TaskId) -> Result<&TaskState> {
        let task = self.tasks.iter().find(|task| task.id == *id);
        task.ok_or_else(|| Code::Rapid1010.because(format!("the run has no task {id}")).hint(self.tasks_in_words()))
    }

    /// The gate with this id (RAPID1013 when there is none).
    pub fn gate(&self, id: &GateId) -> Result<&GateState> {
        let gate = self.gates.iter().find(|gate| gate.id == *id);
        gate.ok_or_else(|| {
            let known: Vec<&str> = self.gates.iter().map(|gate| gate.id.as_str()).collect();
            let missing = Code::Rapid1013.because(format!("the run has no gate '{id}'"));
            or_near(missing, id.as_str(), &known, format!("its gates are {}", known.join(", ")))
        })
    }

    fn tasks_in_words(&self) -> String {
        match (self.tasks.first(), self.tasks.last()) {
            (Some(first), Some(last)) if first != last => format!("its tasks are {} to {}", first.id, last.id),
            (Some(only), _) => format!("its only task is {}", only.id),
            _ => "it has no tasks".to_owned(),
        }
    }

    /// Whether every task is done or skipped.
    pub fn tasks_are_terminal(&self) -> bool {
        self.tasks.iter().all(|task| task.status.is_terminal())
    }

    /// The required gates of a phase that nobody has decided.
    pub fn undecided(&self, phase: Phase) -> impl Iterator<Item = &GateState> {
        self.gates.iter().filter(move |gate| gate.required && gate.phase == phase && !gate.disposition.is_decided())
    }

    /// The digest of its record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }
}

#[cfg(test)]
mod tests;
