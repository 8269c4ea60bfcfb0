//! `git rapid task start|done|skip|block`.

use super::{args, check, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    task::{Move, Outcome, Request, task},
};
use anstyle::AnsiColor;
use clap::Subcommand;

/// Move a task; 'done' runs the check first
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    to: To,
}

#[derive(Subcommand)]
enum To {
    /// Work on it begins
    Start(One),
    /// It is done: run the test command, and move it when that is green
    Done(Done),
    /// It is left out, for a reason
    Skip(One),
    /// It cannot go on, for a reason
    Block(One),
}

#[derive(clap::Args)]
struct One {
    /// The task, like T001
    id: String,
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct Done {
    #[command(flatten)]
    one: One,
    /// Move it without running a check
    #[arg(long)]
    no_check: bool,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let (to, one, no_check) = match args.to {
        To::Start(one) => (Move::Start, one, false),
        To::Done(done) => (Move::Done, done.one, done.no_check),
        To::Skip(one) => (Move::Skip, one, false),
        To::Block(one) => (Move::Block, one, false),
    };
    let request = Request { run: one.run.run, task: args::task(&one.id)?, to, reason: one.reason, no_check };
    let rapid = Rapid::open(environment)?;
    let done = task(&rapid, &request, &mut |bytes| ui.live(bytes))?;
    shared::spooled(ui, &rapid);
    ui.document(&document(&done));
    if let Some(checked) = &done.checked {
        check::tell(ui, checked);
    }
    let moved = done.checked.as_ref().is_none_or(|_| done.status == crate::domain::lifecycle::TaskStatus::Done);
    match moved {
        true => ui.marked("task", AnsiColor::Cyan, format!("{} is {}", done.task, done.status)),
        false => {
            ui.marked("task", AnsiColor::Yellow, format!("{} stays {}: the check is not green", done.task, done.status))
        }
    }
    Ok(match &done.checked {
        Some(checked) if !moved => checked.exit_code().max(1),
        _ => 0,
    })
}

fn document(done: &Outcome) -> Value {
    Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&done.run_id).into()),
        ("task_id", (&done.task).into()),
        ("status", done.status.into()),
        ("check", done.checked.as_ref().map(check::document).into()),
    ])
}
