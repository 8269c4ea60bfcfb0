//! `git rapid eval show`.

use super::assertions;
use crate::cli::{args, shared, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::os::environment::Environment;
use crate::verbs::{evaluate::stored, rapid::Rapid};

/// What is shown.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// The report's number; the newest when left out
    #[arg(long, value_name = "N")]
    revision: Option<u32>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let (run, reports) = stored(&Rapid::open(environment)?, args.run.run.as_ref())?;
    let wanted = match args.revision {
        None => reports.last(),
        Some(number) => reports.iter().find(|stored| stored.ordinal == number),
    };
    let found = wanted.ok_or_else(|| {
        let why = match args.revision {
            None => format!("run '{run}' has no report yet"),
            Some(number) => format!("run '{run}' has no report {number}"),
        };
        let hint = match reports.len() {
            0 => format!("write one: git rapid eval run --run {run} --write"),
            count => format!("its reports are 1 to {count}"),
        };
        Code::Rapid1228.because(why).hint(hint)
    })?;
    let document = shared::report_value(&found.report);
    ui.document(&document.with("revision", found.ordinal).with("stale", found.stale.is_some()));
    let mark = if found.stale.is_some() { "stale" } else { "current" };
    ui.line(format!("report {:04} of run {run}, {mark}, digest {}", found.ordinal, found.report.digest()));
    shared::verdict(ui, &found.report);
    assertions(ui, &found.report);
    if let Some(why) = &found.stale {
        ui.diagnostic(why);
    }
    Ok(0)
}
