//! `kill -9` after every event, and while a child is at work: the next start reads the ledger and goes on.

use super::stage::{Stage, wp};
use crate::harness::Output;
use git_rapid::domain::json::Value;
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A maker whose first work fails the tests, so that there is a setback among the events.
const SCRIPT: &str = r#"
case "$role-$child" in
*-m-wp-001-a1-maker) mkdir -p parts; echo 'exit 1' >parts/001.sh; made ;;
*) usual ;;
esac"#;

#[test]
fn killed_after_every_event_a_mission_comes_to_the_same_end() {
    let whole = Stage::new(SCRIPT);
    whole.planned(&[wp(1, &[]), wp(2, &[1])]);
    drop(whole.runs_until("mission_completed"));
    let events = whole.event_names().len();
    assert!(events > 15, "{events}");
    // One mission that dies after each of its events in turn; what follows a death adds events, so the last one is not known.
    let stage = Stage::new(SCRIPT);
    stage.planned(&[wp(1, &[]), wp(2, &[1])]);
    let mut deaths = 0;
    loop {
        let next = format!("mission-event-{}", stage.event_names().len() + 1);
        let died = Output::of(stage.command(&["run"]).env("RAPID_FAULT_POINT", &next));
        match died.code {
            137 => deaths += 1,
            _ => break,
        }
        assert!(deaths < 80, "it does not come to an end: {:?}", stage.event_names());
    }
    ends_well(&stage);
    assert!(deaths >= events - 1, "{deaths} deaths, {events} events");
}

#[test]
fn killed_beside_the_ledger_a_mission_comes_to_the_same_end() {
    for at in ["mission-child-gone", "mission-accepted", "refs-moved"] {
        let stage = Stage::new(SCRIPT);
        stage.planned(&[wp(1, &[]), wp(2, &[1])]);
        let died = Output::of(stage.command(&["run"]).env("RAPID_FAULT_POINT", at));
        assert_eq!(died.code, 137, "{at}: {died}");
        ends_well(&stage);
    }
}

#[test]
fn a_child_that_outlives_its_killed_orchestrator_is_ended_and_recorded() {
    let stage = Stage::new("touch \"$CASE/up\"; sleep 600");
    stage.planned(&[wp(1, &[])]);
    let mut run = stage.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until(|| stage.case().join("up").exists());
    // A second orchestrator is refused while the first is at work.
    let second = stage.mission(&["run"]).ends(1).names("RAPID1912");
    assert!(second.stderr.contains(&format!("process {}", run.id())), "{second}");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(!stage.processes().is_empty(), "the agent lives on");
    stage.plays("usual");
    drop(stage.runs_until("mission_completed"));
    assert_eq!(stage.of(1, "attempt"), 2.into(), "the attempt that was cut off is one");
    assert_eq!(stage.of(1, "repair_cycles"), 0.into(), "and is charged with nothing");
    let interrupted =
        stage.events().iter().any(|event| event.get("result").and_then(Value::as_text) == Some("interrupted"));
    assert!(interrupted);
    stage.is_clean();
    stage.verifies();
}

#[test]
fn ctrl_c_ends_the_children_and_records_them() {
    let stage = Stage::new("touch \"$CASE/up\"; sleep 600");
    stage.planned(&[wp(1, &[])]);
    let run = stage.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until(|| stage.case().join("up").exists());
    assert!(std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(130));
    assert_eq!(stage.stands(1), "ready");
    assert_eq!(stage.event_names().last().unwrap(), "child_ended");
    stage.is_clean();
    stage.verifies();
}

fn ends_well(stage: &Stage) {
    let status = stage.status();
    if status.get("status").and_then(Value::as_text) != Some("completed") {
        drop(stage.runs_until("mission_completed"));
    }
    let (mut accepted, mut started, mut ended) = (BTreeMap::new(), Vec::new(), Vec::new());
    for event in stage.events() {
        let text = |key: &str| event.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        match text("type").as_str() {
            "accepted" => *accepted.entry(text("work_package")).or_insert(0) += 1,
            "child_started" => started.push(text("child")),
            "child_ended" => ended.push(text("child")),
            _ => {}
        }
    }
    assert_eq!(accepted, BTreeMap::from([("WP-001".to_owned(), 1), ("WP-002".to_owned(), 1)]), "each is taken once");
    started.sort();
    ended.sort();
    assert_eq!(started, ended, "no attempt is lost");
    let log = stage.repo.git(&["log", "--format=%s", "main..rapid/mission/m"]);
    assert_eq!(log.lines().collect::<Vec<_>>(), ["WP-002: Make part 2", "WP-001: Make part 1"]);
    stage.is_clean();
    stage.verifies();
}

fn until(holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(120), "it did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}
