//! Turns at the same time: each in a worktree of its own, what counts comes home, and nothing is left behind.

use super::players::{Stage, signal, until};
use super::undone::files;
use crate::harness::Output;
use std::process::Stdio;

/// Waits until the agents of both stories are there: one after the other would wait for ever.
const TOGETHER: &str = "touch \"$CASE/up-$id\"; \
    until test -e \"$CASE/up-STORY-001\" && test -e \"$CASE/up-STORY-002\"; do sleep 0.01; done; ";

fn alone(stage: &Stage) {
    let listed = stage.git(&["worktree", "list"]);
    assert_eq!(listed.lines().count(), 1, "only the user's worktree: {listed}");
    assert_eq!(stage.processes(), Vec::<u32>::new());
    let notes = std::fs::read_dir(stage.project.top().join(".git/rapid/story")).unwrap().flatten();
    let left: Vec<_> =
        notes.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().ends_with(".json")).collect();
    assert!(left.is_empty(), "{left:?}");
    stage.verifies();
}

fn numbers(stage: &Stage) -> usize {
    let records = stage.records();
    let mut numbers: Vec<&str> =
        records.split("\"number\":").skip(1).filter_map(|rest| rest.split(',').next()).collect();
    let all = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), all, "no turn is recorded twice");
    all
}

#[test]
fn two_stories_are_worked_at_the_same_time_and_come_home() {
    let stage = Stage::new(&format!(
        "{TOGETHER} echo \"$(state)\" >> \"$id.txt\"; cat user.txt >> \"$CASE/seen\"; pwd >> \"$CASE/places\"; forward"
    ));
    stage.configured("[hooks]\npost_dev = \"pwd >> $CASE/places; ls STORY-00?.txt\"\n");
    stage.story(1, "Ready", "");
    stage.story(2, "Ready", "");
    stage.story(3, "Ready", "STORY-001, STORY-002");
    stage.commit();
    stage.project.write("user.txt", "mine, not committed\n");
    stage.project.write(".env", "TOKEN=1\n");
    let head = stage.git(&["rev-parse", "HEAD"]);
    let _ = stage.run(&["run", "--jobs", "2"]).ends(0);
    assert_eq!((stage.status(1), stage.status(2), stage.status(3)), ("Done".into(), "Done".into(), "Done".into()));
    for number in 1..=3 {
        let text = std::fs::read_to_string(stage.project.top().join(format!("STORY-{number:03}.txt"))).unwrap();
        assert_eq!(text.lines().count(), 4, "{text}");
    }
    let places = std::fs::read_to_string(stage.case().join("places")).unwrap();
    assert!(!places.lines().any(|place| place == stage.project.top().to_str().unwrap()), "{places}");
    assert!(std::fs::read_to_string(stage.case().join("seen")).unwrap().contains("mine, not committed"));
    assert_eq!(std::fs::read_to_string(stage.project.top().join("user.txt")).unwrap(), "mine, not committed\n");
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(numbers(&stage), 12);
    alone(&stage);
}

#[test]
fn what_two_changed_is_done_again_by_the_later_one() {
    let stage = Stage::new(&format!("{TOGETHER} echo \"$id $(state)\" >> code.txt; forward"));
    stage.story(1, "In Review", "");
    stage.story(2, "In Review", "");
    stage.project.write("code.txt", "");
    stage.commit();
    let ended = stage.run(&["run", "--jobs", "2"]).ends(0).says("");
    let code = std::fs::read_to_string(stage.project.top().join("code.txt")).unwrap();
    assert_eq!(code.lines().count(), 4, "nothing is lost and nothing is twice: {code}\n{ended}");
    assert!(ended.stderr.contains("was changed meanwhile; it is done again"), "{ended}");
    assert!(stage.records().contains("undone: code.txt was changed in the working copy meanwhile"));
    assert!(!stage.records().contains("\"kind\":\"strike\""), "charged to nobody");
    alone(&stage);
}

#[test]
fn what_may_not_stay_never_comes_home() {
    let stage = Stage::new("echo mess > mess.txt; sed -i 's/Review/Done/' .regista/stories/*.md; forward");
    stage.configured("max_retries_per_step = 2\n");
    stage.project.write(".gitignore", ".regista/stories/\n");
    stage.project.write("crlf.txt", "a\r\nb\r\n");
    stage.project.write(".gitattributes", "* text=auto\n");
    let text = super::story("STORY-001", "In Review", "").replace('\n', "\r\n");
    stage.project.story("STORY-001", format!("\u{feff}{text}"));
    stage.story(2, "In Review", "");
    let before = files(&stage.project.top());
    let _ = stage.run(&["run", "--jobs", "3", "--once"]).ends(3);
    assert_eq!(files(&stage.project.top()), before);
    stage.plays("forward");
    let _ = stage.run(&["run", "--jobs", "3"]).ends(0);
    let now = stage.bytes(1);
    let text = String::from_utf8(now).unwrap();
    assert!(text.starts_with('\u{feff}') && text.lines().count() == text.matches("\r\n").count(), "{text:?}");
    assert_eq!(std::fs::read(stage.project.top().join("crlf.txt")).unwrap(), b"a\r\nb\r\n");
    alone(&stage);
}

