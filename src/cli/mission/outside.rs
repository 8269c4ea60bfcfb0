//! `git rapid mission next` and `result`: for an agent that git-rapid did not start.

use super::shared::{self, OfMission, answered, decided, show_decisions, waits_for};
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::mission::{ChildId, Event};
use crate::os::environment::Environment;
use crate::verbs::mission::journal::said;
use crate::verbs::mission::outside::{self, Next, Taken};
use anstyle::AnsiColor;

/// The largest answer that is read, in bytes.
const CAP: u64 = 1 << 20;

/// Print the contract of the next child, for an agent outside
#[derive(clap::Args)]
pub struct NextArgs {
    #[command(flatten)]
    of: OfMission,
    /// Begin one more, also while others are at work
    #[arg(long)]
    another: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Hand the answer of a child back
#[derive(clap::Args)]
pub struct ResultArgs {
    #[command(flatten)]
    of: OfMission,
    /// The child
    #[arg(long, value_name = "ID")]
    child: String,
    /// Its answer as JSON; - for standard input
    #[arg(long, value_name = "FILE")]
    input: String,
    #[command(flatten)]
    json: args::Json,
}

/// `mission next`.
pub fn next(args: NextArgs, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let told = &mut |line: &str| ui.note(&format!("{line}\n"));
    let (mission, next) = outside::next(&site, args.of.mission.as_ref(), args.another, told)?;
    let of = Value::object([("schema_version", 1.into()), ("mission", mission.id().into())]);
    match next {
        Next::Child(id, contract, deadline) => {
            let of = of.with("child", &id).with("stop", Value::Null).with("deadline", deadline);
            let of = of.with("why", Value::Null).with("waits_for", Value::list(Vec::<Value>::new()));
            ui.document(&of.with("contract", contract.clone()));
            ui.line(contract.pretty().trim_end());
            ui.line(format!("then: {}", answered(&id)));
        }
        Next::Stopped(stop) => {
            let of = of.with("child", Value::Null).with("stop", stop).with("deadline", Value::Null);
            let of = of.with("why", mission.why()).with("waits_for", waits_for(&mission));
            ui.document(&of.with("contract", Value::Null));
            let why = mission.why().map(|why| format!(": {why}")).unwrap_or_default();
            ui.marked(stop.as_str(), AnsiColor::Yellow, format!("mission {}{why}", mission.id()));
            show_decisions(ui, &mission);
        }
    }
    Ok(0)
}

/// `mission result`.
pub fn result(args: ResultArgs, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let id = ChildId::parse(&args.child)?;
    let bytes = args::read_input(&args.input, environment, CAP)?;
    let told = &mut |line: &str| ui.note(&format!("{line}\n"));
    let (mission, taken) = outside::result(&site, args.of.mission.as_ref(), &id, &bytes, told)?;
    let (word, event) = match &taken {
        Taken::Counted(event) => ("counted", Some(&**event)),
        Taken::Already => ("already_counted", None),
        Taken::Late => ("too_late", None),
    };
    let (decision, reason) = match event {
        Some(event) => decided(Some(event)),
        None => (Value::Null, Value::Null),
    };
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("mission", mission.id().into()),
        ("child", (&id).into()),
        ("result", word.into()),
        ("event", event.map(Event::to_value).into()),
        ("decision", decision),
        ("reason", reason),
    ]));
    match event {
        Some(event) => ui.marked("counted", AnsiColor::Green, said(event)),
        None => ui.marked(word, AnsiColor::Yellow, format!("nothing changed: {id} is over")),
    }
    Ok(0)
}
