//! `git rapid eval run|list|show`.

mod list;
mod run;
mod show;

use super::speak::{Table, Ui};
use crate::diagnostics::Result;
use crate::domain::report::Report;
use crate::os::environment::Environment;
use clap::Subcommand;

/// Judge a run, and read the reports that were kept
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Judge a run by a ruleset; writes nothing unless asked to
    Run(run::Args),
    /// List the reports of a run, each asked again
    List(list::Args),
    /// Show a report of a run, asked again
    Show(show::Args),
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Run(args) => run::run(args, environment, ui),
        Command::List(args) => list::run(args, environment, ui),
        Command::Show(args) => show::run(args, environment, ui),
    }
}

/// Every assertion of a report, in words.
fn assertions(ui: &mut Ui, report: &Report) {
    ui.line(format!(
        "  ruleset {} ({}), state {}, evidence set {}",
        report.ruleset.number(),
        report.ruleset_digest,
        report.state_revision,
        report.evidence_set_digest
    ));
    let mut table = Table::default();
    for assertion in &report.assertions {
        let asked = if assertion.required { "required" } else { "optional" };
        let shown: Vec<&str> = assertion.evidence_ids.iter().map(|id| id.as_str()).collect();
        let reason = match shown.is_empty() {
            true => assertion.reason.clone(),
            false => format!("{} ({})", assertion.reason, shown.join(", ")),
        };
        table.row(["  ", assertion.status.as_str(), asked, assertion.id.as_str(), &reason]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
}
