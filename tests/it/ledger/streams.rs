//! Standard output that is closed, broken or full, and no terminal anywhere.

use crate::harness::{Loop, Output, Repo, World, finished, project};
use std::process::Stdio;

fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

const READING: &[&str] = &["next", "status", "verify", "next --json", "status --json", "verify --json"];

#[test]
fn with_a_closed_standard_output_nothing_panics() {
    let Some(repo) = finished() else { return };
    for verb in READING {
        let seen = repo.sh(&format!("git-rapid {verb} >&-; echo $? >&2"));
        assert_eq!(seen.stderr.trim(), "0", "git-rapid {verb}: {seen}");
        let seen = repo.sh(&format!("git-rapid {verb} >&- 2>&- <&-; echo $?"));
        assert_eq!(seen.stdout.trim(), "0", "git-rapid {verb}: {seen}");
    }
}

#[test]
fn a_reader_that_has_read_enough_is_no_fault() {
    let Some(repo) = finished() else { return };
    for verb in READING {
        let mut command = repo.tool();
        command.args(verb.split(' ')).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let ended = Output::from_std(&child.wait_with_output().unwrap(), format!("{verb} | true"));
        assert!(ended.ends(0).stderr.is_empty(), "git-rapid {verb} says nothing about it");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_said() {
    if !std::path::Path::new("/dev/full").exists() {
        return crate::harness::step_aside("there is no /dev/full here");
    }
    let Some(repo) = finished() else { return };
    for verb in READING {
        let seen = repo.sh(&format!("git-rapid {verb} >/dev/full; echo $? >&2"));
        assert!(seen.stderr.contains("error[RAPID002]: ") && seen.stderr.ends_with("2\n"), "git-rapid {verb}: {seen}");
        assert!(!seen.stderr.contains("panicked"), "{seen}");
    }
}

#[test]
fn a_verb_whose_reader_is_gone_still_records_all_of_it() {
    let repo = with_run();
    let seen = repo.sh("(git-rapid task start T001; echo $? >&2) | true");
    assert_eq!(seen.stderr.trim(), "0", "{seen}");
    let seen = repo.sh("(git-rapid check -- sh -c 'yes | head -n 200000'; echo $? >&2) | head -n 1");
    assert!(!seen.stderr.contains("panicked"), "{seen}");
    repo.rapid(&["verify"]).ok().says("proven 4 entries");
    assert!(repo.records().iter().any(|path| path.ends_with("E003.json")), "the check was recorded");
}

#[test]
fn one_document_and_nothing_else_is_printed_whatever_the_check_prints() {
    let repo = with_run();
    let seen =
        repo.rapid(&["check", "--json", "--", "sh", "-c", "echo '{\"fake\": 1}'; echo noise >&2; exit 3"]).ends(3);
    assert!(
        seen.stderr.contains("fake") && seen.stderr.contains("noise"),
        "the command's own output is on stderr: {seen}"
    );
    assert_eq!(seen.json().get("exit_code").and_then(git_rapid::domain::json::Value::as_int), Some(3));
}

#[test]
fn without_any_terminal_a_person_cannot_be_asked_and_the_rest_works() {
    let repo = with_run();
    // A session of its own has no controlling terminal, whatever started the tests.
    let mut command = repo.world().command("setsid", repo.path());
    command.args(["--wait", "git-rapid", "approve", "gate.final-verification"]);
    let Some(seen) = Output::of_any(&mut command) else {
        return crate::harness::step_aside("there is no 'setsid' here");
    };
    let _ = seen.ends(1).names("RAPID1310").says("hint: ");
    repo.sh("setsid --wait git-rapid next </dev/null");
}

#[test]
fn control_characters_of_a_stranger_are_never_printed() {
    let repo = project(&World::new(), "work");
    repo.world().configure("[user]\n\tname = \"E\\b\\tve\"\n\temail = eve@example.com\n");
    let title = "red \u{202e}thgir alert";
    let started = repo.rapid(&["start", "feature", "--title", title, "--task", "x\u{200b}y", "--spec-id", "s"]);
    for output in [started, repo.rapid(&["status"]), repo.rapid(&["verify"]), repo.rapid(&["next"])] {
        assert!(!output.stdout.contains(['\u{202e}', '\u{1b}', '\u{8}']), "{output}");
        assert!(!output.stderr.contains(['\u{202e}', '\u{1b}', '\u{8}']), "{output}");
    }
}
