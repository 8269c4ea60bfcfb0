//! Indexes in every form, and flags in them that hide edits.

use super::oracle::Place;

#[test]
fn intent_to_add() {
    let place = Place::new();
    place.write("ita.txt", "i\n");
    place.write("d/empty", "");
    place.git(&["add", "-N", "ita.txt", "d/empty"]);
    place.agrees();
    place.settle();
    place.agrees();
    place.remove("ita.txt");
    place.agrees();
}

#[test]
fn assume_unchanged() {
    let place = Place::new();
    place.settle();
    place.git(&["update-index", "--assume-unchanged", "a.txt", "d/x.txt"]);
    place.agrees();
    place.append("a.txt", "c\n");
    place.remove("d/x.txt");
    place.agrees();
}

#[test]
fn skip_worktree_with_and_without_the_file() {
    let place = Place::new();
    place.settle();
    place.git(&["update-index", "--skip-worktree", "a.txt", "d/x.txt"]);
    place.agrees();
    place.append("a.txt", "c\n");
    place.remove("d");
    place.agrees();
    place.write("d", "a file where a directory was left out\n");
    place.agrees();
    place.remove("a.txt");
    place.write("a.txt/new", "a directory where a file was left out\n");
    place.agrees();
}

#[test]
fn sparse_by_patterns() {
    let place = Place::new();
    place.write("e/e", "e\n");
    place.commit("e");
    place.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/d/"]);
    place.append("a.txt", "c\n");
    place.agrees();
    place.write("d/x.txt", "changed\n");
    place.write("d/new", "new\n");
    place.agrees();
}

#[test]
fn sparse_by_cones_with_and_without_a_sparse_index() {
    for option in ["--sparse-index", "--no-sparse-index"] {
        let place = Place::new();
        place.write("e/e", "e\n");
        place.write("d/sub/y.txt", "y\n");
        place.write("f/g/h", "h\n");
        place.commit("e");
        place.git(&["sparse-checkout", "set", "--cone", option, "e"]);
        place.agrees();
        place.settle();
        place.append("a.txt", "c\n");
        place.agrees();
        place.write("d/x.txt", "changed\n");
        place.agrees();
        place.write("f/g/new", "new\n");
        place.agrees();
        place.write("f/g/h", "h\n");
        place.agrees();
    }
}

#[test]
fn split_index() {
    let place = Place::new();
    place.git(&["update-index", "--split-index"]);
    place.settle();
    place.agrees();
    place.append("a.txt", "c\n");
    place.write("n", "n\n");
    place.agrees();
    place.git(&["add", "n"]);
    place.remove("d");
    place.agrees();
}

#[test]
fn untracked_cache() {
    let place = Place::new();
    place.config("core.untrackedCache", "true");
    place.git(&["update-index", "--force-untracked-cache"]);
    place.git(&["status"]);
    place.agrees();
    place.append("a.txt", "c\n");
    place.write("n", "n\n");
    place.agrees();
}

#[test]
fn versions_two_to_four() {
    for version in ["2", "3", "4"] {
        let place = Place::new();
        place.write("intended", "i\n");
        place.git(&["add", "-N", "intended"]);
        place.git(&["update-index", "--index-version", version]);
        place.append("a.txt", "c\n");
        place.agrees();
    }
}

#[test]
fn a_monitor_that_says_nothing_changed() {
    let place = Place::new();
    place.settle();
    place.write("../monitor", "#!/bin/sh\nprintf 'token\\0'\n");
    place.mode("../monitor", 0o755);
    place.config("core.fsmonitor", place.root.join("monitor").to_str().unwrap());
    place.git(&["update-index", "--fsmonitor"]);
    place.git(&["status"]);
    place.append("a.txt", "hidden\n");
    place.agrees();
}

#[test]
fn settings_that_hide_an_edit_with_its_time_put_back() {
    for (key, value) in [("core.trustctime", "false"), ("core.checkStat", "minimal"), ("core.ignoreStat", "true")] {
        let place = Place::new();
        place.settle();
        place.config(key, value);
        place.git(&["add", "-A"]);
        let path = place.path("a.txt");
        let then = std::fs::metadata(&path).unwrap().modified().unwrap();
        // Git compares whole seconds.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        place.write("a.txt", "x\ny\n");
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
        place.git(&["status"]);
        let snapshot = place.agrees();
        assert_ne!(snapshot.tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]), "{key}");
    }
}

#[test]
fn parts_of_a_second_count_where_git_would_miss_them() {
    let place = Place::new();
    place.settle();
    let path = place.path("a.txt");
    let then = std::fs::metadata(&path).unwrap().modified().unwrap();
    place.write("a.txt", "x\ny\n");
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    assert_ne!(place.snapshot().tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
}

#[test]
fn case_that_does_not_count() {
    let place = Place::new();
    place.config("core.ignoreCase", "true");
    place.append("a.txt", "c\n");
    place.write("B.TXT", "A\n");
    place.write("A.TXT", "the same name here\n");
    place.write("OTHER.LOG", "ignored\n");
    place.agrees();
}

#[test]
fn no_index_at_all() {
    let place = Place::unborn(&[]);
    place.write("a", "a\n");
    place.write("d/b", "b\n");
    place.agrees();
}

#[test]
fn an_empty_repository() {
    let place = Place::unborn(&[]);
    assert_eq!(place.agrees().tree.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

#[test]
fn an_index_that_git_rewrites_between_two_looks() {
    let place = Place::new();
    let repository = place.repository_in(&place.top);
    let options = super::oracle::options(git_rapid::git::Keep::Nothing);
    for round in 0..20 {
        place.write("a.txt", format!("{round}\n"));
        place.write("x.log", format!("{round}\n"));
        place.git(&["add", "-f", "a.txt", "x.log"]);
        assert_eq!(repository.snapshot(&options).unwrap().tree.to_string(), place.git(&["write-tree"]));
        place.git(&["rm", "-q", "--cached", "x.log"]);
        assert_eq!(repository.snapshot(&options).unwrap().tree.to_string(), place.git(&["write-tree"]));
    }
}

#[test]
fn a_damaged_index_is_an_error() {
    let place = Place::new();
    place.write(".git/index", "DIRC nonsense");
    let error = place.try_snapshot(git_rapid::git::Keep::Nothing).unwrap_err();
    assert_eq!(error.code, git_rapid::diagnostics::Code::Rapid1507);
}
