//! `git rapid evidence add|list|show|verify|log`.

mod add;
mod list;
mod log;
mod show;
mod verify;

use super::speak::Ui;
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::Subcommand;

/// Add and read evidence (plumbing)
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bind a document that somebody else wrote to a run
    Add(add::Args),
    /// List the evidence of a run
    List(list::Args),
    /// Show a piece of evidence
    Show(show::Args),
    /// Read the records of a run and what was kept with them again
    Verify(verify::Args),
    /// Print the log that was captured with a check
    Log(log::Args),
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Add(args) => add::run(args, environment, ui),
        Command::List(args) => list::run(args, environment, ui),
        Command::Show(args) => show::run(args, environment, ui),
        Command::Verify(args) => verify::run(args, environment, ui),
        Command::Log(args) => log::run(args, environment, ui),
    }
}
