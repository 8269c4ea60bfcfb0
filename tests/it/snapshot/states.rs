//! Repositories in the middle of something, and of other kinds.

use super::oracle::Place;

impl Place {
    fn diverged() -> Place {
        let place = Place::new();
        place.git(&["checkout", "-q", "-b", "other"]);
        place.write("a.txt", "other\n");
        place.git(&["rm", "-q", "d/x.txt"]);
        place.commit("other");
        place.git(&["checkout", "-q", "main"]);
        place.write("a.txt", "main\n");
        place.write("d/x.txt", "main\n");
        place.commit("main");
        place
    }
}

#[test]
fn in_a_merge_with_conflicts() {
    let place = Place::diverged();
    assert!(!place.try_git(&["merge", "-q", "other"]));
    place.agrees();
    place.remove("a.txt");
    place.agrees();
}

#[test]
fn in_a_merge_where_modes_mean_nothing() {
    let place = Place::diverged();
    place.config("core.fileMode", "false");
    place.git(&["update-index", "--chmod=+x", "a.txt"]);
    place.git(&["commit", "-q", "-m", "executable"]);
    assert!(!place.try_git(&["merge", "-q", "other"]));
    place.agrees();
}

#[test]
fn in_a_rebase_a_cherry_pick_and_a_bisect() {
    let place = Place::diverged();
    assert!(!place.try_git(&["rebase", "-q", "other"]));
    place.agrees();
    place.git(&["rebase", "--abort"]);
    assert!(!place.try_git(&["cherry-pick", "other"]));
    place.agrees();
    place.git(&["cherry-pick", "--abort"]);
    place.git(&["bisect", "start", "main", "main~1"]);
    place.agrees();
}

#[test]
fn a_conflict_of_a_file_and_a_directory() {
    let place = Place::new();
    place.git(&["checkout", "-q", "-b", "other"]);
    place.remove("a.txt");
    place.write("a.txt/inside", "i\n");
    place.commit("directory");
    place.git(&["checkout", "-q", "main"]);
    place.write("a.txt", "changed\n");
    place.commit("file");
    assert!(!place.try_git(&["merge", "-q", "other"]));
    place.agrees();
}

#[test]
fn detached() {
    let place = Place::new();
    place.git(&["checkout", "-q", "--detach"]);
    place.append("a.txt", "c\n");
    place.agrees();
}

#[test]
fn unborn_with_staged_files() {
    let place = Place::unborn(&[]);
    place.write("a", "a\n");
    place.write("b", "b\n");
    place.git(&["add", "a"]);
    place.append("a", "more\n");
    place.agrees();
}

#[test]
fn with_a_stash() {
    let place = Place::new();
    place.append("a.txt", "stashed\n");
    place.git(&["stash", "-q"]);
    place.write("n", "n\n");
    place.agrees();
}

#[test]
fn long_ids() {
    let place = Place::unborn(&["--object-format=sha256"]);
    place.fill();
    place.settle();
    place.agrees();
    place.append("a.txt", "c\n");
    place.write("d/n", "n\n");
    assert_eq!(place.agrees().tree.to_string().len(), 64);
}

#[test]
fn reftable() {
    let place = Place::unborn(&["--ref-format=reftable"]);
    place.fill();
    place.append("a.txt", "c\n");
    place.write("d/n", "n\n");
    place.agrees();
}

#[test]
fn from_a_directory_below() {
    let place = Place::new();
    place.append("a.txt", "c\n");
    place.write("n", "n\n");
    place.agrees_in(&place.top, &place.path("d"));
}

#[test]
fn a_git_directory_elsewhere() {
    let place = Place::unborn(&["--separate-git-dir=../elsewhere"]);
    place.fill();
    place.append("a.txt", "c\n");
    place.agrees();
}

#[test]
fn a_tree_that_is_remembered_but_not_here() {
    let place = Place::new();
    place.settle();
    let tree = place.git(&["rev-parse", "HEAD^{tree}"]);
    let (fan, rest) = tree.split_at(2);
    let object = place.path(format!(".git/objects/{fan}/{rest}"));
    std::fs::remove_file(&object).unwrap();
    assert_eq!(place.try_snapshot(git_rapid::git::Keep::Objects).unwrap().tree.to_string(), tree);
    assert!(object.exists(), "it was written again");
}
