//! Repositories inside the working copy: submodules, worktrees, strangers.

use super::oracle::Place;

impl Place {
    fn other(&self, name: &str) -> std::path::PathBuf {
        let other = self.root.join(name);
        self.git_in(&self.root, &["init", "-q", "-b", "main", name]);
        std::fs::write(other.join("s"), "s\n").unwrap();
        self.git_in(&other, &["add", "-A"]);
        self.git_in(&other, &["commit", "-q", "-m", "s"]);
        other
    }

    fn with_submodule() -> Place {
        let place = Place::new();
        let other = place.other("other");
        place.git(&["submodule", "--quiet", "add", other.to_str().unwrap(), "sm"]);
        place.commit("sub");
        place
    }
}

const NONE: [&str; 0] = [];

#[test]
fn a_submodule_as_it_was() {
    let place = Place::with_submodule();
    let snapshot = place.agrees();
    assert_eq!(snapshot.notes.dirty_submodules, NONE);
    assert_eq!(snapshot.notes.opaque, NONE);
}

#[test]
fn a_submodule_that_moved() {
    let place = Place::with_submodule();
    place.write("sm/t", "t\n");
    place.git_in(&place.path("sm"), &["add", "t"]);
    place.git_in(&place.path("sm"), &["commit", "-q", "-m", "t"]);
    assert_eq!(place.agrees().notes.dirty_submodules, NONE);
    place.append("sm/s", "dirty\n");
    assert_eq!(place.agrees().notes.dirty_submodules, ["sm"]);
}

#[test]
fn a_submodule_with_changes() {
    let place = Place::with_submodule();
    place.write("sm/u", "untracked\n");
    assert_eq!(place.agrees().notes.dirty_submodules, ["sm"]);
    place.remove("sm/u");
    assert_eq!(place.agrees().notes.dirty_submodules, NONE);
    place.append("sm/s", "dirty\n");
    assert_eq!(place.agrees().notes.dirty_submodules, ["sm"]);
}

#[test]
fn a_submodule_that_settings_hide() {
    let place = Place::with_submodule();
    place.config("submodule.sm.ignore", "all");
    place.write("sm/s", "changed\n");
    assert_eq!(place.snapshot().notes.dirty_submodules, ["sm"]);
    place.git_in(&place.path("sm"), &["commit", "-q", "-a", "-m", "t"]);
    let snapshot = place.snapshot();
    assert_eq!(snapshot.notes.dirty_submodules, NONE);
    place.git(&["config", "--unset", "submodule.sm.ignore"]);
    assert_eq!(snapshot.tree.to_string(), place.answer_in(&place.top));
}

#[test]
fn a_submodule_removed_or_not_checked_out() {
    let place = Place::with_submodule();
    place.remove("sm");
    place.agrees();
    std::fs::create_dir(place.path("sm")).unwrap();
    place.agrees();
    place.write("sm/stray", "s\n");
    place.agrees();
    place.remove("sm");
    place.write("sm", "a file\n");
    place.agrees();
}

#[test]
fn a_submodule_in_a_submodule() {
    let place = Place::with_submodule();
    let third = place.other("third");
    place.git_in(&place.path("sm"), &["submodule", "--quiet", "add", third.to_str().unwrap(), "deep"]);
    place.git_in(&place.path("sm"), &["commit", "-q", "-m", "deep"]);
    place.commit("deep");
    assert_eq!(place.agrees().notes.dirty_submodules, NONE);
    place.append("sm/deep/s", "dirty\n");
    assert_eq!(place.agrees().notes.dirty_submodules, ["sm"]);
}

#[test]
fn a_submodule_whose_repository_is_broken() {
    let place = Place::with_submodule();
    place.write(".git/modules/sm/HEAD", "nonsense\n");
    let snapshot = place.snapshot();
    assert_eq!(snapshot.tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
    place.write(".git/modules/sm/HEAD", "ref: refs/heads/no-such-branch\n");
    let snapshot = place.snapshot();
    assert_eq!(snapshot.tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(snapshot.notes.dirty_submodules, ["sm"]);
    assert_eq!(snapshot.notes.opaque, ["sm"]);
}

#[test]
fn an_untracked_repository() {
    let place = Place::new();
    place.other("work/nest");
    place.write("nest/loose", "not seen\n");
    let snapshot = place.agrees();
    assert_eq!(snapshot.notes.opaque, ["nest"]);
    assert!(snapshot.untracked.is_empty());
}

#[test]
fn an_untracked_repository_without_a_commit() {
    let place = Place::new();
    place.git(&["init", "-q", "nest"]);
    place.write("nest/s", "s\n");
    assert!(!place.try_git(&["add", "-A"]), "git refuses it");
    let snapshot = place.snapshot();
    assert_eq!(snapshot.tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(snapshot.notes.opaque, ["nest"]);
}

#[test]
fn an_untracked_repository_with_other_refs_or_hashes() {
    let place = Place::new();
    place.git(&["init", "-q", "--ref-format=reftable", "tables"]);
    place.write("tables/s", "s\n");
    place.git_in(&place.path("tables"), &["add", "-A"]);
    place.git_in(&place.path("tables"), &["commit", "-q", "-m", "s"]);
    assert_eq!(place.agrees().notes.opaque, ["tables"]);
    place.git(&["init", "-q", "--object-format=sha256", "long"]);
    place.write("long/s", "s\n");
    place.git_in(&place.path("long"), &["add", "-A"]);
    place.git_in(&place.path("long"), &["commit", "-q", "-m", "s"]);
    assert_eq!(place.snapshot().notes.opaque, ["long", "tables"]);
}

#[test]
fn an_ignored_repository() {
    let place = Place::new();
    place.other("work/ignored");
    assert_eq!(place.agrees().notes.opaque, NONE);
}

#[test]
fn a_repository_where_tracked_files_are() {
    let place = Place::new();
    place.git(&["init", "-q", "d"]);
    place.write("d/y.txt", "y\n");
    place.agrees();
}

#[test]
fn a_repository_in_the_place_of_a_file() {
    let place = Place::new();
    place.remove("a.txt");
    place.other("work/a.txt");
    place.agrees();
}

#[test]
fn a_linked_worktree_inside_and_from_inside() {
    let place = Place::new();
    place.git(&["worktree", "add", "-q", "wt", "-b", "other"]);
    place.write("wt/x", "x\n");
    assert_eq!(place.agrees().notes.opaque, ["wt"]);
    let inside = place.path("wt");
    let there = place.agrees_in(&inside, &inside);
    assert_eq!(there.untracked.len(), 1);
}

#[test]
fn a_linked_worktree_elsewhere() {
    let place = Place::new();
    place.git(&["worktree", "add", "-q", "../linked", "-b", "other"]);
    let linked = place.root.join("linked");
    place.write("../linked/n", "n\n");
    place.write("../linked/a.txt", "changed\n");
    place.agrees_in(&linked, &linked.join("d"));
    place.agrees();
}

#[test]
fn directories_that_only_look_like_repositories() {
    let place = Place::new();
    place.git(&["init", "-q", "--bare", "bare.git"]);
    place.write("broken/.git", "gitdir: /nonexistent\n");
    place.write("broken/f", "f\n");
    place.write("odd/.git", "not a pointer\n");
    place.write("odd/f", "f\n");
    place.write("empty/.git/config", "");
    place.write("empty/f", "f\n");
    place.agrees();
}
