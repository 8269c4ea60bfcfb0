//! Files of the tree that git was told to leave out of the working copy: a check there speaks of no tree, and what we make
//! ourselves holds all of it.

use crate::harness::{Loop, Repo, World, project, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;

/// A project whose tests are those that it finds, with one in a directory of its own.
fn of_parts() -> Repo {
    let repo = project(&World::new(), "work");
    repo.write(
        "test.sh",
        "bad=0; n=0; for t in t_*.sh d/t_*.sh; do [ -f $t ] || continue; n=$((n+1))\n\
         if sh $t; then echo \"ok $n - $t\"; else echo \"not ok $n - $t\"; bad=1; fi; done; echo 1..$n; exit $bad\n",
    );
    repo.write("t_a.sh", "true\n");
    repo.write("d/t_b.sh", "test \"$(sh greeting.sh)\" = hello\n");
    repo.commit("tests");
    repo
}

#[track_caller]
fn outcome(seen: &Value) -> (&str, bool) {
    let named = seen.get("tree").is_some_and(|tree| *tree != Value::Null);
    (seen.get("outcome").and_then(Value::as_text).unwrap(), named)
}

#[test]
fn a_file_that_was_told_away_names_no_tree() {
    let repo = of_parts();
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("t_strict.sh", "false\n");
    repo.git(&["add", "t_strict.sh"]);
    repo.git(&["update-index", "--skip-worktree", "t_strict.sh"]);
    std::fs::remove_file(repo.path().join("t_strict.sh")).unwrap();
    let told = repo.git_rapid(&["snapshot", "--json"]).ok().json();
    assert_eq!(told.get("absent"), Some(&Value::list(["t_strict.sh"])));
    assert_eq!(told.get("absent_count"), Some(&Value::from(1)));
    repo.git_rapid(&["check"]).ok().says("1 file of the tree is not on the disk").says("t_strict.sh").says("--clean");
    let seen = repo.git_rapid(&["check", "--json"]).ok().json();
    assert_eq!(outcome(&seen), ("unverified", false));
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{}", repo.record("evidence/E004.json"))]);
    assert!(record.contains(r#""tree_notes":{"absent":["t_strict.sh"]}"#), "{record}");
    repo.git_rapid(&["task", "done", "T001"]).ends(1).says("stays in_progress").says("t_strict.sh");
    let clean = repo.git_rapid(&["check", "--clean", "--json"]).ends(1).json();
    assert_eq!(outcome(&clean), ("fail", true), "that ran on exactly what the tree names");
    // Back on the disk, flagged or not, it is seen.
    repo.write("t_strict.sh", "false\n");
    let seen = repo.git_rapid(&["check", "--json"]).ends(1).json();
    assert_eq!(outcome(&seen), ("fail", true));
    assert_eq!(seen.get("tree"), clean.get("tree"));
}

/// The ways to a sparse checkout in which the directory `d` is left out.
const SPARSE: [&[&str]; 4] = [
    &["sparse-checkout set --cone --no-sparse-index .rapid"],
    &["sparse-checkout set --cone --sparse-index .rapid"],
    &["sparse-checkout set --no-cone /* !/d/"],
    // As it was before git kept these settings for each worktree.
    &["config core.sparseCheckout true", "read-tree -mu HEAD"],
];

#[test]
fn a_sparse_checkout_names_no_tree_and_what_we_make_from_it_is_whole() {
    for ways in SPARSE {
        let repo = of_parts();
        repo.write("../patterns", "/*\n!/d/\n");
        let place = repo.path().join(".git/info/sparse-checkout");
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::copy(repo.world().path("patterns"), place).unwrap();
        for way in ways {
            repo.git(&way.split(' ').collect::<Vec<_>>());
        }
        assert!(!repo.path().join("d/t_b.sh").exists(), "{ways:?}");
        Loop::start(&repo, "Say more");
        repo.git_rapid(&["check", "--clean"]).ok().says("for gate.baseline");
        repo.write("greeting.sh", "echo broken\n");
        let seen = repo.git_rapid(&["check", "--json"]).ok().json();
        assert_eq!(outcome(&seen), ("unverified", false), "{ways:?}");
        repo.git_rapid(&["check"]).ok().says("not on the disk").says("d/");
        let clean = repo.git_rapid(&["check", "--clean", "--json"]).ends(1).json();
        assert_eq!(outcome(&clean), ("fail", true), "{ways:?}");
        // It stays whole, whatever git does in it.
        let script =
            "git checkout --quiet -f && git read-tree -mu HEAD && cat d/t_b.sh && test -z \"$(git status -s)\"";
        repo.git_rapid(&["check", "--clean", "--", "sh", "-c", script]).ok();
        repo.git(&["sparse-checkout", "disable"]);
        let seen = repo.git_rapid(&["check", "--json"]).ends(1).json();
        assert_eq!(outcome(&seen), ("fail", true), "{ways:?}");
    }
}

#[test]
fn the_worktree_of_a_run_is_whole() {
    let repo = of_parts();
    repo.git(&["sparse-checkout", "set", "--cone", ".rapid"]);
    repo.git_rapid(&["start", "feature", "--title", "S", "--task", "t", "--worktree"]).ok();
    let worktrees = repo.git(&["worktree", "list", "--porcelain"]);
    let place = worktrees.lines().filter_map(|line| line.strip_prefix("worktree ")).next_back().unwrap();
    let there = Repo::at(repo.world(), place.into());
    assert!(there.path().join("d/t_b.sh").exists());
    assert_eq!(outcome(&there.git_rapid(&["check", "--json"]).ok().json()), ("pass", true));
    assert!(!repo.path().join("d").exists(), "the one that it was made from is as sparse as before");
    there.git(&["checkout", "--quiet", "--detach"]);
    assert!(there.path().join("d/t_b.sh").exists());
}

#[test]
fn a_run_in_a_sparse_checkout_passes_by_clean_checks() {
    if !somebody_can_be_asked() {
        return step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
    }
    let repo = of_parts();
    repo.git(&["sparse-checkout", "set", "--cone", ".rapid"]);
    let run = Loop::start(&repo, "Say more");
    repo.git_rapid(&["check", "--clean"]).ok();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("t_a.sh", "true # twice\n");
    repo.git_rapid(&["check", "--clean"]).ok().says("for T001, gate.tests");
    repo.git_rapid(&["task", "done", "T001", "--no-check"]).ok();
    run.approve().finish();
}
