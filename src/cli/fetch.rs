//! `git rapid fetch`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::ledger::Merged;
use crate::os::environment::Environment;
use crate::verbs::{rapid::Rapid, sync};

/// Bring a remote's ledger, verify it, and join it
#[derive(clap::Args)]
pub struct Args {
    /// The remote; that of the current branch, or origin, when left out
    remote: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = sync::fetch(&rapid, args.remote.as_deref())?;
    let (word, words) = match &done.merged {
        None => ("none", format!("'{}' has no ledger yet", done.remote)),
        Some(Merged::UpToDate) => ("up_to_date", format!("'{}' has nothing new", done.remote)),
        Some(Merged::FastForward(tip)) => (
            "fast_forward",
            format!("the ledger of '{}' was verified and brought; newest entry {}", done.remote, tip.short()),
        ),
        Some(Merged::Joined(tip)) => (
            "joined",
            format!("the ledger of '{}' was verified and joined with this one in entry {}", done.remote, tip.short()),
        ),
        Some(Merged::Conflict(_)) => ("diverged", format!("the ledger of '{}' has diverged", done.remote)),
    };
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("remote", (&done.remote).into()),
        ("result", word.into()),
        ("tip", done.tip.map(|tip| tip.to_string()).into()),
    ]));
    ui.line(words);
    Ok(0)
}
