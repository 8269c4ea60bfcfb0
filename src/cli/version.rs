//! `git rapid version`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::ledger::FORMAT;
use crate::os::environment::Environment;

/// Print the version
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(_: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let version = env!("CARGO_PKG_VERSION");
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("name", "git-rapid".into()),
        ("version", version.into()),
        ("ledger_format", FORMAT.trim_end().into()),
        ("rulesets", Value::list([1, 2, 3, 4])),
    ]));
    ui.line(format!("git-rapid {version}"));
    Ok(0)
}
