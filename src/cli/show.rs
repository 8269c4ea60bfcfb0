//! `git rapid show`.

use super::{
    args, log, shared,
    speak::{Ui, moment},
};
use crate::diagnostics::Result;
use crate::domain::{digest::Digest, ids::GateId, json::Value};
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    show::{Entry, Moved, Record, Shown, show},
};
use anstyle::AnsiColor;
use similar::TextDiff;

/// Show an entry or a record of the ledger
#[derive(clap::Args)]
pub struct Args {
    /// An entry's id, a record's path, the id of a run, spec, mission, story or piece of evidence, or a commit that a run covers
    #[arg(value_name = "ENTRY|RECORD")]
    name: String,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let shown = show(&rapid, &args.name, !args.json.json)?;
    let waiting = shared::waiting(ui, &rapid)?;
    ui.page(|| rapid.repository().pager(), environment);
    if let Shown::Entry(entry) = &shown
        && waiting.iter().any(|waiting| waiting.made.ledger == Some(entry.info.id))
    {
        ui.beside("spooled", true.into());
        ui.line("spooled: it waits to be folded in, and will then have another id");
    }
    match shown {
        Shown::Entry(entry) => tell_entry(ui, &entry),
        Shown::Record(record) => tell_record(ui, &record),
    }
    Ok(0)
}

fn tell_entry(ui: &mut Ui, entry: &Entry) {
    ui.document(&log::document(entry).with("schema_version", 1));
    let info = &entry.info;
    ui.line(format!("entry {}", info.id));
    for parent in &info.parents {
        ui.line(format!("after {parent}"));
    }
    ui.line(format!("by    {}", info.author));
    ui.line(format!("at    {}", moment(info.seconds)));
    ui.line("");
    ui.line(format!("    {}", info.subject));
    ui.line("");
    entry.records.iter().for_each(|path| ui.line(path));
    if info.parents.len() > 1 {
        ui.line(match entry.records.is_empty() {
            true => "a merge: it adds nothing of its own",
            false => "a merge that decided about what had diverged: kept/ stands, aside/ was set aside",
        });
    }
}

fn tell_record(ui: &mut Ui, record: &Record) {
    let text = String::from_utf8_lossy(&record.bytes);
    let change = record.before.as_ref().zip(record.value.as_ref()).map(|((path, before), value)| {
        let (old, new) = (before.pretty(), value.pretty());
        let difference = TextDiff::from_lines(old.as_str(), new.as_str());
        difference.unified_diff().context_radius(1).header(path, &record.path).to_string()
    });
    let document = Value::object([
        ("schema_version", 1.into()),
        ("path", (&record.path).into()),
        ("sha256", Digest::of(&record.bytes).into()),
        ("size_bytes", record.bytes.len().into()),
        ("record", record.value.clone().unwrap_or_else(|| Value::Text(text.clone().into_owned()))),
    ]);
    let document = document.with_some("diff", change.as_ref());
    ui.document(&document.with_some("moved", record.moved.as_ref().map(moved)));
    ui.line(&record.path);
    match &record.value {
        Some(value) => ui.line(value.pretty().trim_end()),
        None => ui.line(text.trim_end()),
    }
    if let Some(change) = change {
        ui.line("");
        ui.line("what it changes of the record before:");
        ui.line(change.trim_end());
    }
    if let Some(moved) = &record.moved {
        let gates: Vec<&str> = moved.gates.iter().map(GateId::as_str).collect();
        ui.line("");
        ui.marked(
            "moved",
            AnsiColor::Yellow,
            format!("the code is not what was approved for {} ({})", gates.join(", "), moved.evidence),
        );
        ui.line(format!("  approved tree {}, now {}", moved.approved.short(), moved.now.short()));
        match &moved.shown {
            Some(shown) => ui.line(shown.trim_end()),
            None => ui.line("  the approved code is not in this clone, so what differs cannot be shown"),
        }
    }
}

fn moved(moved: &Moved) -> Value {
    let (diff, cut) = moved.patch.clone().unzip();
    Value::object([
        ("evidence", (&moved.evidence).into()),
        ("gates", Value::list(&moved.gates)),
        ("approved", (&moved.approved).into()),
        ("now", (&moved.now).into()),
        ("diff", diff.into()),
        ("cut", cut.into()),
    ])
}
