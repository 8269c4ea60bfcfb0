//! `git rapid expunge`: shows what is removed, asks, removes, and says what still holds it.

use super::{args, speak::Ui};
use crate::approval;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    expunged::{Expunged, Removed},
    json::Value,
};
use crate::os::environment::Environment;
use crate::registry::Place;
use crate::verbs::{
    expunge::{Outcome, Request, decide, prepare, sentence},
    rapid::Rapid,
};
use anstyle::AnsiColor;

/// Remove a log, an artifact or a tree from the attachments, as a person in a terminal
///
/// The records keep its digest, and a record of its own says what was removed, why, and by whom. Every clone that syncs removes
/// it too. It cannot be undone.
#[derive(clap::Args)]
pub struct Args {
    /// A piece of evidence (E003: all that was kept with it), or one file or tree (evidence/RUN/E003/log)
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<String>,
    /// Why
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    if args.reason.trim().is_empty() {
        return Err(Code::Rapid001.because("say why").hint("give --reason '…'"));
    }
    let request = Request { run: args.run.run, named: args.records, reason: args.reason };
    let rapid = Rapid::open(environment)?;
    approval::require_person(environment)?;
    let found = prepare(&rapid, &request)?;
    ui.line("this removes, in this clone and in every one that syncs with it:");
    found.iter().for_each(|record| ui.line(format!("  {}", told(record))));
    if let Some(record) = found.first() {
        ui.line(format!("  reason: {}", record.reason));
    }
    let _ = ui.end();
    let sentence = sentence(&request);
    let done = decide(&rapid, &request, &format!("Type '{sentence}' to remove it, anything else to leave it: "))?;
    ui.document(&document(&done));
    for record in &done.records {
        ui.marked("expunged", AnsiColor::Green, told(record));
        let place = Place::Expunged(record.run_id.clone(), record.file_name());
        ui.line(format!("  recorded as {}", place.path()));
    }
    tell_rest(ui, &done);
    Ok(0)
}

fn told(record: &Expunged) -> String {
    match &record.removed {
        Removed::File(digest) => format!("{} (sha256 {digest})", record.path),
        Removed::Tree(Some(id)) => format!("{} ({})", record.path, id.as_str()),
        Removed::Tree(None) => record.path.to_string(),
    }
}

fn document(done: &Outcome) -> Value {
    let records = done.records.iter().map(|record| {
        let place = Place::Expunged(record.run_id.clone(), record.file_name());
        Value::object([("path", place.path().into()), ("record", record.to_value())])
    });
    Value::object([
        ("schema_version", 1.into()),
        ("entry", done.entry.to_string().into()),
        ("expunged", Value::list(records)),
        ("removed_here", done.removed.len().into()),
        ("same_bytes", Value::list(&done.same)),
        ("remotes", Value::list(&done.remotes)),
    ])
}

/// What still holds the bytes, and what to do about it.
fn tell_rest(ui: &mut Ui, done: &Outcome) {
    match done.removed.is_empty() {
        true => ui.line("  it was not in this clone"),
        false => {
            ui.line("no ref and no reflog of the ledger names the bytes any more. What may still hold them:");
            ui.line("  this clone, as objects that nothing names, until: git gc --prune=now");
        }
    }
    for remote in &done.remotes {
        ui.line(format!("  the remote '{remote}', if it was pushed there, until: git rapid push {remote}"));
        ui.line("    (a server keeps what nothing names until its own housekeeping: ask whoever runs it)");
    }
    ui.line("  other clones, each until it runs: git rapid sync, then git gc --prune=now");
    for path in &done.same {
        ui.line(format!("  the same bytes are still kept as {path}: expunge that too"));
    }
}
