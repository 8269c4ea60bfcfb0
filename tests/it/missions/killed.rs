//! `kill -9` after every event, and while a child is at work: the next start reads the ledger and goes on.

use super::stage::{Stage, wp};
use crate::harness::{Output, somebody_can_be_asked, step_aside};
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
fn killed_after_every_event_the_whole_mission_comes_to_the_same_end() {
    if !somebody_can_be_asked() {
        return step_aside("something critical is allowed by a person, and these tests run under a coding agent");
    }
    let stage = Stage::new(super::whole::SCRIPT);
    stage.planned(&super::whole::packages());
    let before = stage.users();
    let mut deaths = Vec::new();
    loop {
        let status = stage.status();
        let events = status.get("events").and_then(Value::as_int).unwrap();
        let children = status.get("children").and_then(Value::as_list).unwrap().len() as i64;
        // The children that a death cut off are recorded and begin again; those events were died after already.
        let next = events + 2 * children + 1;
        let ran =
            Output::of(stage.command(&["run", "--json"]).env("RAPID_FAULT_POINT", format!("mission-event-{next}")));
        if ran.code == 137 {
            deaths.push(next);
            assert!(deaths.len() < 120, "it does not come to an end: {:?}", stage.event_names());
            continue;
        }
        let said = ran.json();
        match said.get("stop").and_then(Value::as_text) {
            Some("approval_required") if stage.stands(4) == "approval_required" => {
                stage.person(&["WP-004"], "approve WP-004").ok();
            }
            Some("approval_required") => drop(stage.person(&["--final"], "approve final").ok()),
            Some("mission_completed") => break,
            _ => panic!("{ran}"),
        }
        if stage.status().get("status").and_then(Value::as_text) == Some("completed") {
            break;
        }
    }
    assert!(deaths.len() > 30, "{deaths:?}");
    assert_eq!(stage.users(), before);
    comes_out(&stage, 5);
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
    comes_out(stage, 2);
    let log = stage.repo.git(&["log", "--format=%s", "main..rapid/mission/m"]);
    assert_eq!(log.lines().collect::<Vec<_>>(), ["WP-002: Make part 2", "WP-001: Make part 1"]);
}

/// Each package was taken once, each child that began is over, and nothing is left.
fn comes_out(stage: &Stage, packages: usize) {
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
    let once = (1..=packages).map(|number| (super::stage::id(number), 1)).collect();
    assert_eq!(accepted, once, "each is taken once");
    started.sort();
    ended.sort();
    assert_eq!(started, ended, "no attempt is lost");
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

#[test]
fn a_record_that_was_altered_or_moved_is_found() {
    let stage = Stage::new("usual");
    stage.planned(&[wp(1, &[])]);
    drop(stage.runs_until("mission_completed"));
    let tip = stage.repo.tip();
    let names = stage.repo.git(&["ls-tree", "-r", "--name-only", "refs/rapid/ledger", "missions/"]);
    let last = names.lines().rfind(|name| name.contains("/events/")).unwrap();
    let number: u32 = last.rsplit('/').next().unwrap().trim_end_matches(".json").parse().unwrap();
    let next = last.replace(&format!("{number:04}.json"), &format!("{:04}.json", number + 1));
    let text = String::from_utf8(stage.repo.bytes_of(last)).unwrap();
    for (text, code) in [
        (text.replace("\"completed\"", "\"cancelled\""), "RAPID1902"),
        (text.replacen('{', "{\"a\":1,", 1), "RAPID1902"),
        (text.clone(), "RAPID1903"),
    ] {
        let blob = stage.repo.blob(text.as_bytes());
        stage.repo.append_entry(&[(&next, Some(&blob))]);
        let found = stage.repo.verify(&["--full"]).ends(1);
        assert!(found.stdout.contains(code) || found.stderr.contains(code), "{code}: {found}");
        stage.repo.move_ledger(&tip);
    }
    stage.verifies();
}
