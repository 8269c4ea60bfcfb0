//! `git rapid eval list`.

use crate::cli::{
    args,
    speak::{Table, Ui},
};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{
    evaluate::{Stored, stored},
    rapid::Rapid,
};

/// What is listed.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let (run, reports) = stored(&Rapid::open(environment)?, args.run.run.as_ref())?;
    let listed = reports.iter().map(|stored| mark(stored).with("summary", stored.report.summary()));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&run).into()),
        ("reports", Value::list(listed)),
    ]));
    if reports.is_empty() {
        ui.line(format!("run {run} has no report yet"));
    }
    let mut table = Table::default();
    for stored in &reports {
        let number = format!("{:04}", stored.ordinal);
        let state = format!("s{}", stored.report.state_revision);
        let rules = format!("ruleset {}", stored.report.ruleset.number());
        let mark = if stored.stale.is_some() { "STALE" } else { "CURRENT" };
        let digest = stored.report.digest().to_string();
        table.row([
            &number,
            &state,
            &rules,
            stored.report.verdict().as_str(),
            mark,
            digest.get(..12).unwrap_or(&digest),
        ]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    Ok(0)
}

/// What there is to say about a report beside what it says.
pub(super) fn mark(stored: &Stored) -> Value {
    Value::object([
        ("revision", stored.ordinal.into()),
        ("state_revision", stored.report.state_revision.into()),
        ("ruleset_version", i64::from(stored.report.ruleset.number()).into()),
        ("verdict", stored.report.verdict().into()),
        ("stale", stored.stale.is_some().into()),
        ("stale_reason", stored.stale.as_ref().map(|why| &why.message).into()),
        ("report_digest", stored.report.digest().into()),
    ])
}
