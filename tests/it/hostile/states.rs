//! Lives that no run has: steps that are left out, taken back, taken two at once, or that no table knows. Every digest holds.

use super::{
    Fault, Forge,
    forge::{fault, nth, sealed},
};
use git_rapid::domain::json::Value;

const STEP: &[&str] = &["RAPID1012"];
const WRONG: &[&str] = &["RAPID1012", "RAPID1011"];

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "a run that goes back",
        |f| last(f, |v| v.with("status", "prepared").with("change_kind", "run.status.prepared")),
        WRONG,
    ),
    fault(
        "a run that ends without its work",
        |f| last(f, |v| v.with("status", "finished").with("change_kind", "run.status.finished")),
        WRONG,
    ),
    fault("a run that stands still", |f| next(f, |v| v), WRONG),
    fault("a run that is finished and goes on", |f| after_the_end(f, "active"), WRONG),
    fault("a run that is finished and cancelled", |f| after_the_end(f, "cancelled"), WRONG),
    fault(
        "a task that is done without being begun",
        |f| state(f, 4, |v| nth(v, "tasks", 0, "status", "done").with("change_kind", "task.T001.done")),
        WRONG,
    ),
    fault(
        "a task that goes back",
        |f| next(f, |v| nth(v, "tasks", 0, "status", "pending").with("change_kind", "task.T001.pending")),
        WRONG,
    ),
    fault(
        "a gate that is taken back",
        |f| next(f, |v| nth(v, "gates", 0, "disposition", "pending").with("change_kind", "gate.gate.baseline.pending")),
        WRONG,
    ),
    fault(
        "a gate waived that may not be",
        |f| {
            next(f, |v| {
                nth(v, "gates", 2, "disposition", "waived").with("change_kind", "gate.gate.final-verification.waived")
            })
        },
        WRONG,
    ),
    fault("two changes in one state", |f| next(f, two_changes), WRONG),
    fault("a change of another name", |f| last(f, |v| v.with("change_kind", "run.status.finished")), WRONG),
    fault("a status that nobody knows", |f| last(f, |v| v.with("status", "splendid")), WRONG),
    fault("a disposition that nobody knows", |f| last(f, |v| nth(v, "gates", 1, "disposition", "granted")), WRONG),
    fault("another task", |f| last(f, |v| nth(v, "tasks", 0, "description", "Something else")), WRONG),
    fault("a task fewer", |f| last(f, |v| v.with("tasks", Value::List(Vec::new()))), WRONG),
    fault("a gate fewer", |f| last(f, a_gate_fewer), WRONG),
    fault("a gate that is not required any more", |f| last(f, |v| nth(v, "gates", 2, "required", false)), WRONG),
    fault("a gate that may be waived from now on", |f| last(f, |v| nth(v, "gates", 2, "waivable", true)), WRONG),
    fault("another number", |f| last(f, |v| v.with("revision", 9)), WRONG),
    fault("a state of another run", |f| last(f, |v| v.with("run_id", "add-a-greeting-r1-run-001")), WRONG),
    fault("another beginning", |f| state(f, 1, |v| v.with("reason", "another")), &["RAPID1012", "RAPID1203"]),
    fault("two states in each other's place", swapped, &["RAPID1012", "RAPID1203"]),
    fault("a state left out and the rest moved up", left_out, &["RAPID1012", "RAPID1203", "RAPID1223"]),
    fault(
        "a state whose digest does not hold",
        |f| {
            f.bytes(
                &f.at_open("states/0004.json"),
                &f.record(&f.at_open("states/0004.json")).with("reason", "x").record_bytes(),
            )
        },
        WRONG,
    ),
];

fn state(f: &Forge, number: u32, edit: impl FnOnce(Value) -> Value) -> String {
    f.edit(&f.at_open(&format!("states/{number:04}.json")), edit)
}

/// The newest state of the run that has begun, edited: nothing is bound to it yet.
fn last(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    state(f, 4, edit)
}

/// One more state of the run that has begun.
fn next(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    let state = edit(f.record(&f.at_open("states/0004.json")).with("revision", 5));
    f.bytes(&f.at_open("states/0005.json"), &sealed(state))
}

fn after_the_end(f: &Forge, status: &str) -> String {
    let state = f.record(&f.at("states/0008.json")).with("revision", 9).with("status", status);
    f.bytes(&f.at("states/0009.json"), &sealed(state.with("change_kind", format!("run.status.{status}"))))
}

fn two_changes(state: Value) -> Value {
    nth(nth(state, "tasks", 0, "status", "done"), "gates", 1, "disposition", "acknowledged")
        .with("change_kind", "task.T001.done")
}

fn a_gate_fewer(state: Value) -> Value {
    let gates = state.get("gates").and_then(Value::as_list).unwrap()[..2].to_vec();
    state.with("gates", Value::List(gates))
}

fn swapped(f: &Forge) -> String {
    let (one, other) = (f.at("states/0005.json"), f.at("states/0006.json"));
    let bytes = [&one, &other].map(|path| f.record(path));
    let [first, second] = bytes;
    f.with(&[(&one, Some(&sealed(second.with("revision", 5)))), (&other, Some(&sealed(first.with("revision", 6))))])
}

fn left_out(f: &Forge) -> String {
    let mut changes: Vec<(String, Option<Vec<u8>>)> = vec![(f.at("states/0008.json"), None)];
    for number in 5..8 {
        let moved = f.record(&f.at(&format!("states/{:04}.json", number + 1))).with("revision", number);
        changes.push((f.at(&format!("states/{number:04}.json")), Some(sealed(moved))));
    }
    f.with(&changes.iter().map(|(path, bytes)| (path.as_str(), bytes.as_deref())).collect::<Vec<_>>())
}

#[test]
fn a_step_that_the_table_knows_is_no_fault() {
    let Some(forge) = Forge::new() else { return };
    let done = next(&forge, |state| {
        nth(nth(state, "tasks", 0, "status", "done"), "tasks", 0, "reason", "").with("change_kind", "task.T001.done")
    });
    let seen = forge.repo.verify(&[&done]);
    assert!(seen.findings().iter().all(|(code, _)| !STEP.contains(&code.as_str())), "{seen}");
}
