//! `git rapid log`.

use super::{
    args, shared,
    speak::{Table, Ui, moment},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, moment::seconds_of, quantity};
use crate::os::{clock, environment::Environment};
use crate::verbs::{
    rapid::Rapid,
    show::{Entry, Filter, Log, log},
};

/// Show the ledger as a history, newest entry first
#[derive(clap::Args)]
pub struct Args {
    /// Only entries that added records of this run
    #[arg(long, value_name = "ID", value_parser = args::run_id)]
    run: Option<crate::domain::ids::RunId>,
    /// Only entries whose writer's name or address holds this
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Only entries that this verb wrote, like check or approve
    #[arg(long, value_name = "VERB")]
    verb: Option<String>,
    /// Only entries since then: a day (2026-05-17), a moment (2026-05-17T08:30:00Z), or so long ago (2h, 30d)
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// At most this many
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let since = args.since.as_deref().map(when).transpose()?;
    let filter = Filter { run: args.run, actor: args.actor, verb: args.verb, since };
    let rapid = Rapid::open(environment)?;
    let Log { entries, cut } = log(&rapid, &filter, args.limit.unwrap_or(usize::MAX))?;
    let waiting = shared::waiting(ui, &rapid)?;
    let waits = |entry: &Entry| waiting.iter().any(|waiting| waiting.made.ledger == Some(entry.info.id));
    let documents = entries.iter().map(|entry| document(entry).with_some("spooled", waits(entry).then_some(true)));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("entries", Value::list(documents)),
        ("cut", Value::list(cut.iter().map(ToString::to_string))),
    ]));
    let mut table = Table::default();
    for entry in &entries {
        let info = &entry.info;
        let mark = if waits(entry) { "spooled: " } else { "" };
        let day = moment(info.seconds);
        table.row([&info.id.short(), day.get(..16).unwrap_or(&day), &info.author, &format!("{mark}{}", info.subject)]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    for id in &cut {
        ui.line(format!("what lies behind {} is not here: this clone is shallow there", id.short()));
        ui.line("  bring it: git fetch --unshallow, then git rapid fetch");
    }
    Ok(0)
}

/// A moment as it may be typed (RAPID001).
fn when(text: &str) -> Result<i64> {
    if let Some(seconds) = seconds_of(text) {
        return Ok(seconds);
    }
    let ago = quantity::duration(text).map_err(|_| {
        Code::Rapid001
            .because(format!("'{}' is neither a day, a moment, nor so long ago", text.escape_debug()))
            .hint("write it like 2026-05-17, 2026-05-17T08:30:00Z, 2h or 30d")
    })?;
    Ok(clock::now_seconds().saturating_sub(i64::try_from(ago.as_secs()).unwrap_or(i64::MAX)))
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
