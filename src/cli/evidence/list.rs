//! `git rapid evidence list`.

use crate::cli::{
    args, shared,
    speak::{Table, Ui},
};
use crate::diagnostics::Result;
use crate::domain::{evidence::Evidence, json::Value};
use crate::os::environment::Environment;
use crate::registry::Place;
use crate::verbs::rapid::Rapid;

/// What is listed.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let (_, run) = rapid.run(args.run.run.as_ref())?;
    let waiting = shared::waiting(ui, &rapid)?;
    let waits = |item: &Evidence| {
        let path = Place::Evidence(run.id().clone(), item.id.clone()).path();
        waiting.iter().any(|entry| entry.records.keys().any(|record| record.as_str() == path))
    };
    ui.document(
        &Value::object([
            ("schema_version", 1.into()),
            ("run_id", run.id().into()),
            ("evidence_set_digest", Evidence::set_digest(run.id(), &run.evidence).into()),
            ("evidence", Value::list(run.evidence.iter().map(Evidence::to_value))),
        ])
        .with_some(
            "spooled",
            (!waiting.is_empty()).then(|| Value::list(run.evidence.iter().filter(|i| waits(i)).map(|i| &i.id))),
        ),
    );
    let mut table = Table::default();
    for item in &run.evidence {
        let state = format!("s{}", item.state_revision);
        let producer = item.producer.to_string();
        let mark = if waits(item) { "spooled: " } else { "" };
        let words = format!("{mark}{}", item.summary);
        table.row([item.id.as_str(), &state, item.payload.kind().as_str(), &producer, &bound(item), &words]);
    }
    if run.evidence.is_empty() {
        ui.line(format!("run {} has no evidence yet", run.id()));
    }
    table.lines().iter().for_each(|line| ui.line(line));
    Ok(0)
}

/// The tasks and gates that a piece of evidence speaks of.
pub(super) fn bound(item: &Evidence) -> String {
    let tasks = item.task_ids.iter().map(ToString::to_string);
    let all: Vec<String> = tasks.chain(item.gate_ids.iter().map(ToString::to_string)).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(" ") }
}
