//! `git rapid run create`.

use super::show::{document, tell};
use crate::cli::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{HarnessId, RunId, SpecId},
    policy::{Classification, Risk},
};
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    run::{Create, create},
    terms,
};
use anstyle::AnsiColor;

/// What is opened.
#[derive(clap::Args)]
pub struct Args {
    /// A spec that is ready
    #[arg(long, value_name = "ID")]
    spec: String,
    /// Its revision; the current one when left out
    #[arg(long, value_name = "N")]
    spec_revision: Option<u32>,
    /// The run's id; derived from the spec's when left out
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The agent's harness
    #[arg(long, value_name = "ID", default_value = "manual")]
    harness: String,
    /// Raise the classification to this: spike, bounded or architectural
    #[arg(long, value_name = "CLASS")]
    classification: Option<String>,
    /// Raise the risk to this: low, medium, high or critical
    #[arg(long, value_name = "RISK")]
    risk: Option<String>,
    /// Take the terms from HEAD even when .rapid/ differs in the working copy
    #[arg(long, value_name = "head", value_parser = ["head"])]
    terms: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let request = Create {
        spec: SpecId::parse(&args.spec)?,
        spec_revision: args.spec_revision,
        run_id: args.id.as_deref().map(RunId::parse).transpose()?,
        harness: HarnessId::parse(&args.harness)?,
        risk: args.risk.map(|word| Risk::parse(&word, Code::Rapid001)).transpose()?,
        classification: args.classification.map(|word| Classification::parse(&word, Code::Rapid001)).transpose()?,
        terms: if args.terms.is_some() { terms::Source::Head } else { terms::Source::Committed },
    };
    let run = create(&Rapid::open(environment)?, request)?;
    let state = run.state()?;
    ui.document(&document(&run, state));
    ui.marked("created", AnsiColor::Green, format!("run {}", run.id()));
    tell(ui, &run, state);
    Ok(0)
}
