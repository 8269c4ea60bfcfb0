//! Material that somebody with push rights altered, dropped or made up: nobody who fetches it is harmed.

use super::{clones, publishing};
use crate::harness::{Loop, Repo};

const MATERIAL: &str = "refs/rapid/attachments";

/// A remote with a run whose material is public, and two clones that have it.
fn published() -> (std::sync::Arc<crate::harness::World>, Repo, [Repo; 2], String) {
    let (world, remote, [one, two]) = clones(["one", "two"]);
    publishing(&one, "all");
    let run = Loop::start(&one, "One thing").run;
    let _ = one.rapid(&["push"]).ok();
    let log = one.git(&["ls-tree", "-r", "--name-only", MATERIAL]);
    let log = log.lines().find(|path| path.ends_with("/log")).unwrap().to_owned();
    assert!(log.contains(&run));
    (world, remote, [one, two], log)
}

/// A commit on top of the remote's material, whose tree a script makes in an index of its own.
fn push_on_top(remote: &Repo, script: &str) {
    let script = format!(
        "export GIT_INDEX_FILE=$PWD/forged GIT_WORK_TREE=$PWD GIT_DIR=$PWD; git read-tree {MATERIAL} && {script} && \
         git update-ref {MATERIAL} $(git -c user.name=M -c user.email=m@x commit-tree $(git write-tree) -p {MATERIAL} -m x)"
    );
    remote.sh(&script).ok();
}

#[test]
fn an_altered_log_is_left_out_and_everything_still_verifies() {
    let (_world, remote, [one, two], log) = published();
    push_on_top(
        &remote,
        &format!("git update-index --add --cacheinfo 100644,$(echo forged | git hash-object -w --stdin),{log}"),
    );
    let before = one.git(&["rev-parse", MATERIAL]);
    let forged = two.git(&["ls-remote", "origin", MATERIAL]);
    let _ = two.rapid(&["fetch"]).ok().says("1 pieces are not what any record names");
    let _ = two.verify(&[]).ok();
    // Whoever has the real thing keeps it, and still can send the proof.
    let _ = one.rapid(&["fetch"]).ok().says("left out");
    assert_eq!(one.git(&["rev-parse", MATERIAL]), before);
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    let _ = one.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
    let pushed = one.rapid(&["push"]).ok();
    assert!(format!("{pushed}").contains("not what any record names"), "{pushed}");
    let _ = one.verify(&["--full"]).ok();
    assert_eq!(two.git(&["ls-remote", "origin", MATERIAL]), forged, "nothing is forced");
    let _ = two.rapid(&["fetch"]).ok();
    let _ = two.verify(&["--full"]).ok();
}

#[test]
fn somebody_elses_branch_in_its_place_is_not_joined() {
    let (_world, remote, [one, two], _) = published();
    remote.git(&["update-ref", MATERIAL, "refs/heads/main"]);
    for clone in [&one, &two] {
        let _ = clone.rapid(&["fetch"]).ok().says("left out");
        let _ = clone.verify(&[]).ok();
        let names = clone.try_git(&["ls-tree", "-r", "--name-only", MATERIAL]).stdout;
        assert!(names.lines().all(|name| name != "greeting.sh"), "{names}");
        let main = clone.git(&["rev-parse", "main"]);
        let inside = clone.try_git(&["merge-base", "--is-ancestor", &main, MATERIAL]);
        assert_ne!(inside.code, 0, "nor is its history");
    }
}

#[test]
fn what_was_dropped_there_stays_here_and_what_was_added_beside_is_no_material() {
    let (_world, remote, [one, _two], log) = published();
    push_on_top(&remote, &format!("git update-index --force-remove {log}"));
    let _ = one.rapid(&["fetch"]).ok();
    assert!(one.git(&["ls-tree", "-r", "--name-only", MATERIAL]).contains(&log));
    let (_world, remote, [_one, two], log) = published();
    let beside = log.replace("/log", "/extra");
    push_on_top(
        &remote,
        &format!("git update-index --add --cacheinfo 100644,$(echo more | git hash-object -w --stdin),{beside}"),
    );
    let _ = two.rapid(&["fetch"]).ok().says("1 pieces are not what any record names");
    let names = two.git(&["ls-tree", "-r", "--name-only", MATERIAL]);
    assert!(names.contains(&log) && !names.contains(&beside), "the sound rest came: {names}");
}
