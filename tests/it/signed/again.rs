//! A second machine runs the checks again: what it saw is said beside the verdict, and stands for no person.

use crate::harness::{Loop, Repo, World, finished, project, somebody_can_be_asked, step_aside};
use crate::labs::text;
use git_rapid::domain::json::Value;
use std::sync::Arc;

/// A server, a developer with a passed run that was pushed, and another party's clone of it.
fn two_machines(test: &str) -> Option<(Repo, Repo)> {
    if !somebody_can_be_asked() {
        step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
        return None;
    }
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", test);
    repo.write("../home/only-here", "");
    repo.commit("tests");
    let server = world.remote("server");
    repo.git(&["remote", "add", "origin", &server.path().display().to_string()]);
    Loop::whole(&repo, "Say more");
    repo.git(&["push", "--quiet", "origin", "HEAD:main"]);
    repo.git_rapid(&["push"]).ok();
    let ci = world.clone_of(&server, "ci");
    is_at(&world, "CI", "ci@example.com");
    ci.git_rapid(&["fetch"]).ok();
    Some((repo, ci))
}

fn is_at(world: &Arc<World>, name: &str, email: &str) {
    world.configure(&format!("[user]\n\tname = {name}\n\temail = {email}\n"));
}

fn run_of(document: &Value) -> Value {
    document.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap()[0].clone()
}

#[test]
fn another_party_runs_the_checks_again_and_the_evidence_is_stronger_for_everybody() {
    let Some((repo, ci)) = two_machines("echo 1..1\nsh greeting.sh | grep -q hello && echo ok 1 - greets\n") else {
        return;
    };
    let before = ci.verify(&["--commit", "HEAD", "--require-pass"]).ok().json();
    assert_eq!(text(&run_of(&before), "strength"), "seen by another clone");
    let seen = ci.rapid(&["verify", "--rerun", "--json"]).ok().json();
    let again = seen.get("rerun").and_then(Value::as_list).unwrap();
    assert_eq!(
        (text(&again[0], "outcome").as_str(), text(&again[0], "summary").as_str()),
        ("pass", "1 passed, 0 failed, 0 skipped")
    );
    assert_eq!(text(&run_of(&seen), "strength"), "re-run by another party");
    let record = ci.record(&format!("evidence/{}.json", text(&again[0], "evidence_id")));
    let record = git_rapid::domain::json::parse(&ci.bytes_of(&record)).unwrap();
    assert_eq!(text(&record, "producer"), "rapid:verify");
    assert!(record.get("gate_ids").and_then(Value::as_list).is_some_and(<[Value]>::is_empty), "it stands for no gate");
    assert!(ci.git(&["worktree", "list"]).lines().count() == 1, "the worktree is gone");
    ci.git_rapid(&["push"]).ok();
    repo.git_rapid(&["fetch"]).ok();
    repo.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"])
        .ok()
        .says("run again by CI <ci@example.com>: green");
    let after = repo.verify(&["--commit", "HEAD"]).ok().json();
    assert_eq!(text(&run_of(&after), "strength"), "re-run by another party");
    assert_eq!(text(&run_of(&after), "verdict"), "pass", "the verdict is what it was");
}

#[test]
fn tests_that_in_truth_fail_are_reported() {
    // Green where a file lies that no commit holds.
    let Some((repo, ci)) = two_machines("test -f \"$HOME/only-here\"\n") else { return };
    std::fs::remove_file(ci.world().path("home/only-here")).unwrap();
    let seen = ci.rapid(&["verify", "--rerun", "--json"]);
    let document = seen.ends(1).json();
    let again = document.get("rerun").and_then(Value::as_list).unwrap();
    assert_eq!(text(&again[0], "outcome"), "fail");
    assert_eq!(text(&run_of(&document), "strength"), "seen by another clone");
    ci.git_rapid(&["verify", "--rerun"]).ends(1).names("RAPID1448");
    ci.git_rapid(&["push"]).ok();
    repo.git_rapid(&["fetch"]).ok();
    repo.git_rapid(&["verify", "--commit", "HEAD"]).ok().says("run again by CI <ci@example.com>: NOT green");
}

#[test]
fn whoever_made_the_run_is_no_other_party() {
    let Some(repo) = finished() else { return };
    let seen = repo.rapid(&["verify", "--rerun", "--json"]).ok().json();
    assert_eq!(text(&run_of(&seen), "strength"), "recorded here");
    repo.git_rapid(&["verify", "--commit", "HEAD"]).ok().says("who recorded the run too");
    repo.git_rapid(&["verify", "--full"]).ok();
    repo.write("greeting.sh", "echo other\n");
    repo.commit("not covered");
    repo.git_rapid(&["verify", "--rerun"]).ends(1).names("RAPID1530");
    assert_eq!(seen.get("rerun").and_then(Value::as_list).map(<[Value]>::len), Some(1));
}

#[test]
fn only_what_is_whole_can_be_run_again() {
    let Some((repo, _)) = two_machines("echo 1..1\necho ok 1 - fine\n") else { return };
    let server = repo.world().path("server");
    repo.git(&["-C", server.to_str().unwrap(), "config", "uploadpack.allowFilter", "true"]);
    let place = repo.world().path("blobless");
    let from = format!("file://{}", server.display());
    repo.git(&["clone", "--quiet", "--no-checkout", "--filter=blob:none", &from, place.to_str().unwrap()]);
    let other = Repo::at(repo.world(), place);
    other.git_rapid(&["fetch"]).ok();
    std::fs::rename(&server, repo.world().path("elsewhere")).unwrap();
    other.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    other.git_rapid(&["verify", "--rerun"]).ends(2).names("RAPID1449").says("git fetch");
}

#[test]
fn code_that_the_run_did_not_end_with_is_run_as_it_is() {
    if !somebody_can_be_asked() {
        return step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
    }
    let world = World::new();
    let repo = project(&world, "work");
    let server = world.remote("server");
    repo.git(&["remote", "add", "origin", &server.path().display().to_string()]);
    // The final code holds a file that never becomes part of a commit.
    repo.write("notes.txt", "mine\n");
    Loop::start(&repo, "Say more").work().approve().finish();
    repo.git(&["commit", "--quiet", "-m", "done", "greeting.sh"]);
    repo.git(&["push", "--quiet", "origin", "HEAD:main"]);
    repo.git_rapid(&["push"]).ok();
    let other = world.clone_of(&server, "other");
    other.git_rapid(&["fetch"]).ok();
    other.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("leaves out notes.txt");
    other.git_rapid(&["verify", "--rerun"]).ok().says("run again");
}

#[test]
fn it_runs_on_all_of_the_tree_also_where_a_clone_is_sparse() {
    let Some((_, ci)) = two_machines("echo 1..1\nsh greeting.sh | grep -q hello && echo ok 1 - greets\n") else {
        return;
    };
    for sparse in [["set", "--cone", ".rapid"].as_slice(), &["set", "--no-cone", "/*", "!/greeting.sh"]] {
        ci.git(&[&["sparse-checkout"], sparse].concat());
        let seen = ci.rapid(&["verify", "--rerun", "--json"]).ok().json();
        let again = seen.get("rerun").and_then(Value::as_list).unwrap();
        assert_eq!(text(&again[0], "outcome"), "pass", "{sparse:?}");
    }
    assert!(!ci.path().join("greeting.sh").exists());
}
