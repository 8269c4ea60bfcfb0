//! `git rapid summary`.

use super::{args, speak::Ui};
use crate::check::summary::{Input, Outcome, recognise};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use anstyle::AnsiColor;

/// The largest output that is read, in bytes.
const CAP: u64 = 64 << 20;

/// Say what 'check' would read out of this captured output
#[derive(clap::Args)]
pub struct Args {
    /// The output; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The status that the command ended with
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    exit_code: i32,
    #[command(flatten)]
    json: args::Json,
    /// The command that printed it
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let output = args::read_input(&args.file, environment, CAP)?;
    let input = Input { output: &output, exit_code: args.exit_code, command: &args.command, truncated: false };
    let summary = recognise(&input);
    let counts = summary.counts;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("counted", summary.counted.into()),
        ("runner", summary.runner.map(|runner| runner.as_str()).into()),
        ("passed", counts.passed.into()),
        ("failed", counts.failed.into()),
        ("skipped", counts.skipped.into()),
        ("outcome", summary.outcome.as_str().into()),
        ("reason", (&summary.reason).into()),
    ]));
    let colour = match summary.outcome {
        Outcome::Pass => AnsiColor::Green,
        Outcome::Fail => AnsiColor::Red,
        Outcome::Unverified => AnsiColor::Yellow,
    };
    let runner = summary.runner.map_or("no known runner", |runner| runner.as_str());
    let counted = if summary.counted { "counted" } else { "not counted" };
    ui.marked(summary.outcome.as_str(), colour, format!("{runner}, {counted}: {}", summary.reason));
    ui.line(format!("  passed {}, failed {}, skipped {}", counts.passed, counts.failed, counts.skipped));
    Ok(0)
}
