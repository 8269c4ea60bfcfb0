//! The changes that lead from one state to the next, with their preconditions (§2.6, "single-mutation invariant").

use super::RunState;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    gate::Phase,
    ids::{GateId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    text::plain_text,
};

/// One change of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The run moves.
    Status(RunStatus),
    /// A task moves.
    Task(TaskId, TaskStatus),
    /// A gate is decided.
    Gate(GateId, Disposition),
}

impl Change {
    /// As records name it.
    pub fn kind(&self) -> String {
        match self {
            Change::Status(status) => format!("run.status.{status}"),
            Change::Task(id, status) => format!("task.{id}.{status}"),
            Change::Gate(id, disposition) => format!("gate.{id}.{disposition}"),
        }
    }

    fn default_reason(&self) -> String {
        match self {
            Change::Status(status) => format!("the run is {status}"),
            Change::Task(id, status) => format!("task {id} is {status}"),
            Change::Gate(id, disposition) => format!("{id} is {disposition}"),
        }
    }
}

impl RunState {
    /// The state after `change`, or why it may not be made. `reason` is in words; empty means "nobody said".
    pub fn step(&self, change: &Change, reason: &str) -> Result<RunState> {
        let reason = plain_text(reason.trim(), Code::Rapid1012, "the reason")?;
        let mut next = self.clone();
        next.revision += 1;
        next.change_kind = change.kind();
        next.reason = if reason.is_empty() { change.default_reason() } else { reason.clone() };
        match change {
            Change::Status(to) => {
                next.status = self.status.step(*to)?;
                self.allows_status(*to)?;
            }
            Change::Task(id, to) => {
                let from = self.task(id)?.status;
                let to = from.step(*to).map_err(|error| crate::diagnostics::Diagnostic {
                    message: format!("task {id}: {}", error.message),
                    ..error
                })?;
                if self.status != RunStatus::Active {
                    return Err(Code::Rapid1014
                        .because(format!("tasks move only while the run is active; it is {}", self.status)));
                }
                for task in next.tasks.iter_mut().filter(|task| task.id == *id) {
                    (task.status, task.reason) = (to, reason.clone());
                }
            }
            Change::Gate(id, to) => {
                self.allows_gate(id, *to, &reason)?;
                for gate in next.gates.iter_mut().filter(|gate| gate.id == *id) {
                    (gate.disposition, gate.reason) = (*to, reason.clone());
                }
            }
        }
        Ok(next)
    }

    fn allows_status(&self, to: RunStatus) -> Result<()> {
        let refuse = |message: String| Err(Code::Rapid1014.because(message));
        if matches!(to, RunStatus::Active | RunStatus::Finished)
            && let Some(gate) = self.undecided(Phase::PreExecution).next()
        {
            return refuse(format!("{} has to be decided before the run becomes {to}", gate.id));
        }
        if to == RunStatus::Finished {
            if let Some(task) = self.tasks.iter().find(|task| !task.status.is_terminal()) {
                return refuse(format!(
                    "task {} is {}; it has to be done or skipped before the run is finished",
                    task.id, task.status
                ));
            }
            if let Some(gate) = self.undecided(Phase::PostExecution).next() {
                return refuse(format!("{} has to be decided before the run is finished", gate.id));
            }
        }
        Ok(())
    }

    fn allows_gate(&self, id: &GateId, to: Disposition, reason: &str) -> Result<()> {
        let gate = self.gate(id)?;
        gate.disposition
            .step(to)
            .map_err(|error| crate::diagnostics::Diagnostic { message: format!("{id}: {}", error.message), ..error })?;
        if to == Disposition::Waived && !gate.waivable {
            return Err(Code::Rapid1013.because(format!("{id} may not be waived")));
        }
        if to == Disposition::Waived && reason.is_empty() {
            return Err(Code::Rapid1013.because(format!("waiving {id} needs a reason")).hint("give one with --reason"));
        }
        match gate.phase {
            Phase::PreExecution if self.status != RunStatus::Prepared => {
                Err(Code::Rapid1014
                    .because(format!("{id} is decided while the run is prepared; it is {}", self.status)))
            }
            Phase::PostExecution if self.status != RunStatus::Active => {
                Err(Code::Rapid1014.because(format!("{id} is decided while the run is active; it is {}", self.status)))
            }
            Phase::PostExecution if !self.tasks_are_terminal() => Err(Code::Rapid1014
                .because(format!("{id} is decided when every task is done or skipped"))
                .hint("see 'git rapid next'")),
            _ => Ok(()),
        }
    }

    /// Refuses `self` unless it is exactly one legal step after `before` (RAPID1012).
    pub fn follows(&self, before: &RunState) -> Result<()> {
        let change = self.change_from(before);
        let replayed = change.and_then(|(change, reason)| before.step(&change, &reason).ok());
        // The reason of the state itself may be the default sentence or the given one; both are what `step` can write.
        let same = replayed.is_some_and(|replayed| RunState { reason: self.reason.clone(), ..replayed } == *self);
        match same {
            true => Ok(()),
            false => Err(Code::Rapid1012
                .because(format!("state {} is not one legal step after state {}", self.revision, before.revision))),
        }
    }

    fn change_from(&self, before: &RunState) -> Option<(Change, String)> {
        if self.status != before.status {
            return Some((Change::Status(self.status), self.reason.clone()));
        }
        let task = self.tasks.iter().zip(&before.tasks).find(|(new, old)| new != old);
        if let Some((task, _)) = task {
            return Some((Change::Task(task.id.clone(), task.status), task.reason.clone()));
        }
        let gate = self.gates.iter().zip(&before.gates).find(|(new, old)| new != old);
        gate.map(|(gate, _)| (Change::Gate(gate.id.clone(), gate.disposition), gate.reason.clone()))
    }
}
