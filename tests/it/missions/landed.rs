//! What a person does about a mission: the commands that it names when it cannot go on, and those that take in what it made.

use super::stage::{Stage, wp};
use crate::harness::{Output, answer, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;

const CIRCUIT: &str = "git rapid mission approve --circuit --reason '…'";
const REOPEN: &str = "git rapid mission approve WP-001 --reopen --reason '…'";

fn texts(said: &Value, key: &str) -> Vec<String> {
    let all = said.get(key).and_then(Value::as_list).unwrap();
    all.iter().map(|item| item.as_text().unwrap().to_owned()).collect()
}

/// The commands of what a mission waits for.
fn commands(said: &Value) -> Vec<String> {
    let all = said.get("waits_for").and_then(Value::as_list).unwrap();
    all.iter().map(|page| page.get("command").and_then(Value::as_text).unwrap().to_owned()).collect()
}

#[test]
fn what_is_done_is_landed_by_the_commands_that_complete_prints_and_is_covered() {
    let stage = Stage::new("usual");
    stage.repo.write("test.sh", "echo 1..1; for part in parts/*.sh; do sh $part; done; echo ok 1 - all of it\n");
    stage.repo.commit("tests that are counted");
    stage.planned(&[wp(1, &[]), wp(2, &[1])]);
    assert_eq!(texts(&stage.runs_until("mission_completed").json(), "next").len(), 8);
    // Nobody finished the mission's own runs, and that is what is said of them.
    let refused = stage.repo.rapid(&["verify", "--commit", "rapid/mission/m", "--require-pass"]).ends(1);
    drop(
        refused.says("run m-final-a1: made by a mission, and finished by no person").says("git rapid mission complete"),
    );
    let seen = stage.repo.rapid(&["verify", "--commit", "rapid/mission/m", "--json"]).json();
    let runs = seen.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap();
    assert!(!runs.is_empty() && runs.iter().all(|run| run.get("only_a_missions") == Some(&true.into())), "{runs:?}");
    let said = stage.mission(&["complete", "--json"]).ok().json();
    let text = stage.mission(&["complete"]).ok();
    if !somebody_can_be_asked() {
        return step_aside("a person approves what is landed, and these tests run under a coding agent");
    }
    for command in texts(&said, "next") {
        assert!(text.stdout.contains(&format!("\n  {command}\n")), "{command}: {text}");
        let mut shell = stage.repo.world().command("sh", stage.repo.path());
        shell.args(["-c", &command]);
        let done = match command.starts_with("git rapid approve") {
            true => answer(shell, "anything else to leave it: ", "approve gate.final-verification"),
            false => Output::of(&mut shell),
        };
        drop(done.ok());
    }
    drop(stage.repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("covered"));
    assert_eq!(stage.repo.git(&["rev-parse", "HEAD^2"]), stage.repo.git(&["rev-parse", "rapid/mission/m"]));
    assert_eq!(stage.repo.git(&["status", "--porcelain"]), "");
    // The code of the branch is that code, so it is covered now as well.
    drop(stage.repo.rapid(&["verify", "--commit", "rapid/mission/m", "--require-pass"]).ok().says("covered"));
    stage.is_clean();
    stage.verifies();
}

#[test]
fn what_helps_is_named_wherever_a_mission_says_that_it_cannot_go_on_and_is_gone_when_it_is_over() {
    let stage = Stage::new("case \"$role\" in maker) part elsewhere.sh; made ;; *) usual ;; esac");
    stage.planned(&[wp(1, &[])]);
    assert_eq!(texts(&stage.runs_until("circuit_open").json(), "next"), [CIRCUIT, REOPEN]);
    assert_eq!(commands(&stage.mission(&["next", "--json"]).ok().json()), [CIRCUIT, REOPEN]);
    assert_eq!(commands(&stage.status()), [CIRCUIT, REOPEN]);
    drop(stage.mission(&["next"]).ok().says(CIRCUIT));
    if !somebody_can_be_asked() {
        return step_aside("a person closes the circuit, and these tests run under a coding agent");
    }
    stage.person(&["--circuit", "--reason", "seen"], "approve circuit").ok();
    assert_eq!(texts(&stage.runs_until("blocked").json(), "next"), [REOPEN]);
    let said = stage.mission(&["next", "--json"]).ok().json();
    assert_eq!((commands(&said), said.get("stop")), (vec![REOPEN.to_owned()], Some(&"blocked".into())));
    assert_eq!(said.get("why"), Some(&"WP-001 cannot go on by itself".into()));
    for words in [&["next"][..], &["status"], &["run"], &["complete"]] {
        let said = stage.mission(words);
        assert!(format!("{}{}", said.stdout, said.stderr).contains(REOPEN), "{words:?}: {said}");
    }
    drop(stage.repo.rapid(&["status"]).says(&format!("{REOPEN} --mission m")));
    stage.person(&["WP-001", "--reopen", "--reason", "told it"], "approve reopen WP-001").ok();
    let reopened = stage.status();
    assert_eq!((reopened.get("why"), commands(&reopened)), (Some(&Value::Null), Vec::new()));
    stage.plays("usual");
    drop(stage.runs_until("mission_completed"));
    assert!(!stage.mission(&["status"]).ok().stdout.contains("by itself"));
    stage.is_clean();
    stage.verifies();
}
