//! `git rapid evidence add`.

use crate::cli::{args, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use crate::verbs::{evidence, rapid::Rapid};
use anstyle::AnsiColor;

/// The largest evidence document that is read, in bytes.
const CAP: u64 = 1 << 20;

/// What is added.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// The document, as JSON: kind, producer, summary, payload, and what it speaks of; '-' reads standard input
    #[arg(long, value_name = "FILE")]
    input: String,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let document = args::read_input(&args.input, environment, CAP)?;
    let rapid = Rapid::open(environment)?;
    let run = rapid.run_id(args.run.run.as_ref())?;
    let file = environment.cwd().join(&args.input);
    let beside = if args.input == "-" { Some(environment.cwd()) } else { file.parent() };
    let evidence = evidence::add(&rapid, &run, &document, beside)?;
    shared::spooled(ui, &rapid);
    ui.document(&evidence.to_value());
    let about: Vec<String> = evidence.task_ids.iter().map(ToString::to_string).collect();
    let gates = evidence.gate_ids.iter().map(ToString::to_string);
    let about: Vec<String> = about.into_iter().chain(gates).collect();
    let about = if about.is_empty() { "bound to nothing".to_owned() } else { format!("for {}", about.join(", ")) };
    ui.marked("added", AnsiColor::Green, format!("{} {about}: {}", evidence.id, evidence.summary));
    Ok(0)
}
