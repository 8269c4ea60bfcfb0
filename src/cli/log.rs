//! `git rapid log`.

use super::{
    args,
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
    let entries = log(&Rapid::open(environment)?, args.run.as_ref(), args.limit.unwrap_or(usize::MAX))?;
    let documents = entries.iter().map(document);
    ui.document(&Value::object([("schema_version", 1.into()), ("entries", Value::list(documents))]));
    let mut table = Table::default();
    for Entry { info, .. } in &entries {
        let day = moment(info.seconds);
        table.row([&info.id.short(), day.get(..16).unwrap_or(&day), &info.author, &info.subject]);
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
