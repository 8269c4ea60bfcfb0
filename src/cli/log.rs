//! `git rapid log`.

use super::{
    args, shared,
    speak::{Graph, Table, Ui, moment},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, moment::seconds_of, quantity};
use crate::git::Oid;
use crate::os::{clock, environment::Environment, terminal};
use crate::verbs::{
    log::{Filter, Request, Seen, log},
    rapid::Rapid,
    show::Entry,
};
use anstyle::AnsiColor;

/// How many entries share the widths of their columns.
const PAGE: usize = 500;

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
    /// Only entries until then, written like --since
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// At most this many
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    /// Draw what follows what, where the ledgers of several clones came together
    #[arg(long)]
    graph: bool,
    /// Print one JSON document for each entry, each on a line of its own, as they are found
    #[arg(long, conflicts_with = "json")]
    json_lines: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let (since, until) = (args.since.as_deref().map(when).transpose()?, args.until.as_deref().map(when).transpose()?);
    let filter = Filter { run: args.run, actor: args.actor, verb: args.verb, since, until };
    let rapid = Rapid::open(environment)?;
    let waiting = shared::waiting(ui, &rapid)?;
    ui.page(|| rapid.repository().pager(), environment);
    let waits = |entry: &Entry| waiting.iter().any(|waiting| waiting.made.ledger == Some(entry.info.id));
    let limit = args.limit.unwrap_or(usize::MAX);
    let documents = args.json.json || args.json_lines;
    let request = Request { filter, limit, graph: args.graph, records: documents };
    if args.json_lines {
        ui.keep_output_for_raw();
    }
    let mut listed = Vec::new();
    let mut voice = Voice { table: Table::default(), graph: Graph::new(!terminal::takes_utf8(environment)) };
    let seen = log(&rapid, &request, &mut |entry, parents| {
        let spooled = waits(&entry);
        let document = || document(&entry).with_some("spooled", spooled.then_some(true));
        match () {
            () if args.json_lines => ui.document_line(&document().with("schema_version", 1)),
            () if args.json.json => listed.push(document()),
            () if args.graph => voice.draw(ui, &entry, parents, spooled),
            () => voice.list(ui, &entry, spooled),
        }
        ui.goes_on()
    })?;
    voice.flush(ui);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("entries", Value::list(listed)),
        ("cut", Value::list(seen.cut.iter().map(ToString::to_string))),
    ]));
    for id in &seen.cut {
        ui.line(format!("what lies behind {} is not here: this clone is shallow there", id.short()));
        ui.line("  bring it: git fetch --unshallow, then git rapid fetch");
    }
    if seen.told == 0 && limit > 0 {
        ui.note(&none_fits(&request.filter, &seen));
    }
    Ok(0)
}

/// How entries are told to people.
struct Voice {
    table: Table,
    graph: Graph<Oid>,
}

impl Voice {
    fn list(&mut self, ui: &mut Ui, entry: &Entry, spooled: bool) {
        let info = &entry.info;
        self.table.row([&info.id.short(), &minute(entry), &info.author, &subject(entry, spooled)]);
        if self.table.count() >= PAGE {
            self.flush(ui);
        }
    }

    fn flush(&mut self, ui: &mut Ui) {
        std::mem::take(&mut self.table).lines().iter().for_each(|line| ui.line(line));
    }

    fn draw(&mut self, ui: &mut Ui, entry: &Entry, parents: &[Oid], spooled: bool) {
        let (row, link) = self.graph.row(entry.info.id, parents);
        let info = &entry.info;
        let words = format!("{}  {}  {}  {}", info.id.short(), minute(entry), info.author, subject(entry, spooled));
        ui.marked(&row, AnsiColor::Cyan, words.replace('\n', " "));
        if let Some(link) = link {
            ui.marked(&link, AnsiColor::Cyan, "");
        }
    }
}

fn minute(entry: &Entry) -> String {
    let day = moment(entry.info.seconds);
    day.get(..16).unwrap_or(&day).to_owned()
}

fn subject(entry: &Entry, spooled: bool) -> String {
    format!("{}{}", if spooled { "spooled: " } else { "" }, entry.info.subject)
}

/// Why nothing is shown.
fn none_fits(filter: &Filter, seen: &Seen) -> String {
    let writers = seen.writers.iter().cloned().collect::<Vec<_>>().join(", ");
    match &filter.actor {
        _ if filter.since.is_some_and(|since| since > clock::now_seconds()) => {
            "no entry fits: --since lies in the future".to_owned()
        }
        Some(actor) if !writers.is_empty() => {
            format!("no entry fits; nobody who writes here has '{actor}' in the name or address: {writers}")
        }
        _ => "no entry fits".to_owned(),
    }
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
