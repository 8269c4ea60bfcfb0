//! A run in the background: started, asked about, followed, ended.

use super::players::{Stage, signal, until};
use crate::harness::Output;
use git_rapid::domain::json::Value;
use std::process::Stdio;

#[test]
fn it_is_started_followed_and_ended_and_nobody_is_left() {
    let stage = Stage::new("touch \"$CASE/up\"; test -e \"$CASE/go\" || sleep 600; forward");
    stage.story(1, "Ready", "");
    stage.commit();
    let _ = stage.run(&["status"]).ends(0).says("no run of the stories is at work");
    let _ = stage.run(&["kill"]).ends(1).names("RAPID1726");
    let _ = stage.run(&["follow"]).ends(1).names("RAPID1726");
    let started = stage.run(&["run", "--detach", "--json"]).ends(0);
    let pid = started.json().get("pid").and_then(Value::as_int).unwrap();
    until("the agent", || stage.case().join("up").exists());
    let status = stage.run(&["run", "--status", "--json"]).ends(0).json();
    assert_eq!(status.get("pid").and_then(Value::as_int), Some(pid));
    let session = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let session = session.rsplit_once(')').unwrap().1.split_ascii_whitespace().nth(3).unwrap().to_owned();
    assert_eq!(session, pid.to_string(), "a session of its own");
    let _ = stage.run(&["run", "--detach"]).ends(1).names("RAPID1723");
    let killed = stage.run(&["kill", "--json"]).ends(0).json();
    assert_eq!(killed.get("pid").and_then(Value::as_int), Some(pid));
    assert_eq!(stage.processes(), Vec::<u32>::new());
    assert_eq!(stage.status(1), "Ready");

    std::fs::write(stage.case().join("go"), "").unwrap();
    let _ = stage.run(&["run", "--detach"]);
    until("the end", || stage.status(1) == "Done");
    until("its end", || stage.processes().is_empty());
    let log = std::fs::read_to_string(stage.project.top().join(".regista/logs/story.log")).unwrap();
    assert!(log.contains("interrupted") && log.contains("Business Review → Done") && !log.contains('\u{1b}'), "{log}");
    stage.verifies();
}

#[test]
fn one_that_cannot_begin_says_so() {
    let stage = Stage::new("forward");
    stage.story(1, "Ready", "");
    let _ = stage.run(&["run", "--detach", "--story", "STORY-404"]).ends(1).names("RAPID1727");
}

#[test]
fn who_follows_sees_everything_from_the_beginning_and_never_ends_it() {
    let stage = Stage::new("touch \"$CASE/up\"; until test -e \"$CASE/go\"; do sleep 0.01; done; forward");
    stage.story(1, "In Review", "");
    let _ = stage.run(&["run", "--detach"]).ends(0);
    until("the agent", || stage.case().join("up").exists());
    let follow = |out: &str| {
        let out = std::fs::File::create(stage.case().join(out)).unwrap();
        stage.command(&["run", "--follow"]).stdout(out).stderr(Stdio::null()).spawn().unwrap()
    };
    let said = |out: &str| std::fs::read_to_string(stage.case().join(out)).unwrap_or_default();
    let asked =
        |mut command: std::process::Command| command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let third = asked(stage.command(&["follow", "--json"]));
    let (mut first, mut second) = (follow("first"), follow("second"));
    until("the beginning", || said("first").contains("turn 1: STORY-001") && said("second").contains("turn 1"));
    signal(first.id(), "INT");
    let _ = first.wait().unwrap();
    assert!(!stage.processes().is_empty(), "the run goes on");
    let _ = stage.run(&["status", "--json"]).ends(0).says("\"running\": true");
    std::fs::write(stage.case().join("go"), "").unwrap();
    assert!(second.wait().unwrap().success(), "it ends with the run");
    let all = said("second");
    assert!(all.contains("1 stories, at most") && all.contains("Business Review → Done"), "{all}");
    assert_eq!(stage.status(1), "Done");
    // One document, and what was said beside it.
    let third = Output::from_std(&third.wait_with_output().unwrap(), "story follow --json".to_owned()).ok();
    assert!(third.stderr.contains("Business Review → Done"), "{third}");
    crate::manual::fits(&["story".to_owned(), "follow".to_owned()], &third.json());
    until("its end", || stage.processes().is_empty());
    let forgot = stage.run(&["run", "--clean-state", "--json"]).ends(0).json();
    assert_eq!(forgot.get("forgot").and_then(Value::as_int), Some(1));
}
