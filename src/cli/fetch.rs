//! `git rapid fetch`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::ledger::Merged;
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    sync::{self, BRANCH, Fetched},
};

/// Bring a remote's ledger, verify it, and join it
#[derive(clap::Args)]
pub struct Args {
    /// The remote; rapid.remote, that of the current branch, or origin, when left out
    remote: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = sync::fetch(&rapid, args.remote.as_deref(), &[])?;
    let (word, words) = words(&done);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("remote", (&done.remote).into()),
        ("result", word.into()),
        ("tip", done.tip.map(|tip| tip.to_string()).into()),
        ("left_out", done.left_out.into()),
        ("on_branch", done.on_branch.then_some(BRANCH).into()),
    ]));
    ui.line(words);
    tell_left_out(ui, &done);
    Ok(0)
}

/// Says that a remote's material is not what records name.
pub fn tell_left_out(ui: &mut Ui, done: &Fetched) {
    if done.left_out > 0 {
        ui.line(format!(
            "  of the material of '{}', {} pieces are not what any record names: they were left out",
            done.remote, done.left_out
        ));
        ui.line("  somebody put them there; the proof holds without them (docs/sharing.md)");
    }
}

/// What a fetch did, as one word and as a sentence.
pub fn words(done: &Fetched) -> (&'static str, String) {
    let remote = &done.remote;
    match &done.merged {
        None if done.on_branch => (
            "none",
            format!(
                "'{remote}' has no ledger under refs/rapid/, but a branch for one; to use it: git config rapid.ref {BRANCH}"
            ),
        ),
        None => ("none", format!("'{remote}' has no ledger yet")),
        Some(Merged::UpToDate) => ("up_to_date", format!("'{remote}' has nothing new")),
        Some(Merged::FastForward(tip)) => {
            ("fast_forward", format!("the ledger of '{remote}' was verified and brought; newest entry {}", tip.short()))
        }
        Some(Merged::Joined(tip)) => (
            "joined",
            format!("the ledger of '{remote}' was verified and joined with this one in entry {}", tip.short()),
        ),
        Some(Merged::Decided(tip)) => (
            "decided",
            format!(
                "the ledger of '{remote}' was verified and joined with this one in entry {}; what was set aside lies below \
                 diverged/",
                tip.short()
            ),
        ),
        Some(Merged::Diverged(_)) => ("diverged", format!("the ledger of '{remote}' has diverged")),
    }
}
