//! `git rapid story`: a backlog that agents work. One file per subcommand; without one it is `run`.

mod daemon;
mod groom;
mod init;
mod run;
mod shared;
mod validate;

use super::speak::Ui;
use crate::os::environment::Environment;
use clap::Subcommand;

/// Work a backlog of Markdown stories with agents in roles, up to Done
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Args,
}

#[derive(Subcommand)]
enum Command {
    Run(Box<run::Args>),
    Validate(validate::Args),
    Init(init::Args),
    Groom(Box<groom::Args>),
    /// Say whether a run is at work
    Status(daemon::Args),
    /// Show what the run at work says, from the beginning
    Follow(daemon::Args),
    /// End the run that is at work
    Kill(daemon::Args),
}

/// Runs it. The exit codes are its own: 0 complete, 2 a story was given up, 3 stopped early, 1 could not run.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> i32 {
    let result = match args.command {
        None => run::run(args.run, environment, ui),
        Some(Command::Run(args)) => run::run(*args, environment, ui),
        Some(Command::Validate(args)) => validate::run(args, environment, ui),
        Some(Command::Init(args)) => init::run(args, environment, ui),
        Some(Command::Groom(args)) => groom::run(*args, environment, ui),
        Some(Command::Status(args)) => args.place(environment).and_then(|place| daemon::status(&place, ui)),
        Some(Command::Follow(args)) => args.place(environment).and_then(|place| daemon::follow(&place, ui)),
        Some(Command::Kill(args)) => args.place(environment).and_then(|place| daemon::kill(&place, ui)),
    };
    result.unwrap_or_else(|diagnostic| {
        ui.failure(&diagnostic);
        1
    })
}
