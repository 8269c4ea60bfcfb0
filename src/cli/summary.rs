//! `git rapid summary`.

use super::{args, speak::Ui};
use crate::check::summary::{Counts, Outcome, Sighting, sightings};
use crate::check::{READ, read_captured, readable};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use anstyle::AnsiColor;
use std::path::PathBuf;

/// The largest output that is taken, in bytes; of one beyond what a check reads it is said that it does not count.
const CAP: u64 = 16 * READ as u64;

/// Say what 'check' would read out of this captured output
#[derive(clap::Args)]
pub struct Args {
    /// The output; '-' reads standard input
    #[arg(value_name = "FILE", required_unless_present = "junit")]
    file: Option<String>,
    /// Count the tests in this JUnit XML, a file or a directory, beside the output or instead of it
    #[arg(long, value_name = "PATH")]
    junit: Option<PathBuf>,
    /// The status that the command ended with
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(0..=255))]
    exit_code: i32,
    #[command(flatten)]
    json: args::Json,
    /// The command that printed it
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let output = args.file.map(|file| args::read_input(&file, environment, CAP)).transpose()?.unwrap_or_default();
    let junit = args.junit.map(|path| environment.cwd().join(path));
    let summary = read_captured(&output, args.exit_code, &args.command, junit.as_deref());
    let counts = summary.counts;
    let seen = sightings(readable(&output));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("counted", summary.counted.into()),
        ("runner", summary.runner.map(|runner| runner.as_str()).into()),
        ("passed", counts.passed.into()),
        ("failed", counts.failed.into()),
        ("skipped", counts.skipped.into()),
        ("outcome", summary.outcome.as_str().into()),
        ("reason", (&summary.reason).into()),
        ("seen", Value::List(seen.iter().map(document).collect())),
    ]));
    let colour = match summary.outcome {
        Outcome::Pass => AnsiColor::Green,
        Outcome::Fail => AnsiColor::Red,
        Outcome::Unverified => AnsiColor::Yellow,
    };
    let runner = summary.runner.map_or("no known runner", |runner| runner.as_str());
    let counted = if summary.counted { "counted" } else { "not counted" };
    ui.marked(summary.outcome.as_str(), colour, format!("{runner}, {counted}: {}", summary.reason));
    ui.line(format!("  {}", numbers(counts)));
    for one in &seen {
        ui.line(format!("  seen: {}", words(one)));
    }
    Ok(0)
}

fn numbers(counts: Counts) -> String {
    format!("passed {}, failed {}, skipped {}", counts.passed, counts.failed, counts.skipped)
}

/// What was seen, in words.
fn words(seen: &Sighting) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(seen.runner.map(|runner| runner.as_str().to_owned()));
    words.extend(seen.lines.map(|(first, last)| format!("in lines {first} to {last}")));
    words.extend(seen.counts.map(numbers));
    words.extend((!seen.what.is_empty()).then(|| seen.what.to_owned()));
    words.join(": ")
}

fn document(seen: &Sighting) -> Value {
    Value::object([
        ("runner", seen.runner.map(|runner| runner.as_str()).into()),
        ("first_line", seen.lines.map(|lines| lines.0 as u64).into()),
        ("last_line", seen.lines.map(|lines| lines.1 as u64).into()),
        ("passed", seen.counts.map(|counts| counts.passed).into()),
        ("failed", seen.counts.map(|counts| counts.failed).into()),
        ("skipped", seen.counts.map(|counts| counts.skipped).into()),
        ("what", seen.what.into()),
    ])
}
