//! `git rapid evidence log`: the captured output of a check; made harmless for a terminal, byte for byte for anything else.

use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::{ids::EvidenceId, json::Value};
use crate::os::environment::Environment;
use crate::verbs::{evidence, rapid::Rapid};

/// What is printed.
#[derive(clap::Args)]
pub struct Args {
    /// The piece of evidence, like E001
    id: String,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = EvidenceId::parse(&args.id)?;
    let rapid = Rapid::open(environment)?;
    let (item, artifact, bytes) = evidence::log(&rapid, args.run.run.as_ref(), &id)?;
    ui.page(|| rapid.repository().pager(), environment);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&item.run_id).into()),
        ("evidence_id", (&item.id).into()),
        ("path", (&artifact.path).into()),
        ("sha256", artifact.sha256.into()),
        ("size_bytes", artifact.size_bytes.into()),
        ("text", String::from_utf8_lossy(&bytes).into_owned().into()),
    ]));
    ui.foreign(&bytes);
    Ok(0)
}
