//! The record of a run state: its JSON, written and read strictly.

use super::{GateState, RunState, TaskState};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::{Digest, sealed},
    gate::{GateKind, Phase},
    ids::{GateId, RunId, TaskId},
    json::{Fields, Value},
    lifecycle::{Disposition, RunStatus, TaskStatus},
};

impl RunState {
    pub(super) fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("run_id", (&self.run_id).into()),
            ("revision", self.revision.into()),
            ("status", self.status.into()),
            ("tasks", Value::list(self.tasks.iter().map(TaskState::to_value))),
            ("gates", Value::list(self.gates.iter().map(GateState::to_value))),
            ("change_kind", (&self.change_kind).into()),
            ("reason", (&self.reason).into()),
        ])
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    /// Reads and verifies what [`RunState::to_value`] writes; faults are RAPID1012.
    pub fn from_value(value: Value) -> Result<RunState> {
        let code = Code::Rapid1012;
        let mut fields = Fields::of(value, code, "the run state")?;
        fields.version()?;
        let state = RunState {
            run_id: RunId::parse(&fields.text("run_id")?)?,
            revision: fields.ordinal("revision")?,
            status: RunStatus::parse(&fields.text("status")?, code)?,
            tasks: fields.list("tasks")?.into_iter().map(TaskState::from_value).collect::<Result<_>>()?,
            gates: fields.list("gates")?.into_iter().map(GateState::from_value).collect::<Result<_>>()?,
            change_kind: fields.text("change_kind")?,
            reason: fields.text("reason")?,
        };
        let stored = Digest::parse(&fields.text("content_digest")?, code)?;
        fields.end()?;
        match stored == state.digest() {
            true => Ok(state),
            false => Err(code.because("the run state's digest does not hold")),
        }
    }
}

impl TaskState {
    pub(crate) fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("description", (&self.description).into()),
            ("status", self.status.into()),
            ("reason", (&self.reason).into()),
        ])
    }

    fn from_value(value: Value) -> Result<TaskState> {
        let mut fields = Fields::of(value, Code::Rapid1012, "a task of the run state")?;
        let task = TaskState {
            id: TaskId::parse(&fields.text("id")?)?,
            description: fields.text("description")?,
            status: TaskStatus::parse(&fields.text("status")?, Code::Rapid1012)?,
            reason: fields.text("reason")?,
        };
        fields.end()?;
        Ok(task)
    }
}

impl GateState {
    pub(crate) fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("kind", self.kind.into()),
            ("phase", self.phase.into()),
            ("required", self.required.into()),
            ("waivable", self.waivable.into()),
            ("disposition", self.disposition.into()),
            ("reason", (&self.reason).into()),
        ])
    }

    fn from_value(value: Value) -> Result<GateState> {
        let code = Code::Rapid1012;
        let mut fields = Fields::of(value, code, "a gate of the run state")?;
        let gate = GateState {
            id: GateId::parse(&fields.text("id")?)?,
            kind: GateKind::parse(&fields.text("kind")?, code)?,
            phase: Phase::parse(&fields.text("phase")?, code)?,
            required: fields.flag("required")?,
            waivable: fields.flag("waivable")?,
            disposition: Disposition::parse(&fields.text("disposition")?, code)?,
            reason: fields.text("reason")?,
        };
        fields.end()?;
        Ok(gate)
    }
}
