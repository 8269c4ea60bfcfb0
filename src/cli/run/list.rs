//! `git rapid run list`.

use crate::cli::{
    args,
    speak::{Table, Ui},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, lifecycle::RunStatus};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;

/// What is listed.
#[derive(clap::Args)]
pub struct Args {
    /// Only runs that are prepared, active, blocked, finished, failed or cancelled
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let wanted = args.status.as_deref().map(|word| RunStatus::parse(word, Code::Rapid001)).transpose()?;
    let rapid = Rapid::open(environment)?;
    let records = rapid.registry().existing_records()?;
    let (mut table, mut listed) = (Table::default(), Vec::new());
    for id in records.run_ids()? {
        let run = records.run(&id)?;
        let state = run.state()?;
        if wanted.is_some_and(|status| status != state.status) {
            continue;
        }
        if listed.is_empty() {
            table.row(["RUN", "STATUS", "MODE", "CLASS", "RISK", "SPEC", "STATE", "VERDICT"]);
        }
        let decision = &run.contract.decision;
        let verdict = run.reports.last().map(|report| report.verdict());
        table.row([
            id.as_str(),
            state.status.as_str(),
            run.contract.mode.as_str(),
            decision.classification.as_str(),
            decision.risk.as_str(),
            &format!("r{}", run.contract.spec_revision),
            &state.revision.to_string(),
            verdict.map_or("-", |verdict| verdict.as_str()),
        ]);
        listed.push(Value::object([
            ("run_id", (&id).into()),
            ("status", state.status.into()),
            ("mode", run.contract.mode.into()),
            ("classification", decision.classification.into()),
            ("risk", decision.risk.into()),
            ("spec_id", (&run.contract.spec_id).into()),
            ("spec_revision", run.contract.spec_revision.into()),
            ("state_revision", state.revision.into()),
            ("evidence_count", run.evidence.len().into()),
            ("verdict", verdict.into()),
        ]));
    }
    if listed.is_empty() {
        ui.line("no runs");
    }
    table.lines().iter().for_each(|line| ui.line(line));
    ui.document(&Value::object([("schema_version", 1.into()), ("runs", Value::List(listed))]));
    Ok(0)
}