#[test]
fn killed_while_two_work_the_next_start_ends_both() {
    let stage = Stage::new("echo half > half.txt; touch \"$CASE/up-$id\"; sleep 600 & sleep 600");
    stage.story(1, "Ready", "");
    stage.story(2, "Ready", "");
    stage.commit();
    let mut child = stage.command(&["run", "--jobs", "2"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agents", || (1..=2).all(|number| stage.case().join(format!("up-STORY-{number:03}")).exists()));
    signal(child.id(), "KILL");
    child.wait().unwrap();
    assert!(!stage.processes().is_empty());
    stage.plays("forward");
    let _ = stage.run(&["run", "--jobs", "2"]).ends(0);
    assert_eq!(stage.records().matches("\"outcome\":{\"kind\":\"interrupted\"").count(), 2);
    assert!(!stage.project.top().join("half.txt").exists());
    assert_eq!(numbers(&stage), 2 + 8);
    alone(&stage);
}

#[test]
fn ctrl_c_ends_all_of_them_and_writes_their_entries() {
    let stage = Stage::new("touch \"$CASE/up-$id\"; sleep 600");
    stage.story(1, "Ready", "");
    stage.story(2, "Ready", "");
    stage.commit();
    let child = stage.command(&["run", "--jobs", "2"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agents", || (1..=2).all(|number| stage.case().join(format!("up-STORY-{number:03}")).exists()));
    signal(child.id(), "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
    assert_eq!(stage.records().matches("\"outcome\":{\"kind\":\"interrupted\"").count(), 2);
    assert_eq!((stage.status(1), stage.status(2)), ("Ready".into(), "Ready".into()));
    alone(&stage);
}

#[test]
fn killed_on_the_way_home_nothing_is_half_there() {
    for at in ["story-coming-home", "story-came-home", "story-turn-over", "story-turn-recorded"] {
        let stage = Stage::new("echo \"$id $(state)\" >> \"$id.txt\"; forward");
        stage.story(1, "In Review", "");
        stage.story(2, "In Review", "");
        stage.project.write("user.txt", "mine");
        let died = Output::of(stage.command(&["run", "--jobs", "2"]).env("RAPID_FAULT_POINT", at));
        assert_eq!(died.code, 137, "{at}: {died}");
        let _ = stage.run(&["run", "--jobs", "2"]).ends(0);
        for number in 1..=2 {
            let text = std::fs::read_to_string(stage.project.top().join(format!("STORY-{number:03}.txt"))).unwrap();
            assert_eq!(text.lines().count(), 2, "{at}: {text}");
        }
        assert_eq!(std::fs::read_to_string(stage.project.top().join("user.txt")).unwrap(), "mine");
        numbers(&stage);
        alone(&stage);
    }
}

#[test]
fn the_same_change_twice_is_a_conflict_too() {
    let stage = Stage::new(&format!("{TOGETHER} echo $(($(cat count.txt) + 1)) > count.txt; forward"));
    stage.story(1, "Business Review", "");
    stage.story(2, "Business Review", "");
    stage.project.write("count.txt", "0\n");
    stage.commit();
    let _ = stage.run(&["run", "--jobs", "2"]).ends(0);
    assert_eq!(std::fs::read_to_string(stage.project.top().join("count.txt")).unwrap(), "2\n", "each counted once");
    alone(&stage);
}

#[test]
fn once_is_one_turn_however_many_may_work() {
    let stage = Stage::new("forward");
    stage.story(1, "Ready", "");
    stage.story(2, "Ready", "");
    stage.commit();
    let _ = stage.run(&["run", "--once", "--jobs", "2"]).ends(0);
    assert_eq!(stage.turns().len(), 1, "{:?}", stage.turns());
    assert_eq!(numbers(&stage), 1);
}

#[test]
fn a_turn_that_another_was_faster_than_is_not_taken_off_the_allowance() {
    // All four are always at the same file, and four turns are all that is allowed.
    let all = "touch \"$CASE/up-$id\"; \
        until test \"$(ls \"$CASE\" | grep -c up-)\" = 4; do sleep 0.01; done; echo \"$id\" >> code.txt; forward";
    let stage = Stage::new(all);
    stage.configured("max_iterations = 4\n");
    (1..=4).for_each(|number| stage.story(number, "Business Review", ""));
    stage.project.write("code.txt", "");
    stage.commit();
    let ended = stage.run(&["run", "--jobs", "4"]).ends(0).says("");
    assert!(ended.stderr.contains("it is done again"), "{ended}");
    assert!((1..=4).all(|number| stage.status(number) == "Done"), "{ended}");
    let code = std::fs::read_to_string(stage.project.top().join("code.txt")).unwrap();
    assert_eq!(code.lines().count(), 4, "{code}");
    alone(&stage);
}
