//! `git rapid run create|list|show|status|task|gate`: runs by hand. People and agents use `start`, `task` and `approve`.

mod change;
mod create;
mod list;
mod show;

use super::speak::Ui;
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::Subcommand;

/// Create, read and move runs by hand (plumbing)
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Open a run: its contract and first state, without workspace, baseline or session
    Create(create::Args),
    /// List the runs
    List(list::Args),
    /// Show a run: contract, decision, tasks, gates
    Show(show::Args),
    /// Move a run: active, blocked, finished, failed or cancelled
    Status(change::Status),
    /// Move a task of a run: in_progress, blocked, done or skipped
    Task(change::Task),
    /// Acknowledge a machine gate of a run; human gates are decided by 'git rapid approve'
    Gate(change::Gate),
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Create(args) => create::run(args, environment, ui),
        Command::List(args) => list::run(args, environment, ui),
        Command::Show(args) => show::run(args, environment, ui),
        Command::Status(args) => args.run(environment, ui),
        Command::Task(args) => args.run(environment, ui),
        Command::Gate(args) => args.run(environment, ui),
    }
}
