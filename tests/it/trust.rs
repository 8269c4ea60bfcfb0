//! What a person or a reviewer must be able to rely on when somebody is careless or cheats.

use crate::harness::{Loop, World, finished, project, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;

#[test]
fn untracked_bystanders_are_shown_before_they_are_approved() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("helper.sh", "echo not mine\n");
    let run = Loop::start(&repo, "Say more");
    run.work();
    let shown = run.try_approve("no");
    shown.says("part of this code").says("? helper.sh").says("M greeting.sh");
}

#[test]
fn a_red_baseline_is_not_made_green_by_taking_tests_away() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", "echo 1..2\necho 'ok 1 - a'\necho 'not ok 2 - b'\nexit 1\n");
    repo.commit("red");
    repo.git_rapid(&["start", "feature", "--title", "Say more", "--task", "Say it"]).says("red");
    repo.write("test.sh", "echo 1..1\necho 'ok 1 - a'\n");
    repo.git_rapid(&["check", "--gate", "gate.baseline"]).ok();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo more\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    repo.git_rapid(&["finish"]).ends(1).says("what the test command runs changed since E002: test.sh");
}

#[test]
fn another_command_is_not_the_tests_although_the_baseline_was_taken_by_it() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", "echo 1..1\necho 'not ok 1 - a'\nexit 1\n");
    repo.commit("red");
    repo.write("../ok.sh", "echo 1..1\necho 'ok 1 - fine'\n");
    repo.git_rapid(&["start", "feature", "--title", "Say more", "--task", "Say it"]).says("red");
    repo.git_rapid(&["check", "--gate", "gate.baseline", "--", "sh", "../ok.sh"]).ok();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo broken\n");
    repo.git_rapid(&["task", "done", "T001", "--no-check"]).ok();
    repo.git_rapid(&["check", "--task", "T001", "--gate", "gate.tests", "--", "sh", "../ok.sh"]).ok();
    let said = repo.git_rapid(&["finish"]).ends(1);
    said.says("tests.kept").says("ran another command than the terms' test command (sh test.sh)");
}

#[test]
fn the_test_command_is_the_repositorys_own_from_any_subdirectory() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo goodbye\n");
    repo.write("deep/test.sh", "exit 0\n");
    repo.write("deep/.gitignore", "*\n");
    let here = repo.path().join("deep");
    let mut command = world.command("git", &here);
    let red = crate::harness::Output::of(command.args(["rapid", "check"]));
    assert_ne!(red.code, 0, "the tests at the top are red, whatever lies here: {red}");
    repo.write("greeting.sh", "echo hello\necho more\n");
    let mut command = world.command("git", &here);
    crate::harness::Output::of(command.args(["rapid", "check"])).ok().says("pass");
}

#[test]
fn a_session_that_names_another_repository_is_refused_and_nothing_is_written() {
    let world = World::new();
    let repo = project(&world, "work");
    let other = project(&world, "other");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    let path = repo.path().join(".git/rapid/session.json");
    let session = std::fs::read_to_string(&path).unwrap();
    let place = other.path().display();
    std::fs::write(&path, session.replacen('{', &format!("{{\"workspace_path\": \"{place}\","), 1)).unwrap();
    let before = repo.tip();
    repo.git_rapid(&["task", "done", "T001"]).ends(2).names("RAPID1305");
    assert_eq!(repo.tip(), before);
    repo.try_git(&["fsck", "--strict", "--no-dangling"]).ok();
}

#[test]
fn a_ledger_that_does_not_verify_is_never_published() {
    let world = World::new();
    let repo = project(&world, "work");
    let server = world.remote("server");
    repo.git(&["remote", "add", "origin", &server.path().display().to_string()]);
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["push"]).ok();
    let junk = repo.blob(b"junk\n");
    let forged = repo.append_entry(&[("runs/zz/junk", Some(&junk))]);
    repo.move_ledger(&forged);
    repo.git_rapid(&["push"]).ends(2).names("RAPID1521").says("was not sent");
    let there = server.git(&["rev-parse", "refs/rapid/ledger"]);
    assert_ne!(there.trim(), forged);
}

