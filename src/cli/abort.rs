//! `git rapid abort`.

use super::{args, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{self, rapid::Rapid};
use anstyle::AnsiColor;

/// Cancel the run and forget the session
#[derive(clap::Args)]
pub struct Args {
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = verbs::abort::abort(&rapid, args.run.run.as_ref(), &args.reason)?;
    shared::spooled(ui, &rapid);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", done.run_id.as_ref().into()),
        ("cancelled", done.cancelled.into()),
        ("kept_worktree", done.kept_worktree.as_ref().map(|(path, _)| path).into()),
    ]));
    if done.run_id.is_none() {
        ui.marked("forgotten", AnsiColor::Yellow, "the session could not be read; no run was changed");
        ui.line("  see 'git rapid run list', and name a run with --run");
    }
    if let Some(id) = &done.run_id {
        let words = if done.cancelled { "was cancelled" } else { "was over already; the session is forgotten" };
        ui.marked("aborted", AnsiColor::Yellow, format!("run {id} {words}"));
    }
    if let Some(path) = &done.removed_worktree {
        ui.line(format!("  its worktree {path} held nothing more and was removed; its branch stays"));
    }
    if let Some(path) = &done.gone_worktree {
        ui.line(format!("  its worktree {path} was gone already; its branch stays, as it was last committed"));
    }
    if let Some((path, why)) = &done.kept_worktree {
        ui.line(format!("  {why}"));
        ui.line(format!("  look at {path}, then remove it with: git worktree remove {path}"));
    }
    Ok(0)
}
