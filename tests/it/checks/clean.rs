//! `check --clean`: exactly the recorded tree, in a place where nothing else lies, and a record that says so.

use crate::harness::{Loop, Repo, World, project, run_of};
use git_rapid::domain::json::Value;

/// A run over a project whose tests need a file that git does not have.
fn helped() -> Repo {
    let repo = project(&World::new(), "work");
    repo.write(".gitignore", "/helper\n");
    repo.write("test.sh", "test -e helper && test \"$(sh greeting.sh)\" = hello && echo '1 passed, 0 failed'\n");
    repo.commit("tests with a helper");
    repo.write("helper", "");
    Loop::start(&repo, "Add a greeting");
    repo
}

fn payload(repo: &Repo, id: &str) -> Value {
    let path = repo.record(&format!("evidence/{id}.json"));
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{path}")]);
    git_rapid::domain::json::parse_text(&record).unwrap().get("payload").unwrap().clone()
}

#[test]
fn an_ignored_helper_makes_nothing_green() {
    let repo = helped();
    let here = repo.git_rapid(&["check", "--json"]).ok().json();
    assert_eq!(here.get("outcome").and_then(Value::as_text), Some("pass"));
    let fresh = repo.git_rapid(&["check", "--clean", "--json"]).ends(1).json();
    assert_eq!(fresh.get("outcome").and_then(Value::as_text), Some("fail"));
    assert_eq!(here.get("tree"), fresh.get("tree"), "both are about the same code");
    assert_eq!(payload(&repo, "E004").get("clean"), Some(&Value::Bool(true)));
    assert_ne!(payload(&repo, "E003").get("clean"), Some(&Value::Bool(true)));
    let shown = repo.git_rapid(&["evidence", "show", "E004", "--run", &run_of("Add a greeting", 1)]).ok();
    assert!(shown.stdout.contains("clean"), "{shown}");
}

#[test]
fn it_has_what_is_not_committed_yet_and_leaves_nothing_behind() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo.write("greeting.sh", "echo hello\necho more\n");
    repo.write("new.txt", "new\n");
    let script = "grep -q more greeting.sh && grep -q new new.txt && pwd && test ! -e .git/index.lock";
    let index = std::fs::read(repo.path().join(".git/index")).unwrap();
    let seen = repo.git_rapid(&["check", "--clean", "--", "sh", "-c", script]).ok();
    assert!(seen.stdout.contains("rapid-clean-"), "it runs elsewhere: {seen}");
    assert_eq!(repo.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
    assert_eq!(std::fs::read(repo.path().join(".git/index")).unwrap(), index);
    assert_eq!(std::fs::read_dir(repo.world().path("tmp")).unwrap().count(), 0, "the temporary directory is empty");
}

#[test]
fn what_it_writes_there_is_thrown_away_and_changes_no_tree() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    let script = "echo broken > greeting.sh; echo litter > litter; echo '1 passed, 0 failed'";
    let seen = repo.git_rapid(&["check", "--clean", "--json", "--", "sh", "-c", script]).ok().json();
    assert!(!repo.path().join("litter").exists());
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(seen.get("tree_changed"), Some(&Value::Bool(false)), "the code that is recorded did not change");
}
