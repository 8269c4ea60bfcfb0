//! `git rapid mission`: a plan of work packages, taken to its end by bounded steps. One file per kind of subcommand.

mod contract;
mod drive;
mod outside;
mod person;
mod plan;
mod shared;
mod status;

use super::speak::Ui;
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::Subcommand;

/// Take a plan of work packages to its end: bounded steps, a fresh checker, a person for what is critical
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plan(plan::Args),
    Next(outside::NextArgs),
    Result(outside::ResultArgs),
    /// Take exactly one step
    #[command(alias = "run-one-step")]
    Step(drive::Args),
    /// Take steps until the mission ends or has to stop, and say why
    #[command(alias = "run-bounded")]
    Run(drive::Args),
    /// Bring a mission whose work packages are all done to its end
    Complete(drive::Args),
    Contract(contract::Args),
    Status(status::Args),
    /// Say what the safety layer decides about each work package
    Evaluate(status::Args),
    Approve(person::ApproveArgs),
    Abort(person::AbortArgs),
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Plan(args) => plan::run(args, environment, ui),
        Command::Next(args) => outside::next(args, environment, ui),
        Command::Result(args) => outside::result(args, environment, ui),
        Command::Step(args) => drive::step(args, environment, ui),
        Command::Run(args) => drive::run(args, environment, ui),
        Command::Complete(args) => drive::complete(args, environment, ui),
        Command::Contract(args) => contract::run(args, environment, ui),
        Command::Status(args) => status::status(args, environment, ui),
        Command::Evaluate(args) => status::evaluate(args, environment, ui),
        Command::Approve(args) => person::approve(args, environment, ui),
        Command::Abort(args) => person::abort(args, environment, ui),
    }
}
