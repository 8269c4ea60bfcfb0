//! `git rapid cat`: a record as bytes.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::{digest::Digest, json::Value};
use crate::os::environment::Environment;
use crate::verbs::{rapid::Rapid, show::cat};

/// Print a record of the ledger, or an artifact that a record names, byte for byte
#[derive(clap::Args)]
pub struct Args {
    /// The path, as 'log --json', 'show' and 'evidence show' print it
    path: String,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let bytes = cat(&Rapid::open(environment)?, &args.path)?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("path", (&args.path).into()),
        ("sha256", Digest::of(&bytes).into()),
        ("size_bytes", bytes.len().into()),
        ("text", std::str::from_utf8(&bytes).ok().into()),
    ]));
    ui.foreign(&bytes);
    Ok(0)
}
