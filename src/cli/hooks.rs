//! `git rapid hooks`: puts the git hooks beside those that are there, takes them out, says how they stand.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::hooks::{
    Set,
    install::{self, Standing, State},
};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;
use anstyle::AnsiColor;

/// Install, remove or look at the git hooks of this repository; those that are there keep running
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Put the hooks beside those that are there
    Install(Install),
    /// Take them out; what was there before is there again, byte for byte
    Uninstall(args::Json),
    /// Say how each hook stands; 1 when one is missing
    Status(args::Json),
}

#[derive(clap::Args)]
struct Install {
    /// The hooks of a server that others push to (as in a bare repository)
    #[arg(long)]
    server: bool,
    /// On a server: a branch, or a pattern of branches, that gets only what a passing run covers
    #[arg(long, value_name = "PATTERN")]
    protect: Vec<String>,
    /// Also guard the ledger ref of this clone against rewinds and deletion, on every move of a ref
    #[arg(long, conflicts_with = "server")]
    guard_ledger: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    match args.command {
        Command::Install(asked) => {
            let set = match (asked.server, asked.guard_ledger) {
                (true, _) => Set::Server,
                (_, true) => Set::Guarded,
                _ => install::usual(&rapid)?,
            };
            let standings = install::install(&rapid, set, &asked.protect)?;
            let done = tell(ui, &standings);
            for file in install::files_of_the_project(&rapid, &standings) {
                ui.line(format!("{file} is a file of the project: commit it, so that everybody has the hook"));
            }
            of_this_clone(ui, &rapid)?;
            Ok(done)
        }
        Command::Status(_) => Ok(tell(ui, &install::status(&rapid, install::usual(&rapid)?)?)),
        Command::Uninstall(_) => {
            let changed = install::uninstall(&rapid)?;
            ui.document(&Value::object([("schema_version", 1.into()), ("changed", Value::list(&changed))]));
            for what in &changed {
                ui.line(what);
            }
            if changed.is_empty() {
                ui.line("no hook of git-rapid is installed here");
            }
            Ok(0)
        }
    }
}

fn tell(ui: &mut Ui, standings: &[Standing]) -> i32 {
    let ok = standings.iter().all(|standing| standing.state == State::Installed);
    ui.document(&Value::object([("schema_version", 1.into()), ("ok", ok.into()), ("hooks", values(standings))]));
    for standing in standings {
        let colour = if standing.state == State::Installed { AnsiColor::Green } else { AnsiColor::Yellow };
        ui.marked(standing.state.as_str(), colour, line(standing));
    }
    if !ok {
        ui.line("git rapid hooks install");
    }
    i32::from(!ok)
}

/// Names what is in the working copy and must stay in this clone.
pub(super) fn of_this_clone(ui: &mut Ui, rapid: &Rapid) -> Result<()> {
    for file in install::files_of_this_clone(rapid)? {
        ui.line(format!("{file} names a file of this clone alone: git leaves it out here, do not commit it"));
    }
    Ok(())
}

/// A hook in one line.
pub(super) fn line(standing: &Standing) -> String {
    format!("{}: {} ({})", standing.moment, standing.path.display(), standing.keeper.as_str())
}

/// The hooks as documents hold them.
pub(super) fn values(standings: &[Standing]) -> Value {
    Value::list(standings.iter().map(|standing| {
        Value::object([
            ("name", standing.moment.as_str().into()),
            ("state", standing.state.as_str().into()),
            ("keeper", standing.keeper.as_str().into()),
            ("path", standing.path.display().to_string().into()),
        ])
    }))
}
