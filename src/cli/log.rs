//! `git rapid log`.

use super::{
    args, shared,
    speak::{Table, Ui, moment},
};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    show::{Entry, log},
};

/// Show the ledger as a history, newest entry first
#[derive(clap::Args)]
pub struct Args {
    /// Only entries that added records of this run
    #[arg(long, value_name = "ID", value_parser = args::run_id)]
    run: Option<crate::domain::ids::RunId>,
    /// At most this many
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let entries = log(&rapid, args.run.as_ref(), args.limit.unwrap_or(usize::MAX))?;
    let waiting = shared::waiting(ui, &rapid)?;
    let waits = |entry: &Entry| waiting.iter().any(|waiting| waiting.made.ledger == Some(entry.info.id));
    let documents = entries.iter().map(|entry| document(entry).with_some("spooled", waits(entry).then_some(true)));
    ui.document(&Value::object([("schema_version", 1.into()), ("entries", Value::list(documents))]));
    let mut table = Table::default();
    for entry in &entries {
        let info = &entry.info;
        let mark = if waits(entry) { "spooled: " } else { "" };
        let day = moment(info.seconds);
        table.row([&info.id.short(), day.get(..16).unwrap_or(&day), &info.author, &format!("{mark}{}", info.subject)]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    Ok(0)
}

/// An entry as a document.
pub(super) fn document(entry: &Entry) -> Value {
    let info = &entry.info;
    Value::object([
        ("id", info.id.to_string().into()),
        ("parents", Value::list(info.parents.iter().map(ToString::to_string))),
        ("author", (&info.author).into()),
        ("seconds", info.seconds.into()),
        ("time", moment(info.seconds).into()),
        ("subject", (&info.subject).into()),
        ("verb", (&info.verb).into()),
        ("about", (&info.about).into()),
        ("records", Value::list(&entry.records)),
    ])
}
