//! `git rapid push`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    sync::{self, Publication, Sent},
};

/// Send the ledger to a remote; never forced
#[derive(clap::Args)]
pub struct Args {
    /// The remote; rapid.remote, that of the current branch, or origin, when left out
    remote: Option<String>,
    /// Only say what would become public
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let done = sync::push(&rapid, args.remote.as_deref(), args.dry_run)?;
    let document = Value::object([
        ("schema_version", 1.into()),
        ("remote", (&done.remote).into()),
        ("tip", done.tip.to_string().into()),
        ("refs", Value::list(&done.refs)),
        ("dry_run", done.dry_run.is_some().into()),
        ("up_to_date", done.up_to_date.into()),
        ("material_refused", done.material_refused.as_ref().into()),
    ]);
    ui.document(&document.with_some("public", done.dry_run.as_ref().map(public)));
    tell(ui, &done);
    Ok(0)
}

/// Says what was sent, or would be.
pub fn tell(ui: &mut Ui, sent: &Sent) {
    let what = sent.refs.join(" and ");
    let (remote, tip) = (&sent.remote, sent.tip.short());
    match (&sent.dry_run, sent.up_to_date) {
        (Some(publication), false) => {
            ui.line(format!("would send {what} to '{remote}' (newest entry {tip})"));
            tell_public(ui, publication);
        }
        (_, true) => ui.line(format!("'{remote}' has this ledger already (newest entry {tip})")),
        _ => ui.line(format!("sent {what} to '{remote}' (newest entry {tip})")),
    }
    if let Some(kept) = &sent.kept_expunged {
        ui.diagnostic(kept);
    } else if let Some(why) = &sent.material_refused {
        ui.line(format!("the attachments were refused and stay here: {why}"));
    }
    if let (Some(publication), true) = (&sent.dry_run, sent.up_to_date) {
        tell_stays(ui, publication);
    }
}

fn tell_public(ui: &mut Ui, publication: &Publication) {
    ui.line(format!("entries that would become public: {}", publication.entries));
    for (subject, paths) in &publication.records {
        ui.line(format!("  {subject}: {} records", paths.len()));
        for path in paths {
            ui.line(format!("    {path}"));
        }
    }
    ui.line(format!("attachments that would become public: {}", counted(&publication.attachments)));
    for (path, size) in &publication.attachments {
        ui.line(format!("  {path} ({size} bytes)"));
    }
    tell_stays(ui, publication);
}

fn tell_stays(ui: &mut Ui, publication: &Publication) {
    ui.line(format!("attachments that stay here: {} (push.attachments)", counted(&publication.stays)));
    for (path, size) in &publication.stays {
        ui.line(format!("  {path} ({size} bytes)"));
    }
}

fn counted(pieces: &[(String, u64)]) -> String {
    format!("{}, {} bytes", pieces.len(), pieces.iter().map(|(_, size)| size).sum::<u64>())
}

fn public(publication: &Publication) -> Value {
    let pieces = |pieces: &[(String, u64)]| {
        let pieces =
            pieces.iter().map(|(path, size)| Value::object([("path", path.into()), ("size_bytes", (*size).into())]));
        Value::list(pieces)
    };
    let records = publication
        .records
        .iter()
        .map(|(subject, paths)| Value::object([("subject", subject.into()), ("paths", Value::list(paths))]));
    Value::object([
        ("entries", publication.entries.into()),
        ("records", Value::list(records)),
        ("attachments", pieces(&publication.attachments)),
        ("stays", pieces(&publication.stays)),
    ])
}
