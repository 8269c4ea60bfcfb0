//! `next` writes nothing, anywhere, at whatever point of a run it is asked.

use crate::harness::{Loop, Repo, World, everything_below, finished, project};

/// Asks twice; nothing moves, and the answers are the same bytes.
fn ask_twice(repo: &Repo) -> String {
    let before = everything_below(repo.world().top());
    let first = repo.rapid(&["next", "--json"]).ok();
    let second = repo.rapid(&["next", "--json"]).ok();
    assert_eq!(first, second, "two questions, the same bytes");
    assert_eq!(repo.rapid(&["next"]).ok(), repo.rapid(&["next"]).ok());
    let after = everything_below(repo.world().top());
    for (path, lying) in &before {
        assert_eq!(after.get(path), Some(lying), "'{}' lies as it lay", path.display());
    }
    assert_eq!(before.len(), after.len(), "nothing came and nothing went");
    let document = first.json();
    document.get("action").and_then(|action| action.get("kind")?.as_text()).unwrap().to_owned()
}

#[test]
fn next_writes_nothing_before_during_and_after_a_run() {
    let repo = project(&World::new(), "work");
    assert_eq!(ask_twice(&repo), "author_spec");
    let run = Loop::start(&repo, "Add a greeting");
    assert_eq!(ask_twice(&repo), "implement_task");
    repo.write("greeting.sh", "echo hello\necho again\n");
    repo.write("untracked file", "x");
    assert_eq!(ask_twice(&repo), "implement_task");
    run.work();
    assert_eq!(ask_twice(&repo), "await_human_approval");
    repo.write("greeting.sh", "echo hello\necho and again\n");
    assert_eq!(ask_twice(&repo), "verify", "the code is not the tested one any more");
}

#[test]
fn next_writes_nothing_when_the_run_is_over() {
    let Some(repo) = finished() else { return };
    assert_eq!(ask_twice(&repo), "done");
}

#[test]
fn next_leaves_an_index_alone_whose_stat_data_is_stale() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting").work();
    repo.git(&["add", "greeting.sh"]);
    // Same bytes, other time: git status would refresh the index here.
    repo.sh("touch -d 2020-01-01 test.sh greeting.sh");
    ask_twice(&repo);
}

#[test]
fn next_answers_while_the_index_and_the_ledger_are_locked() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    std::fs::write(repo.path().join(".git/index.lock"), "").unwrap();
    let lock = if World::refs_are_files() { "refs/rapid/ledger.lock" } else { "reftable/tables.list.lock" };
    std::fs::write(repo.path().join(".git").join(lock), "").unwrap();
    let held = std::fs::File::open(repo.path().join(".git/rapid/ledger.lock")).unwrap();
    held.lock().unwrap();
    ask_twice(&repo);
}
