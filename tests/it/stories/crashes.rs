//! The orchestrator dies at each stage of a turn, is started twice, or is asked to end.

use super::players::{Stage, signal, until};
use crate::harness::Output;
use std::process::Stdio;

const STAGES: [&str; 8] = [
    "story-turn-noted",
    "story-agent-gone",
    "story-turn-seen",
    "story-restore",
    "story-hook-over",
    "story-turn-over",
    "story-turn-recorded",
    "refs-moved",
];

#[test]
fn killed_at_each_stage_a_start_cleans_up_and_no_turn_counts_twice() {
    for at in STAGES {
        // The first try of the hook fails, so that there is something to put back.
        let stage = Stage::new("forward; echo \"$(state)\" >> code.txt");
        stage.configured("[hooks]\npost_dev = \"test -e ../case/again || { touch ../case/again; exit 1; }\"\n");
        stage.story(1, "Tests Ready", "");
        stage.project.write("user.txt", "mine");
        stage.commit();
        let died = Output::of(stage.command(&["run"]).env("RAPID_FAULT_POINT", at));
        if at != "refs-moved" {
            assert_eq!(died.code, 137, "{at}: {died}");
        }
        let _ = stage.run(&["run"]).ends(0);
        assert_eq!(stage.status(1), "Done", "{at}");
        assert_eq!(std::fs::read_to_string(stage.project.top().join("user.txt")).unwrap(), "mine");
        let code = std::fs::read_to_string(stage.project.top().join("code.txt")).unwrap();
        assert_eq!(code.lines().count(), 3, "{at}: what an undone turn wrote is gone: {code}");
        let records = stage.records();
        let mut numbers: Vec<&str> =
            records.split("\"number\":").skip(1).map(|rest| rest.split(',').next().unwrap()).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "{at}: no turn is recorded twice");
        assert_eq!(stage.processes(), Vec::<u32>::new());
        stage.verifies();
    }
}

#[test]
fn an_agent_that_outlives_a_killed_orchestrator_is_ended_by_the_next_start() {
    let stage = Stage::new("echo half > half.txt; touch \"$CASE/up\"; sleep 600");
    stage.story(1, "Ready", "");
    stage.commit();
    let mut child = stage.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    signal(child.id(), "KILL");
    child.wait().unwrap();
    assert!(!stage.processes().is_empty(), "the agent lives on");
    stage.plays("forward");
    let _ = stage.run(&["run"]).ends(0).says("was interrupted: its changes are put back");
    assert_eq!(stage.processes(), Vec::<u32>::new());
    assert!(!stage.project.top().join("half.txt").exists());
    assert!(stage.records().contains("\"kind\":\"interrupted\""));
    stage.verifies();
}

#[test]
fn a_second_start_is_refused_and_says_who_works() {
    let stage = Stage::new("touch \"$CASE/up\"; until test -e \"$CASE/go\"; do sleep 0.01; done; forward");
    stage.story(1, "In Review", "");
    let child = stage.command(&["run", "--once"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    let second = stage.run(&["run"]).ends(1).names("RAPID1723");
    assert!(second.stderr.contains(&format!("process {}", child.id())), "{second}");
    std::fs::write(stage.case().join("go"), "").unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(stage.turns().len(), 1);
}

#[test]
fn ctrl_c_and_sigterm_end_the_agent_and_write_the_entry() {
    for name in ["INT", "TERM"] {
        let stage = Stage::new("echo half > half.txt; sleep 600 & touch \"$CASE/up\"; sleep 600");
        stage.story(1, "Ready", "");
        stage.commit();
        let child = stage.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        until("the agent", || stage.case().join("up").exists());
        signal(child.id(), name);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3), "{name}");
        assert_eq!(stage.processes(), Vec::<u32>::new());
        assert!(!stage.project.top().join("half.txt").exists());
        assert_eq!(stage.status(1), "Ready");
        assert!(stage.records().contains("\"kind\":\"interrupted\""));
        stage.verifies();
    }
}

#[test]
fn a_name_that_the_ledger_cannot_hold_and_a_damaged_note_are_refused() {
    let stage = Stage::new("forward");
    stage.story(1, "Ready", "");
    let strange = stage.project.top().join(".regista/stories/STORY-2 b.md");
    std::fs::write(&strange, super::story("STORY-002", "Ready", "")).unwrap();
    let _ = stage.run(&["run"]).ends(1).names("RAPID1722");
    std::fs::remove_file(strange).unwrap();
    std::fs::create_dir_all(stage.project.top().join(".git/rapid/story")).unwrap();
    let note = stage.project.top().join(".git/rapid/story/flight.json");
    std::fs::write(&note, "{").unwrap();
    let _ = stage.run(&["run"]).ends(1).names("RAPID1725");
    std::fs::remove_file(note).unwrap();
    let _ = stage.run(&["run"]).ends(0);
}

#[test]
fn what_cannot_be_put_back_stops_the_run_and_is_put_back_by_the_next_start() {
    let stage = Stage::new("forward; rm tracked.txt; mkdir tracked.txt; echo x > tracked.txt/built.o; exit 1");
    stage.story(1, "Ready", "");
    stage.project.write(".gitignore", "*.o\n");
    stage.project.write("tracked.txt", "mine");
    stage.commit();
    let _ = stage.run(&["run"]).ends(1).names("RAPID1724");
    let _ = stage.run(&["run"]).ends(1).names("RAPID1724");
    std::fs::remove_file(stage.project.top().join("tracked.txt/built.o")).unwrap();
    stage.plays("forward");
    let _ = stage.run(&["run"]).ends(0);
    assert_eq!(std::fs::read_to_string(stage.project.top().join("tracked.txt")).unwrap(), "mine");
    stage.verifies();
}

#[test]
fn a_record_that_was_altered_or_moved_is_found() {
    let stage = Stage::new("forward");
    stage.story(1, "In Review", "");
    stage.commit();
    let _ = stage.run(&["run", "--once"]).ends(0);
    let repo = crate::harness::Repo::at(stage.project.world(), stage.project.top());
    let tip = repo.tip();
    let path = repo.records().into_iter().find(|path| path.starts_with("stories/")).unwrap();
    let text = repo.git(&["show", &format!("refs/rapid/ledger:{path}")]);
    let next = path.replace("0001.json", "0002.json");
    for (path, text, code) in [
        (&next, text.replace("\"attempt\":1", "\"attempt\":2"), "RAPID1720"),
        (&next, text.replace("\"row\":7", "\"row\":9"), "RAPID1720"),
        (&next, text.clone(), "RAPID1721"),
    ] {
        let blob = repo.blob(format!("{}\n", text.trim_end()).as_bytes());
        repo.append_entry(&[(path, Some(&blob))]);
        let found = repo.verify(&["--full"]).ends(1);
        assert!(found.findings().iter().any(|(found, _)| found == code), "{code}: {found}");
        repo.move_ledger(&tip);
    }
}
