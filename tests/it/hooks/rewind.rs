//! reference-transaction: the ledger of a clone is neither rewound nor deleted, and git's housekeeping goes on.

use crate::harness::{Loop, Repo, World, project};

fn guarded(options: &[&str]) -> Repo {
    let world = World::new();
    let repo = world.repository("work", options);
    crate::harness::project_in(&repo);
    Loop::start(&repo, "Say more");
    repo.rapid(&["task", "start", "T001"]).ok();
    repo.rapid(&["hooks", "install", "--guard-ledger"]).ok();
    repo
}

fn refuses(repo: &Repo) {
    let tip = repo.tip();
    let id = tip.as_str();
    for arguments in [
        &["update-ref", "-d", "refs/rapid/ledger"][..],
        &["update-ref", "-d", "refs/rapid/ledger", id],
        &["update-ref", "refs/rapid/ledger", "refs/rapid/ledger~1"],
        &["update-ref", "refs/rapid/ledger", "HEAD"],
        &["push", ".", "+HEAD:refs/rapid/ledger"],
        &["fetch", ".", "+HEAD:refs/rapid/ledger"],
    ] {
        let refused = repo.try_git(arguments);
        assert_ne!(refused.code, 0, "{refused}");
        refused.says("RAPID1612");
        assert_eq!(repo.tip(), id, "{arguments:?}");
    }
}

#[test]
fn a_rewind_and_a_deletion_are_refused_loose_and_packed() {
    let repo = guarded(&[]);
    refuses(&repo);
    repo.rapid(&["hooks", "status"]).ok().says("installed reference-transaction");
    repo.git(&["pack-refs", "--all"]);
    refuses(&repo);
    repo.rapid(&["task", "done", "T001", "--no-check"]).ok();
    refuses(&repo);
}

#[test]
fn housekeeping_and_honest_moves_go_on() {
    let repo = guarded(&[]);
    let other = project(repo.world(), "other");
    repo.git(&["remote", "add", "other", other.path().to_str().unwrap()]);
    for arguments in [
        &["gc", "--quiet", "--prune=now"][..],
        &["pack-refs", "--all", "--prune"],
        &["fetch", "--quiet", "--prune", "other"],
        &["maintenance", "run", "--quiet"],
        &["branch", "x"],
        &["branch", "-D", "x"],
    ] {
        repo.try_git(arguments).ok();
    }
    let before = repo.tip();
    repo.rapid(&["task", "done", "T001", "--no-check"]).ok();
    repo.git(&["pack-refs", "--all"]);
    assert_ne!(repo.tip(), before);
    // An honest move by git itself: what another clone has appended.
    let tip = repo.tip();
    repo.git(&["-c", "core.hooksPath=/dev/null", "update-ref", "refs/rapid/ledger", &before]);
    repo.git(&["update-ref", "refs/rapid/ledger", &tip]);
    repo.rapid(&["verify"]).ok();
}

#[test]
fn a_reftable_repository_is_guarded_too() {
    let world = World::new();
    if world
        .git_command(world.top())
        .args(["init", "--quiet", "--ref-format=reftable", "probe"])
        .status()
        .is_ok_and(|s| !s.success())
    {
        return crate::harness::step_aside("this git has no reftable");
    }
    let repo = guarded(&["--ref-format=reftable"]);
    refuses(&repo);
    repo.try_git(&["gc", "--quiet", "--prune=now"]).ok();
    repo.try_git(&["pack-refs", "--all"]).ok();
}
