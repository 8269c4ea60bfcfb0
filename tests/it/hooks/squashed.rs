//! A squash or rebase onto a branch that moved on, seen by those who do not have the work that it was made of: each of them is told
//! what they lack and the command that brings it, and that command is typed.

use super::brought::{compared, covered, verify};
use super::{push, there};
use crate::harness::{Output, Repo, World};
use std::sync::Arc;

/// A remote whose `main` moved on while work was done on a branch that stays in its clone, and the squash of that work onto `main`.
/// The ledger is on the remote.
fn squashed() -> Option<(Arc<World>, Repo, Repo)> {
    let (world, repo, remote) = compared()?;
    repo.rapid(&["hooks", "install"]).ok();
    repo.git(&["checkout", "--quiet", "-b", "feature"]);
    covered(&repo, "Work", &[("x", "one\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("elsewhere", "by somebody\n");
    repo.commit("main moved on");
    push(&repo, &["main"]).ok();
    repo.git(&["merge", "--quiet", "--squash", "feature"]);
    repo.commit("squashed");
    repo.rapid(&["push"]).ok();
    Some((world, repo, remote))
}

/// The command in a hint that begins like this, typed in a clone.
fn type_hint(said: &Output, begins: &str, at: &Repo) {
    let lines = said.stderr.lines();
    let found = lines.filter(|line| line.contains("hint: ")).find_map(|line| line.find(begins).map(|at| &line[at..]));
    let found = found.unwrap_or_else(|| panic!("'{begins}' is in a hint of {said}"));
    let _ = at.sh(found);
}

#[test]
fn a_squash_of_work_that_was_never_pushed_is_told_to_its_author() {
    let Some((world, repo, remote)) = squashed() else { return };
    verify(&repo, "HEAD", &[]).ok().says("clean merge");
    let said = push(&repo, &["main"]).ok().names("RAPID1617").says("work-r1-run-001");
    type_hint(&said, "git push origin feature", &repo);
    let ci = world.clone_of(&remote, "ci");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &["--onto", "HEAD~1"]).ok().says("clean merge");
    // What goes along, or is there, is no reason for a word.
    let quiet = push(&repo, &["main:again"]).ok();
    assert!(!quiet.stderr.contains("RAPID1617"), "{quiet}");
    push(&repo, &["--delete", "feature"]).ok();
    let quiet = push(&repo, &["main:more", "feature:other"]).ok();
    assert!(!quiet.stderr.contains("RAPID1617"), "{quiet}");
}

#[test]
fn where_the_branch_is_gone_its_commit_is_sent_by_id() {
    let Some((world, repo, remote)) = squashed() else { return };
    let commit = repo.git(&["rev-parse", "feature"]);
    repo.git(&["branch", "--quiet", "-D", "feature"]);
    let said = push(&repo, &["main"]).ok().names("RAPID1617");
    type_hint(&said, &format!("git push origin {commit}:refs/heads/work-r1-run-001"), &repo);
    let ci = world.clone_of(&remote, "ci");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &["--onto", "HEAD~1"]).ok();
}

#[test]
fn whoever_lacks_the_code_of_a_run_is_told_how_its_author_sends_it() {
    let Some((world, repo, remote)) = squashed() else { return };
    push(&repo, &["--no-verify", "main"]).ok();
    let ci = world.clone_of(&remote, "ci");
    ci.rapid(&["fetch"]).ok();
    let said = verify(&ci, "HEAD", &["--onto", "HEAD~1"]).ends(1).names("RAPID1530").says("work-r1-run-001");
    assert!(!said.stderr.contains("git rapid start"), "the work need not be done again: {said}");
    type_hint(&said, "git push origin $(git commit-tree", &repo);
    type_hint(&said, "git fetch origin", &ci);
    verify(&ci, "HEAD", &["--onto", "HEAD~1"]).ok().says("clean merge");
    // Other work is no work of that run, and is not taken for it.
    let other = world.clone_of(&remote, "other");
    other.git(&["push", "--quiet", "origin", "--delete", "work-r1-run-001"]);
    other.git(&["fetch", "--quiet", "--prune"]);
    let fresh = world.clone_of(&remote, "fresh");
    fresh.rapid(&["fetch"]).ok();
    fresh.write("y", "mine\n");
    fresh.commit("mine");
    verify(&fresh, "HEAD", &["--onto", "HEAD~2"]).ends(1).says("git rapid start");
}

#[test]
fn a_server_that_lacks_the_code_of_a_run_asks_for_it_and_not_for_the_ledger() {
    let Some((_world, repo, remote)) = squashed() else { return };
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    let said = push(&repo, &["--no-verify", "main"]).ends(1).says("remote: error[RAPID1610]");
    assert!(!said.stderr.contains("send the ledger first"), "it was sent: {said}");
    type_hint(&said, "git push origin $(git commit-tree", &repo);
    push(&repo, &["--no-verify", "main"]).ok();
    assert_eq!(there(&remote, "refs/heads/main"), repo.git(&["rev-parse", "main"]));
}

#[test]
fn with_all_material_goes_the_code_of_runs() {
    let Some((world, repo, remote)) = squashed() else { return };
    let config = "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n[push]\nattachments = \"all\"\n";
    repo.write(".rapid/config.toml", config);
    repo.rapid(&["push"]).ok();
    let quiet = push(&repo, &["main"]).ok();
    assert!(!quiet.stderr.contains("RAPID1617"), "{quiet}");
    let ci = world.clone_of(&remote, "ci");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &["--onto", "HEAD~1"]).ok().says("clean merge");
}

#[test]
fn the_commit_that_sets_git_rapid_up_is_pushed_and_nobody_is_sent_in_a_circle() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("test.sh", "echo 'ok 1 - fine'\n");
    repo.commit("a project");
    let remote = super::remote_of(&repo);
    push(&repo, &["main"]).ok();
    let next = repo.rapid(&["init", "--harness", "claude", "--", "sh", "test.sh"]).ok().says("git push origin main");
    next.says("git commit -m 'Set up git-rapid'");
    repo.commit("Set up git-rapid");
    let said = push(&repo, &["main"]).ok().says("first rules").says("simply pushed");
    assert!(!said.stderr.contains("[RAPID") && !said.stderr.contains("reset --soft"), "{said}");
    assert_eq!(there(&remote, "refs/heads/main"), repo.git(&["rev-parse", "main"]));
    // Code that comes with the first rules is not theirs; and a run that would begin below them cannot be.
    let other = super::remote_of_another(&repo);
    push_to(&repo, "HEAD~1:refs/heads/main").ok();
    repo.write("code", "x\n");
    repo.commit("code on top");
    let said = push_to(&repo, "main").ok().names("RAPID1611");
    assert!(!said.stderr.contains("reset --soft"), "{said}");
    assert_ne!(there(&other, "refs/heads/main"), "");
}

fn push_to(repo: &Repo, what: &str) -> Output {
    repo.try_git(&["push", "another", what])
}
