//! What somebody asks who did not do the work: a reviewer, a newcomer in another clone, who typed something nearly right. The answer is
//! one command away, and every command in a hint can be typed as it stands.

use crate::harness::{GATE, Loop, Output, Repo, World, finished, project};
use git_rapid::domain::json::Value;

fn hints(said: &Output) -> Vec<&str> {
    said.stderr.lines().filter_map(|line| line.strip_prefix("hint: ")).collect()
}

/// The same, when it gives no hint but what is said here, beside `explain`.
fn hinted(said: Output, word: &str) -> Output {
    let said = said.says(word);
    assert!(hints(&said).iter().any(|hint| hint.contains(word)), "a hint says '{word}': {said}");
    said
}

#[test]
fn a_reviewer_reads_who_decided_what_and_how_much_it_changed_in_one_command() {
    let Some(repo) = finished() else { return };
    let said = repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    let year = &said.stdout[said.stdout.find("finished ").unwrap()..];
    assert!(year.starts_with("finished 20"), "{said}");
    said.says("    Add a greeting; finished ")
        .says("1 file changed")
        .says(&format!("    {GATE} approved by Ada, 20"))
        .says("(not signed)")
        .says("no tests counted");
    let document = repo.verify(&["--commit", "HEAD"]).ok().json();
    let runs = document.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap();
    let told = runs[0].get("told").unwrap();
    assert_eq!(told.get("title").and_then(Value::as_text), Some("Add a greeting"));
    assert_eq!(told.get("files_changed").and_then(Value::as_int), Some(1));
    assert!(told.get("finished_at").and_then(Value::as_text).is_some());
    let decided = told.get("decided").and_then(Value::as_list).unwrap();
    assert_eq!(decided.len(), 1);
    assert_eq!(decided[0].get("signed"), Some(&Value::from(false)));
    assert_eq!(decided[0].get("outcome").and_then(Value::as_text), Some("approved"));
}

#[test]
fn a_commit_that_a_run_covers_is_shown_as_that_run() {
    let Some(repo) = finished() else { return };
    let head = repo.git(&["rev-parse", "HEAD"]);
    for name in ["HEAD", "main", &head, &head[..12]] {
        repo.rapid(&["show", name]).ok().says("add-a-greeting-r1-run-001/contract.json");
    }
    let said = repo.rapid(&["show", "HEAD~1"]).ends(2).names("RAPID1540");
    hinted(said, "git rapid verify --commit");
}

#[test]
fn another_clone_is_told_which_runs_are_open_and_who_has_them() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = crate::hooks::remote_of(&repo);
    repo.git(&["push", "--quiet", "origin", "main"]);
    Loop::start(&repo, "Say more");
    repo.rapid(&["push"]).ok();
    let other = world.clone_of(&remote, "other");
    hinted(other.rapid(&["log"]).ends(2).names("RAPID1510"), "git rapid fetch origin");
    for words in [&["verify"][..], &["show", "HEAD"], &["export", "--format", "json", "--run", "x-r1-run-001"]] {
        let said = other.rapid(words).ends(2);
        assert!(!said.stderr.contains("git rapid start"), "{said}");
        hinted(said, "git rapid fetch origin");
    }
    other.rapid(&["fetch"]).ok();
    let said = other.rapid(&["status"]).ok();
    said.says("open in the ledger: run say-more-r1-run-001 is active, held by Ada <ada@example.com>")
        .says("git rapid brief --run say-more-r1-run-001")
        .says("git rapid next --run say-more-r1-run-001");
    other.rapid(&["brief", "--run", "say-more-r1-run-001"]).ok();
    other.rapid(&["next", "--run", "say-more-r1-run-001"]).ok();
    other.rapid(&["status", "--json"]).ok().json();
    for words in [&["show", "E003"][..], &["evidence", "list"], &["eval", "show"], &["abort"]] {
        hinted(other.rapid(words).ends(2).names("RAPID1300"), "git rapid run list");
    }
    // Where it is active it is no news.
    let own = repo.rapid(&["status"]).ok();
    assert!(!own.stdout.contains("open in the ledger"), "{own}");
    repo.rapid(&["abort"]).ok();
    let own = repo.rapid(&["status"]).ok();
    assert!(!own.stdout.contains("open in the ledger"), "{own}");
}

