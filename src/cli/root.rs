//! The root of the command line: every command, in the order that help shows them.

use super::{
    abort, approve, attach, check, demo, fetch, finish, init, next, push, speak::Ui, start, status, sync, task, verify,
};
use super::{arch, harness, mcp, mission, summary, validate, version};
use super::{
    brief, cat, completions, doctor, eval, evidence, explain, export, expunge, hook, hooks, log, man, policy, run, show,
};
use super::{snapshot, spec, story};
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::{ColorChoice, Parser, Subcommand};

/// Govern agent work inside git: contracts, evidence bound to trees, human approvals, a verdict that anyone can replay
#[derive(Parser)]
#[command(name = "git-rapid", bin_name = "git rapid", version, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Root {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    Init(init::Args),
    Start(start::Args),
    Next(next::Args),
    Check(check::Args),
    Task(task::Args),
    Attach(attach::Args),
    Approve(approve::Args),
    Finish(finish::Args),
    Status(status::Args),
    Abort(abort::Args),
    Brief(brief::Args),
    Spec(Box<spec::Args>),
    Run(run::Args),
    Evidence(evidence::Args),
    Eval(eval::Args),
    Policy(policy::Args),
    Arch(arch::Args),
    Explain(explain::Args),
    Validate(validate::Args),
    Snapshot(snapshot::Args),
    Summary(summary::Args),
    Log(log::Args),
    Show(show::Args),
    Cat(cat::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
    Man(man::Args),
    Version(version::Args),
    Fetch(fetch::Args),
    Push(push::Args),
    Sync(sync::Args),
    Verify(verify::Args),
    Export(export::Args),
    Expunge(expunge::Args),
    Hooks(hooks::Args),
    Hook(hook::Args),
    Demo(demo::Args),
    Story(Box<story::Args>),
    Mission(Box<mission::Args>),
    Harness(harness::Args),
    Mcp(mcp::Args),
}

impl Command {
    /// Whether it may add to the ledger, so that housekeeping may be due when it has ended.
    pub fn writes(&self) -> bool {
        use Command::{
            Abort, Approve, Attach, Check, Eval, Evidence, Expunge, Fetch, Finish, Mission, Push, Run, Spec, Start,
            Story, Sync, Task,
        };
        matches!(
            self,
            Start(_)
                | Check(_)
                | Task(_)
                | Attach(_)
                | Approve(_)
                | Finish(_)
                | Abort(_)
                | Spec(_)
                | Run(_)
                | Evidence(_)
                | Eval(_)
                | Fetch(_)
                | Push(_)
                | Story(_)
                | Mission(_)
                | Sync(_)
                | Expunge(_)
        )
    }
}

/// Runs a command; returns its exit status.
pub fn run(command: Command, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match command {
        Command::Init(args) => init::run(args, environment, ui),
        Command::Start(args) => start::run(args, environment, ui),
        Command::Next(args) => next::run(args, environment, ui),
        Command::Check(args) => check::run(args, environment, ui),
        Command::Task(args) => task::run(args, environment, ui),
        Command::Attach(args) => attach::run(args, environment, ui),
        Command::Approve(args) => approve::run(args, environment, ui),
        Command::Finish(args) => finish::run(args, environment, ui),
        Command::Status(args) => status::run(args, environment, ui),
        Command::Abort(args) => abort::run(args, environment, ui),
        Command::Brief(args) => brief::run(args, environment, ui),
        Command::Spec(args) => spec::run(*args, environment, ui),
        Command::Run(args) => run::run(args, environment, ui),
        Command::Evidence(args) => evidence::run(args, environment, ui),
        Command::Eval(args) => eval::run(args, environment, ui),
        Command::Policy(args) => policy::run(args, environment, ui),
        Command::Arch(args) => arch::run(args, environment, ui),
        Command::Explain(args) => explain::run(args, environment, ui),
        Command::Validate(args) => validate::run(args, environment, ui),
        Command::Snapshot(args) => snapshot::run(args, environment, ui),
        Command::Summary(args) => summary::run(args, environment, ui),
        Command::Log(args) => log::run(args, environment, ui),
        Command::Show(args) => show::run(args, environment, ui),
        Command::Cat(args) => cat::run(args, environment, ui),
        Command::Doctor(args) => doctor::run(args, environment, ui),
        Command::Completions(args) => completions::run(args, environment, ui),
        Command::Man(args) => man::run(args, environment, ui),
        Command::Version(args) => version::run(args, environment, ui),
        Command::Fetch(args) => fetch::run(args, environment, ui),
        Command::Push(args) => push::run(args, environment, ui),
        Command::Sync(args) => sync::run(args, environment, ui),
        Command::Verify(args) => verify::run(args, environment, ui),
        Command::Export(args) => export::run(args, environment, ui),
        Command::Expunge(args) => expunge::run(args, environment, ui),
        Command::Hooks(args) => hooks::run(args, environment, ui),
        Command::Hook(args) => hook::run(args, environment, ui),
        Command::Demo(args) => demo::run(args, environment, ui),
        Command::Story(args) => Ok(story::run(*args, environment, ui)),
        Command::Mission(args) => mission::run(*args, environment, ui),
        Command::Harness(args) => harness::run(args, environment, ui),
        Command::Mcp(args) => mcp::run(args, environment, ui),
    }
}