#[test]
fn an_entry_that_was_proved_and_is_gone_is_missed() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.git_rapid(&["verify"]).ok();
    repo.git(&["update-ref", "refs/rapid/ledger", "refs/rapid/ledger~1"]);
    repo.git_rapid(&["verify"]).ends(1).says("RAPID1535");
    repo.git_rapid(&["verify", "--full"]).ends(1).says("RAPID1535");
    repo.git(&["update-ref", "refs/rapid/ledger", "refs/rapid/ledger@{1}"]);
    repo.git_rapid(&["verify"]).ok();
}

#[test]
fn two_finishes_at_once_close_the_run_once() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Say more");
    run.work().approve();
    let script = "git rapid finish >/dev/null 2>&1 & git rapid finish >/dev/null 2>&1 & wait";
    repo.sh(script).ok();
    let reports = repo.records().into_iter().filter(|path| path.contains("/reports/")).count();
    assert_eq!(reports, 1, "one report for one run");
    repo.git_rapid(&["verify"]).ok();
}

#[test]
fn next_for_a_named_run_prints_commands_for_that_run() {
    let world = World::new();
    let repo = project(&world, "work");
    let first = Loop::start(&repo, "First thing");
    repo.git_rapid(&["abort", "--reason", "later"]).ok();
    let second = Loop::start(&repo, "Second thing");
    std::fs::remove_file(repo.path().join(".git/rapid/session.json")).unwrap();
    let named = repo.git_rapid(&["next", "--run", &second.run, "--json"]).ok().json();
    let command = named.get("action").and_then(|action| action.get("command")).and_then(Value::as_list).unwrap();
    let words: Vec<&str> = command.iter().filter_map(Value::as_text).collect();
    assert_eq!(words, ["git", "rapid", "task", "start", "T001", "--run", second.run.as_str()]);
    assert_ne!(first.run, second.run);
}

#[test]
fn a_session_that_cannot_be_read_is_forgotten_and_its_run_stays() {
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Say more");
    std::fs::write(repo.path().join(".git/rapid/session.json"), "{").unwrap();
    repo.git_rapid(&["next"]).ends(2).names("RAPID1304");
    repo.git_rapid(&["abort"]).ok().says("no run was changed");
    repo.git_rapid(&["next", "--run", &run.run]).ok().says("implement_task");
}

#[test]
fn a_reviewer_is_told_what_kind_of_pass_it_was() {
    let Some(repo) = finished() else { return };
    let shown = repo.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    shown.says("feature, ruleset 4").says("approvals: terminal").says("recorded here");
    let document = repo.git_rapid(&["verify", "--commit", "HEAD", "--json"]).ok().json();
    let run = document.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap()[0].clone();
    assert_eq!(run.get("mode").and_then(Value::as_text), Some("feature"));
    assert_eq!(run.get("strength").and_then(Value::as_text), Some("recorded here"));
}

#[test]
fn a_weakened_test_script_waits_for_a_person() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("test.sh", "exit 0\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let missing = repo.git_rapid(&["eval", "run"]);
    missing.says("tests.kept");
    let finished = repo.git_rapid(&["finish"]).ends(1);
    finished.says("what the test command runs changed since E002: test.sh");
}

#[test]
fn a_script_weakened_before_the_run_is_measured_against_what_was_committed() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", "exit 0\n");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo broken\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    repo.git_rapid(&["finish"]).ends(1).says("what the test command runs changed since E002: test.sh");
}

#[test]
fn a_changed_manifest_entry_is_a_changed_definition_and_its_neighbours_are_not() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    let manifest =
        |test: &str, version: &str| format!("{{\"version\": \"{version}\", \"scripts\": {{\"test\": \"{test}\"}}}}\n");
    repo.write("package.json", &manifest("true", "1.0.0"));
    repo.write("Makefile", "test:\n\ttrue\n\nother:\n\tfalse\n");
    repo.write(".rapid/config.toml", "test_command = [\"make\", \"test\"]\nruleset = 4\n");
    repo.commit("a project");
    if crate::harness::Output::of_any(world.command("make", repo.path()).arg("--version")).is_none() {
        return step_aside("there is no make");
    }
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("Makefile", "test:\n\ttrue\n\nother:\n\ttrue\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let kept = repo.git_rapid(&["finish"]).ends(1);
    assert!(!kept.stdout.contains("tests.kept"), "another target is not the tests: {kept}");
    repo.write("Makefile", "test:\n\techo ok\n\nother:\n\ttrue\n");
    repo.git_rapid(&["check"]).ok();
    repo.git_rapid(&["finish"]).ends(1).says("Makefile#test");
}
