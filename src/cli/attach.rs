//! `git rapid attach`.

use super::{args, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use crate::verbs::{attach, rapid::Rapid};
use anstyle::AnsiColor;
use std::path::PathBuf;

/// Keep a file with the run, as evidence for a task
#[derive(clap::Args)]
pub struct Args {
    /// The file
    file: PathBuf,
    /// The task; the one in progress when left out
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// What it is; its name when left out
    #[arg(long)]
    label: Option<String>,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let task = args.task.as_deref().map(args::task).transpose()?;
    let request = attach::Request { run: args.run.run, file: args.file, task, label: args.label };
    let rapid = Rapid::open(environment)?;
    let (_, evidence) = attach::attach(&rapid, &request)?;
    shared::spooled(ui, &rapid);
    ui.document(&evidence.to_value());
    let tasks: Vec<String> = evidence.task_ids.iter().map(ToString::to_string).collect();
    ui.marked("attached", AnsiColor::Cyan, format!("{} for {}: {}", evidence.id, tasks.join(", "), evidence.summary));
    Ok(0)
}
