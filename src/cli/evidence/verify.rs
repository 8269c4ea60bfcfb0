//! `git rapid evidence verify`.

use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{evidence, rapid::Rapid};
use anstyle::AnsiColor;

/// What is read again.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let seen = evidence::verify(&Rapid::open(environment)?, args.run.run.as_ref())?;
    let is_good = seen.findings.is_empty();
    let records = seen.run.evidence.iter().map(|item| {
        Value::object([
            ("id", (&item.id).into()),
            ("kind", item.payload.kind().into()),
            ("content_digest", item.digest().into()),
            ("artifacts", item.artifacts.len().into()),
        ])
    });
    let findings = seen.findings.iter().map(|finding| {
        Value::object([
            ("code", finding.code.as_str().into()),
            ("path", finding.path.as_ref().into()),
            ("message", (&finding.message).into()),
        ])
    });
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", seen.run.id().into()),
        ("ok", is_good.into()),
        ("record_count", seen.run.evidence.len().into()),
        ("evidence_set_digest", seen.set_digest.into()),
        ("records", Value::list(records)),
        (
            "attachments",
            Value::object([("present", seen.material.present.into()), ("missing", seen.material.missing.into())])
                .with_some("expunged", (!seen.expunged.is_empty()).then_some(seen.expunged.len())),
        ),
        ("findings", Value::list(findings)),
    ]));
    let count = format!("{} records of run {}, set {}", seen.run.evidence.len(), seen.run.id(), seen.set_digest);
    match is_good {
        true => ui.marked("good", AnsiColor::Green, count),
        false => ui.marked("not good", AnsiColor::Red, count),
    }
    let (here, missing) = (seen.material.present, seen.material.missing);
    ui.line(format!("  artifacts that are here and match: {here}; not in this clone: {missing}"));
    for record in &seen.expunged {
        ui.line(format!("  expunged: {} by {}: {}", record.path, record.by, record.reason));
    }
    for finding in &seen.findings {
        ui.diagnostic(finding);
    }
    Ok(i32::from(!is_good))
}
