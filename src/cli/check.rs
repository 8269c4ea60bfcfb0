//! `git rapid check`.

use super::{args, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::{evidence::UNRESOLVED, ids::GateId, json::Value};
use crate::os::environment::Environment;
use crate::verbs::{
    check::{Binding, CHANGED, CheckOutcome, Checked, Request, check},
    rapid::Rapid,
};
use anstyle::AnsiColor;
use std::path::PathBuf;
use std::time::Duration;

/// Run a command on the code as it is, and record what it shows
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// Bind it to this task (can be repeated)
    #[arg(long, value_name = "ID")]
    task: Vec<String>,
    /// Bind it to this gate (can be repeated)
    #[arg(long, value_name = "ID")]
    gate: Vec<String>,
    /// The command is meant to fail: it shows the fault of a task
    #[arg(long, value_name = "fail", value_parser = ["fail"])]
    expect: Option<String>,
    /// Run it in a fresh worktree of exactly this code
    #[arg(long)]
    clean: bool,
    /// End it after this long, like 30s or 5m
    #[arg(long, value_name = "DURATION", value_parser = args::duration)]
    timeout: Option<Duration>,
    /// Count the tests in the JUnit XML that the command writes here, a file or a directory
    #[arg(long, value_name = "PATH")]
    junit: Option<PathBuf>,
    /// What to call it
    #[arg(long)]
    label: Option<String>,
    #[command(flatten)]
    json: args::Json,
    /// The command; the contract's test command when left out
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

/// The exit status when nothing could be recorded (cli.md).
const NOT_RECORDED: i32 = 125;

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let checked = request(args).and_then(|request| {
        let rapid = Rapid::open(environment)?;
        let checked = check(&rapid, &request, &mut |bytes| ui.live(bytes))?;
        Ok((rapid, checked))
    });
    match checked {
        Ok((rapid, checked)) => {
            shared::spooled(ui, &rapid);
            ui.document(&document(&checked).with("schema_version", 1));
            tell(ui, &checked);
            Ok(checked.exit_code())
        }
        Err(error) => {
            ui.failure(&error);
            Ok(NOT_RECORDED)
        }
    }
}

fn request(args: Args) -> Result<Request> {
    let tasks = args.task.iter().map(|id| args::task(id)).collect::<Result<Vec<_>>>()?;
    let gates = args.gate.iter().map(|id| GateId::parse(id)).collect::<Result<Vec<_>>>()?;
    let binding = match (tasks.is_empty(), gates.is_empty()) {
        (true, true) => Binding::Fitting,
        _ => Binding::Exactly(tasks, gates),
    };
    Ok(Request {
        run: args.run.run,
        command: (!args.command.is_empty()).then_some(args.command),
        binding,
        expects_failure: args.expect.is_some(),
        clean: args.clean,
        timeout: args.timeout,
        label: args.label,
        junit: args.junit,
        defined_at: None,
    })
}

/// A check as `check --json` prints it (cli.md).
pub fn document(checked: &Checked) -> Value {
    let (evidence, seen) = (&checked.evidence, &checked.observation);
    let log = evidence.artifacts.first();
    Value::object([
        ("run_id", (&checked.run_id).into()),
        ("evidence_id", (&evidence.id).into()),
        ("kind", evidence.payload.kind().into()),
        ("producer", evidence.producer.to_string().into()),
        ("outcome", checked.outcome.as_str().into()),
        ("reason", seen.reason().into()),
        ("exit_code", seen.ran.ended.exit_code().into()),
        ("counted", seen.ran.summary.counted.into()),
        ("test_command", seen.test_command.into()),
        ("passed", seen.ran.summary.counts.passed.into()),
        ("failed", seen.ran.summary.counts.failed.into()),
        ("skipped", seen.ran.summary.counts.skipped.into()),
        ("runner", seen.ran.summary.runner.map(|runner| runner.as_str()).into()),
        ("tree", seen.facts.tree.as_ref().into()),
        ("tree_changed", seen.facts.tree_changed.into()),
        ("changed", Value::list(&seen.changed)),
        (
            "log",
            Value::object([
                ("sha256", log.map(|log| Value::from(log.sha256)).into()),
                ("size_bytes", log.map(|log| log.size_bytes).into()),
                ("truncated", seen.ran.truncated.into()),
                ("redactions", seen.ran.redactions.into()),
            ]),
        ),
        ("duration_ms", seen.ran.duration_ms.into()),
        (
            "bound",
            Value::object([
                ("task_ids", Value::list(&evidence.task_ids)),
                ("gate_ids", Value::list(&evidence.gate_ids)),
            ]),
        ),
    ])
}

/// Says what a check showed.
pub fn tell(ui: &mut Ui, checked: &Checked) {
    let (evidence, seen) = (&checked.evidence, &checked.observation);
    let (mark, colour) = match checked.outcome {
        CheckOutcome::Unverified if seen.facts.expects_failure && seen.doubt.is_some() => {
            ("unverified", AnsiColor::Yellow)
        }
        _ if seen.facts.expects_failure && seen.ran.ended.exit_code() != 0 => ("failed as expected", AnsiColor::Green),
        _ if seen.facts.expects_failure => ("did not fail", AnsiColor::Red),
        CheckOutcome::Pass => ("pass", AnsiColor::Green),
        CheckOutcome::Fail => ("fail", AnsiColor::Red),
        CheckOutcome::Unverified => ("unverified", AnsiColor::Yellow),
    };
    let bound: Vec<String> = evidence
        .task_ids
        .iter()
        .map(ToString::to_string)
        .chain(evidence.gate_ids.iter().map(ToString::to_string))
        .collect();
    let bound = if bound.is_empty() { "bound to nothing".to_owned() } else { format!("for {}", bound.join(", ")) };
    ui.marked(mark, colour, format!("{} {bound}: {}", evidence.id, evidence.summary));
    if seen.facts.tree_changed {
        ui.line(format!("  {CHANGED}: {}", some(&seen.changed)));
        ui.line("  commit or ignore what the command writes, then run it again");
    }
    if let Some(doubt) = &seen.doubt {
        ui.line(format!("  {}", doubt.words()));
        ui.line(format!("  {}", doubt.hint()));
    }
    if let Some(words) = seen.shown() {
        ui.line(format!("  {words}"));
    }
    let unknown = seen.facts.definition.iter().flatten().filter_map(|(part, _)| part.strip_prefix(UNRESOLVED));
    let unknown: Vec<String> = unknown.map(str::to_owned).collect();
    if !unknown.is_empty() {
        ui.line(format!(
            "  what the test command runs is not resolved, so a change of it is not seen: {}",
            some(&unknown)
        ));
    }
    if let Some((before, less)) = seen.facts.tests.as_ref().and_then(|tests| tests.against.as_ref()) {
        for (names, what) in [(&less.lost, "lost"), (&less.newly_skipped, "newly skipped")] {
            if !names.is_empty() {
                ui.line(format!("  tests {what} since the baseline ({before}): {}", names.some(10)));
            }
        }
    }
    if !seen.facts.notes.unfilled_submodules.is_empty() {
        ui.line(format!(
            "  submodules that were empty there (their commit is not in this clone): {}",
            some(&seen.facts.notes.unfilled_submodules)
        ));
    }
    shared::left_out(ui, &seen.withheld);
    if seen.ran.redactions > 0 {
        ui.line(format!("  secrets taken out of the log: {}", seen.ran.redactions));
    }
    if checked.activated {
        ui.line("  the baseline is met: the run is active");
    }
}

/// A few of many names.
pub fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(5);
    let first = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}
