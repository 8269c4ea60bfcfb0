//! What the subcommands share: which mission is meant, and a mission as JSON and as text.

use crate::cli::{
    args::shown,
    speak::{Ui, span},
};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::mission::{
    ApprovalRequest, Child, ChildId, ChildResult, Dispatcher, Event, Mission, MissionId, MissionStatus, Package,
    PackageId, PackageStatus, Role, requests,
};
use crate::os::{clock, environment::Environment};
use crate::safety::Circuit;
use crate::verbs::mission::Site;
use crate::verbs::rapid::Rapid;
use anstyle::AnsiColor;
use std::time::Duration;

/// `--mission ID`, the same everywhere.
#[derive(clap::Args)]
pub struct OfMission {
    /// The mission; the only open one when left out
    #[arg(long, value_name = "ID", value_parser = mission_id)]
    pub mission: Option<MissionId>,
}

fn mission_id(text: &str) -> std::result::Result<MissionId, String> {
    MissionId::parse(text).map_err(shown)
}

/// A work package as it is typed (RAPID1901).
pub fn package_id(text: &str) -> Result<PackageId> {
    PackageId::parse(text)
        .ok_or_else(|| Code::Rapid1901.because(format!("'{}' is not the id of a work package", text.escape_debug())))
}

/// The site of the working directory.
pub fn site(environment: &Environment) -> Result<Site> {
    Site::of(Rapid::open(environment)?)
}

/// A mission as JSON.
pub fn to_value(mission: &Mission) -> Value {
    let packages = mission.in_order().map(|package| {
        let last = package.last().map(|last| last.to_value());
        Value::object([
            ("id", package.id().into()),
            ("title", package.plan().title.as_str().into()),
            ("status", package.status().into()),
            ("risk", package.risk().into()),
            ("approval_targets", Value::list(package.targets())),
            ("attempt", package.attempt().into()),
            ("repair_cycles", package.repair().count().into()),
            ("run_id", package.attempts().last().map(|attempt| &attempt.run).into()),
            ("last_failure", last.into()),
        ])
    });
    let children = mission.active_children().map(|(id, child)| {
        Value::object([
            ("child", id.into()),
            ("role", child.role.into()),
            ("work_package", child.package.as_ref().into()),
            ("run_id", (&child.run).into()),
            ("dispatcher", child.dispatcher.into()),
            ("deadline", child.deadline.into()),
        ])
    });
    let evidence = mission.children().filter(|(_, child)| child.result.is_some());
    Value::object([
        ("schema_version", 1.into()),
        ("mission", mission.id().into()),
        ("objective", mission.objective().into()),
        ("status", mission.status().into()),
        ("why", mission.why().into()),
        ("circuit", circuit(mission)),
        ("branch", format!("rapid/mission/{}", mission.id()).into()),
        (
            "tip",
            Value::object([("commit", mission.tip().0.as_str().into()), ("tree", mission.tip().1.as_str().into())]),
        ),
        ("events", mission.events().into()),
        ("limits", mission.limits().to_value()),
        ("work_packages", Value::list(packages)),
        ("children", Value::list(children)),
        ("waits_for", waits_for(mission)),
        ("child_evidence", Value::list(evidence.map(|(id, child)| child_evidence(id, child)))),
    ])
}

/// What a person may decide now, as JSON.
pub fn waits_for(mission: &Mission) -> Value {
    Value::list(requests(mission).iter().map(ApprovalRequest::to_value))
}

/// The same as text, each with its command.
pub fn show_decisions(ui: &mut Ui, mission: &Mission) {
    for page in requests(mission) {
        ui.line(format!("  a person has to decide: {} ({})", page.what, page.why));
        ui.line(format!("    {}", page.command()));
    }
}

/// What is kept of a child that is over: what it was for, when it worked, on what, and what came of it. Nothing of what it thought.
fn child_evidence(id: &ChildId, child: &Child) -> Value {
    let judged = child.role == Role::Checker && child.result == Some(ChildResult::Answered);
    let after = child.left.as_ref().or(judged.then_some(&child.from)).map(|(_, tree)| tree.as_str());
    Value::object([
        ("child", id.into()),
        ("role", child.role.into()),
        ("work_package", child.package.as_ref().into()),
        ("attempt", child.attempt.into()),
        ("run_id", (&child.run).into()),
        ("start", child.since.into()),
        ("end", child.until.into()),
        ("result", child.result.map_or(Value::Null, Value::from)),
        ("verdict", child.verdict.map_or(Value::Null, Value::from)),
        ("tree_before", child.from.1.as_str().into()),
        ("tree_after", after.into()),
    ])
}

fn circuit(mission: &Mission) -> Value {
    match mission.circuit() {
        Circuit::Closed => Value::object([("state", "closed".into())]),
        Circuit::Open(reason) => Value::object([("state", "open".into()), ("reason", reason.as_str().into())]),
    }
}

/// A mission as text.
pub fn show(ui: &mut Ui, mission: &Mission) {
    let colour = match mission.status() {
        MissionStatus::Completed => AnsiColor::Green,
        MissionStatus::Planned | MissionStatus::Active => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    ui.marked(mission.status().as_str(), colour, format!("mission {}: {}", mission.id(), mission.objective()));
    if let Some(why) = mission.why() {
        ui.line(format!("  {why}"));
    }
    if let Circuit::Open(reason) = mission.circuit() {
        ui.line(format!("  the circuit is open ({reason})"));
    }
    for package in mission.in_order() {
        ui.line(format!("  {}  {:<17}  {}{}", package.id(), package.status(), package.plan().title, more(package)));
    }
    for (id, child) in mission.active_children().filter(|(_, child)| child.dispatcher == Dispatcher::External) {
        let package = child.package.as_ref().map_or_else(|| "the whole".to_owned(), ToString::to_string);
        ui.line(format!("  an agent outside works: {id} ({} of {package}){}", child.role, until(child)));
        ui.line(format!("    {}", answered(id)));
    }
    show_decisions(ui, mission);
}

/// How the answer of a child comes back.
pub fn answered(child: &ChildId) -> String {
    format!("git rapid mission result --child {child} --input answer.json")
}

/// How long a child of an agent outside still has.
pub fn until(child: &Child) -> String {
    let left = child.deadline.map(|deadline| deadline.saturating_sub(clock::now_seconds()));
    match left.map(u64::try_from) {
        None => String::new(),
        Some(Ok(left)) if left > 0 => format!(", {} left for its answer", span(Duration::from_secs(left))),
        Some(_) => ", its time is over: the next step takes it back".to_owned(),
    }
}

fn more(package: &Package) -> String {
    let tried = match package.attempt() {
        0 => String::new(),
        number => format!(", attempt {number}"),
    };
    match (package.status(), package.last()) {
        (PackageStatus::Done, _) | (_, None) => tried,
        (_, Some(last)) => {
            let first = last.text.lines().next().unwrap_or_default();
            format!("{tried}: {first} → {} ({})", last.action, last.reason)
        }
    }
}

/// The decision and its reason in an event.
pub fn decided(event: Option<&Event>) -> (Value, Value) {
    match event.and_then(Event::setback) {
        Some(setback) => (setback.action.into(), setback.reason.as_str().into()),
        None => ("continue".into(), "no_failure".into()),
    }
}
