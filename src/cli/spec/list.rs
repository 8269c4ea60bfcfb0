//! `git rapid spec list`.

use super::record;
use crate::cli::{
    args,
    speak::{Table, Ui},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, lifecycle::SpecStatus};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;

/// What is listed.
#[derive(clap::Args)]
pub struct Args {
    /// Only specs that are draft, ready or archived
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let wanted = args.status.as_deref().map(|word| SpecStatus::parse(word, Code::Rapid001)).transpose()?;
    let rapid = Rapid::open(environment)?;
    let records = rapid.registry().existing_records()?;
    let (mut table, mut listed) = (Table::default(), Vec::new());
    for id in records.spec_ids()? {
        let spec = records.spec(&id)?;
        if wanted.is_some_and(|status| status != spec.status) {
            continue;
        }
        let current = spec.current()?;
        let revision = format!("r{}", current.revision);
        table.row([
            id.as_str(),
            spec.status.as_str(),
            &revision,
            current.content.mode.as_str(),
            &current.content.title,
        ]);
        let shown = record(&spec)?.with("mode", current.content.mode).with("title", &current.content.title);
        listed.push(shown);
    }
    if listed.is_empty() {
        ui.line("no specs");
    }
    table.lines().iter().for_each(|line| ui.line(line));
    ui.document(&Value::object([("schema_version", 1.into()), ("specs", Value::List(listed))]));
    Ok(0)
}
