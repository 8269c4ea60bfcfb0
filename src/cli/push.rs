//! `git rapid push`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{rapid::Rapid, sync};

/// Send the ledger to a remote; never forced
#[derive(clap::Args)]
pub struct Args {
    /// The remote; that of the current branch, or origin, when left out
    remote: Option<String>,
    /// Only say what would be sent
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = sync::push(&rapid, args.remote.as_deref(), args.dry_run)?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("remote", (&done.remote).into()),
        ("tip", done.tip.to_string().into()),
        ("refs", Value::list(&done.refs)),
        ("dry_run", done.dry_run.into()),
        ("up_to_date", done.up_to_date.into()),
    ]));
    let what = done.refs.join(" and ");
    ui.line(match (done.up_to_date, done.dry_run) {
        (true, _) => format!("'{}' has this ledger already (newest entry {})", done.remote, done.tip.short()),
        (_, true) => format!("would send {what} to '{}' (newest entry {})", done.remote, done.tip.short()),
        _ => format!("sent {what} to '{}' (newest entry {})", done.remote, done.tip.short()),
    });
    Ok(0)
}