#[test]
fn a_ledger_that_begins_here_is_said_to_begin_with_a_run_or_a_mission() {
    let world = World::new();
    let repo = project(&world, "work");
    let said = repo.rapid(&["log"]).ends(2).names("RAPID1510");
    hinted(hinted(said, "git rapid start"), "git rapid mission plan");
}

#[test]
fn a_task_that_has_nothing_to_run_is_closed_as_the_hint_says() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write(".rapid/config.toml", "ruleset = 4\n");
    repo.commit("no tests");
    repo.rapid(&["start", "research", "--title", "Look", "--task", "Read"]).ok();
    repo.rapid(&["task", "start", "T001"]).ok();
    let said = repo.rapid(&["task", "done", "T001"]).ends(2).names("RAPID1302");
    hinted(said, "git rapid task done T001 --no-check");
    hinted(repo.rapid(&["check"]).ends(125).names("RAPID1302"), "git rapid check -- sh tests.sh");
    repo.rapid(&["task", "done", "T001", "--no-check"]).ok();
}

#[test]
fn what_was_nearly_right_is_answered_with_what_is_right() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    let said = |words: &[&str]| repo.rapid(words);
    hinted(said(&["task", "start", "T1"]).names("RAPID1010"), "did you mean 'T001'?");
    hinted(said(&["task", "start", "T9"]).names("RAPID1010"), "did you mean 'T009'?");
    hinted(said(&["task", "start", "first"]).names("RAPID1010"), "git rapid status");
    let block = said(&["task", "block", "T001", "--reason", "no key"]);
    assert_ne!(block.code, 0);
    hinted(block, "git rapid task start T001");
    hinted(said(&["approve", "final-verification"]).names("RAPID1013"), "did you mean 'gate.final-verification'?");
    let machine = said(&["approve", "gate.tests"]).names("RAPID1311");
    assert!(!machine.stderr.contains("ask a person"), "{machine}");
    hinted(machine, "git rapid check --gate gate.tests");
    said(&["log", "--run", "A"]).ends(2).names("RAPID001").says("git rapid run list");
    hinted(said(&["verify", "--format", "xml"]).ends(2).names("RAPID001"), "--format junit");
    said(&["spec", "diff", "say-more", "r1", "r1"]).ok().says("say the same");
    said(&["spec", "diff", "say-more", "1", "r1"]).ok();
    let odd = said(&["spec", "diff", "say-more", "x"]).ends(2).names("RAPID001").says("write it as r2");
    assert!(!odd.stderr.contains("invalid digit"), "{odd}");
}

#[test]
fn the_policy_is_checked_for_the_active_run_where_no_spec_is_named() {
    let world = World::new();
    let repo = project(&world, "work");
    hinted(repo.rapid(&["policy", "check"]).ends(2).names("RAPID1300"), "--spec-file FILE");
    Loop::start(&repo, "Say more");
    repo.rapid(&["policy", "check"]).ok().says("Say more (feature)").says(GATE);
    repo.rapid(&["run", "list"]).ok().says("VERDICT").says("say-more-r1-run-001");
}

#[test]
fn init_asks_for_the_tests_where_it_knows_none_and_takes_them_then() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("README", "nothing to recognise\n");
    repo.commit("a project");
    repo.rapid(&["init", "--no-hooks"]).ok().says("such as: git rapid init -- npm run check");
    let said = repo.rapid(&["init", "--no-hooks", "--", "npm", "run", "check"]).ok();
    assert!(!said.stdout.contains("such as: git rapid init"), "{said}");
    let text = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    assert!(text.contains("test_command = [\"npm\", \"run\", \"check\"]"), "{text}");
    // What somebody wrote is theirs.
    repo.write(".rapid/config.toml", "ruleset = 4\n");
    repo.rapid(&["init", "--no-hooks", "--", "make"]).ends(2).names("RAPID001");
    unchanged(&repo);
}

fn unchanged(repo: &Repo) {
    assert_eq!(std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap(), "ruleset = 4\n");
}
