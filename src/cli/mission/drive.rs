//! `git rapid mission step`, `run` and `complete`.

use super::shared::{self, OfMission, answered, decided, show, to_value};
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::mission::{ApprovalRequest, Dispatcher, Event, Stop, landing, requests};
use crate::os::environment::Environment;
use crate::verbs::mission::drive::{self, Outcome};
use crate::verbs::mission::{Site, journal::said};
use anstyle::AnsiColor;

/// A mission that is worked.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    of: OfMission,
    /// Who plays maker and checker: pi, claude, codex, opencode, or one of the configuration
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

impl Args {
    fn site(&self, environment: &Environment) -> Result<Site> {
        let mut site = shared::site(environment)?;
        if let Some(provider) = &self.provider {
            site.missions.maker = Some(provider.clone());
            site.missions.checker = Some(provider.clone());
        }
        Ok(site)
    }
}

/// `mission step`.
pub fn step(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = args.site(environment)?;
    let done = drive::step(&site, args.of.mission.as_ref(), &mut |line| ui.note(&format!("{line}\n")))?;
    let (decision, reason) = decided(done.event.as_ref());
    let word = if done.stop.is_some() { "stop" } else { "continue" };
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("result", word.into()),
        ("stop", done.stop.map_or(Value::Null, Value::from)),
        ("event", done.event.as_ref().map(Event::to_value).into()),
        ("wp", done.package.as_ref().into()),
        ("decision", decision),
        ("reason", reason),
    ]));
    let what = done.event.as_ref().map_or_else(|| "there was no step to take".to_owned(), said);
    ui.marked(word, AnsiColor::Cyan, what);
    if let Some(stop) = done.stop {
        ui.line(format!("  {stop}"));
    }
    Ok(if done.stop == Some(Stop::Error) { 2 } else { 0 })
}

/// `mission run`: 0 when the mission is completed, 1 when it had to stop, 2 on an error.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = args.site(environment)?;
    let done = drive::run(&site, args.of.mission.as_ref(), &mut |line| ui.note(&format!("{line}\n")))?;
    Ok(told(ui, &done))
}

/// `mission complete`.
pub fn complete(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = args.site(environment)?;
    let done = drive::complete(&site, args.of.mission.as_ref(), &mut |line| ui.note(&format!("{line}\n")))?;
    Ok(told(ui, &done))
}

fn told(ui: &mut Ui, done: &Outcome) -> i32 {
    let whole = to_value(&done.mission).with("stop", done.stop).with("steps", done.steps);
    let next = match done.stop {
        Stop::MissionCompleted => landing(&done.mission),
        _ => {
            let outside = done.mission.active_children().filter(|(_, child)| child.dispatcher == Dispatcher::External);
            let open: Vec<String> = outside.map(|(id, _)| answered(id)).collect();
            [open, requests(&done.mission).iter().map(ApprovalRequest::command).collect()].concat()
        }
    };
    ui.document(&whole.with("why", done.why.as_deref()).with("next", Value::list(&next)));
    show(ui, &done.mission);
    let (colour, code) = match done.stop {
        Stop::MissionCompleted => (AnsiColor::Green, 0),
        Stop::Error => (AnsiColor::Red, 2),
        _ => (AnsiColor::Yellow, 1),
    };
    let why = done.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    ui.marked(done.stop.as_str(), colour, format!("after {} steps{why}", done.steps));
    if done.stop == Stop::MissionCompleted {
        ui.line("to land it, merge its branch inside a run of your own:");
        next.iter().for_each(|command| ui.line(format!("  {command}")));
    }
    code
}
