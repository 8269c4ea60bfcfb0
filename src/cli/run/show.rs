//! `git rapid run show`.

use crate::cli::{
    args, shared,
    speak::{Table, Ui},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::RunId, json::Value, run::RunState};
use crate::os::environment::Environment;
use crate::registry::Run;
use crate::verbs::rapid::Rapid;

/// What is shown.
#[derive(clap::Args)]
pub struct Args {
    /// The run
    id: String,
    /// As it stood in this state; the newest when left out
    #[arg(long, value_name = "N")]
    state_revision: Option<u32>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = RunId::parse(&args.id)?;
    let rapid = Rapid::open(environment)?;
    let records = rapid.registry().existing_records()?;
    let run = records.run(&records.meant(&id)?)?;
    let id = run.id();
    let current = run.state()?;
    let state = match args.state_revision {
        None => current,
        Some(number) => run.states.iter().find(|state| state.revision == number).ok_or_else(|| {
            Code::Rapid1540
                .because(format!("run '{id}' has no state {number}"))
                .hint(format!("its states are 1 to {}", current.revision))
        })?,
    };
    ui.document(&document(&run, state));
    ui.line(format!("run {id}"));
    tell(ui, &run, state);
    Ok(0)
}

/// A run in one of its states, as a document.
pub(super) fn document(run: &Run, state: &RunState) -> Value {
    let reports =
        run.reports.iter().zip(1u32..).map(|(report, ordinal)| {
            Value::object([("revision", ordinal.into()), ("verdict", report.verdict().into())])
        });
    Value::object([
        ("schema_version", 1.into()),
        ("run_id", run.id().into()),
        ("status", state.status.into()),
        ("state_revision", state.revision.into()),
        ("current_state_revision", run.states.len().into()),
        ("contract_digest", run.contract.digest().into()),
        ("contract", run.contract.to_value()),
        ("state", state.to_value()),
        ("evidence_count", run.evidence.len().into()),
        ("reports", Value::list(reports)),
    ])
}

/// A run in one of its states, in words.
pub(super) fn tell(ui: &mut Ui, run: &Run, state: &RunState) {
    let (contract, decision) = (&run.contract, &run.contract.decision);
    let base = contract.base.commit.as_ref().map_or("no commit yet".to_owned(), |id| format!("commit {}", id.short()));
    let command = contract.test_command.as_deref().map_or("none".to_owned(), shared::typed);
    let mut table = Table::default();
    table.row(["  status", &format!("{}, state {} of {}", state.status, state.revision, run.states.len())]);
    table.row(["  spec", &format!("{} r{}, a {}", contract.spec_id, contract.spec_revision, contract.mode)]);
    table.row(["  base", &format!("{base}, tree {}", contract.base.tree.short())]);
    table.row(["  policy", &format!("{}, {} risk, {}", decision.classification, decision.risk, decision.workspace)]);
    table.row(["  rules", &format!("ruleset {}, approvals by {}", contract.ruleset.number(), contract.approvals)]);
    table.row(["  harness", contract.harness.as_str()]);
    table.row(["  tests", &command]);
    table.row(["  digest", &contract.digest().to_string()]);
    table.row(["  records", &format!("{} evidence, {} reports", run.evidence.len(), run.reports.len())]);
    table.lines().iter().for_each(|line| ui.line(line));
    for signal in &decision.risk_signals {
        ui.line(format!("  {} ({}): {}", signal.id, signal.level, signal.reason));
    }
    let mut table = Table::default();
    for task in &state.tasks {
        table.row(["  ", task.id.as_str(), task.status.as_str(), &task.description, &task.reason]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    let mut table = Table::default();
    for gate in &state.gates {
        let phase = if gate.phase == crate::domain::gate::Phase::PreExecution { "before" } else { "after" };
        let who = if gate.kind.is_human() { "person" } else { "machine" };
        let waivable = if gate.waivable { "may be waived" } else { "" };
        table.row(["  ", gate.id.as_str(), gate.disposition.as_str(), phase, who, waivable, &gate.reason]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
}
