//! `git rapid finish`.

use super::{
    args, shared,
    speak::{Ui, harmless},
};
use crate::diagnostics::Result;
use crate::domain::report::{Assertion, Category, Report, Status};
use crate::os::environment::Environment;
use crate::registry::Run;
use crate::verbs::{
    evaluate,
    finish::{Request, acceptance_sentence, finish},
    rapid::Rapid,
};

/// Close the run: record what changed, judge, write the report
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// A person accepts that the tests are others, or fewer, than at the baseline
    #[arg(long)]
    accept_test_command: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let request = Request { run: args.run.run, accept_test_command: args.accept_test_command };
    let done = finish(&rapid, &request, &question)?;
    let mut document = done.advice.action.to_value();
    document = document
        .with("verdict", done.report.verdict())
        .with("report", shared::report_value(&done.report))
        .with("revision", done.stored);
    let refusal = done.refusals.first().cloned().or_else(|| evaluate::require_pass(&done.report).err());
    if done.stored.is_none()
        && let Some(refusal) = &refusal
    {
        let error = crate::domain::json::Value::object([
            ("code", refusal.code.as_str().into()),
            ("message", (&refusal.message).into()),
            ("hint", refusal.hints.join("\n").into()),
        ]);
        document = document.with("error", error);
    }
    if done.stored.is_some() {
        shared::spooled(ui, &rapid);
    }
    ui.document(&document);
    match done.stored {
        Some(_) => shared::verdict(ui, &done.report),
        // That the run is not over follows from the rest, and is what was asked for.
        None => shared::standing(ui, &done.report, &unmet(&done.report)),
    }
    if let Some(stored) = done.stored {
        ui.line(format!("  report {stored:04} of run {}", done.run_id));
        shared::left_out(ui, &done.withheld);
        shared::next_action(ui, &done.advice.action);
        return Ok(0);
    }
    shared::left_out(ui, &done.withheld);
    ui.line("  nothing was written: the run stays open");
    for refusal in &done.refusals {
        ui.diagnostic(refusal);
    }
    if done.refusals.is_empty()
        && let Some(refusal) = &refusal
    {
        ui.diagnostic(refusal);
    }
    shared::next_action(ui, &done.advice.action);
    Ok(1)
}

/// What stands in the way, without what only follows from it.
fn unmet(report: &Report) -> Vec<Assertion> {
    let open = report.assertions.iter().filter(|a| a.required && a.status != Status::Pass);
    open.filter(|assertion| assertion.category != Category::Lifecycle).cloned().collect()
}

fn question(run: &Run, loss: Option<&str>) -> String {
    let loss = loss.map(|loss| format!("  {}\n", harmless(loss))).unwrap_or_default();
    format!(
        "The tests of run {} are not those of its baseline.\n{loss}Type '{}' to accept them as they are, anything else to leave it: ",
        run.id(),
        acceptance_sentence(run)
    )
}
