//! `git rapid eval run`.

use super::assertions;
use crate::cli::{args, shared, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{capability::Capability, contract::Ruleset};
use crate::os::environment::Environment;
use crate::verbs::{
    evaluate::{Request, require_pass, run as judge},
    rapid::Rapid,
};

/// What is judged, and how.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// By these rules; the contract's own when left out
    #[arg(long, value_name = "1|2|3|4", value_parser = clap::value_parser!(i64).range(1..=4))]
    ruleset: Option<i64>,
    /// Ask for this capability too (can be repeated)
    #[arg(long, value_name = "CAPABILITY")]
    require: Vec<String>,
    /// Keep the report in the ledger
    #[arg(long)]
    write: bool,
    /// Answer no unless the verdict is a pass
    #[arg(long)]
    require_pass: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let extra = args.require.iter().map(|id| Capability::parse(id, Code::Rapid1101)).collect::<Result<Vec<_>>>()?;
    let ruleset = args.ruleset.map(|number| Ruleset::parse(number, Code::Rapid001)).transpose()?;
    let request = Request { run: args.run.run, ruleset, extra, write: args.write };
    let done = judge(&Rapid::open(environment)?, &request)?;
    ui.document(&shared::report_value(&done.report).with("revision", done.stored));
    shared::verdict(ui, &done.report);
    assertions(ui, &done.report);
    if let Some(stored) = done.stored {
        ui.line(format!("  kept as report {stored:04}"));
    }
    if let Some(warning) = &done.warning {
        ui.diagnostic(warning);
    }
    match require_pass(&done.report) {
        Err(refusal) if args.require_pass => {
            ui.diagnostic(&refusal);
            Ok(1)
        }
        _ => Ok(0),
    }
}
