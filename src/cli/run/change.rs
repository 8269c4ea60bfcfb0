//! `git rapid run status|task|gate`: one state further.

use crate::cli::{args, shared, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{GateId, RunId},
    json::Value,
    lifecycle::{Disposition, RunStatus, TaskStatus},
    run,
};
use crate::os::environment::Environment;
use crate::verbs::{self, rapid::Rapid};
use anstyle::AnsiColor;

/// Moves a run.
#[derive(clap::Args)]
pub struct Status {
    /// The run
    id: String,
    /// Where it goes
    status: String,
    #[command(flatten)]
    why: Why,
}

/// Moves a task.
#[derive(clap::Args)]
pub struct Task {
    /// The run
    id: String,
    /// The task, like T001
    task: String,
    /// Where it goes
    status: String,
    #[command(flatten)]
    why: Why,
}

/// Decides a machine gate.
#[derive(clap::Args)]
pub struct Gate {
    /// The run
    id: String,
    /// The gate, like gate.tests
    gate: String,
    /// What is decided: acknowledged
    disposition: String,
    #[command(flatten)]
    why: Why,
}

#[derive(clap::Args)]
struct Why {
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    json: args::Json,
}

impl Status {
    /// Runs it.
    pub fn run(self, environment: &Environment, ui: &mut Ui) -> Result<i32> {
        let change = run::Change::Status(RunStatus::parse(&self.status, Code::Rapid001)?);
        make(&self.id, &change, &self.why.reason, environment, ui)
    }
}

impl Task {
    /// Runs it.
    pub fn run(self, environment: &Environment, ui: &mut Ui) -> Result<i32> {
        let change = run::Change::Task(args::task(&self.task)?, TaskStatus::parse(&self.status, Code::Rapid001)?);
        make(&self.id, &change, &self.why.reason, environment, ui)
    }
}

impl Gate {
    /// Runs it.
    pub fn run(self, environment: &Environment, ui: &mut Ui) -> Result<i32> {
        let word = match self.disposition.as_str() {
            "ack" | "acknowledge" => Disposition::Acknowledged.as_str(),
            "waive" => Disposition::Waived.as_str(),
            word => word,
        };
        let change = run::Change::Gate(GateId::parse(&self.gate)?, Disposition::parse(word, Code::Rapid001)?);
        make(&self.id, &change, &self.why.reason, environment, ui)
    }
}

fn make(id: &str, change: &run::Change, reason: &str, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = RunId::parse(id)?;
    let rapid = Rapid::open(environment)?;
    let state = verbs::run::change(&rapid, &id, change, reason)?;
    shared::spooled(ui, &rapid);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&state.run_id).into()),
        ("change_kind", (&state.change_kind).into()),
        ("status", state.status.into()),
        ("state_revision", state.revision.into()),
        ("state_digest", state.digest().into()),
        ("state", state.to_value()),
    ]));
    ui.marked("moved", AnsiColor::Cyan, format!("run {}, state {}: {}", state.run_id, state.revision, state.reason));
    Ok(0)
}
