//! Under which terms a run counts for a branch: those that the branch has or had, never those of a branch beside it. And a
//! branch that changes its own terms goes on.

use super::{push, remote_of, there};
use crate::harness::{Loop, Repo, World, finished, project_in, somebody_can_be_asked, step_aside};
use std::sync::Arc;

const STRICT: &str = "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\napprovals = \"signed\"\n";
const WEAK: &str = "test_command = [\"true\"]\nruleset = 4\n";
const OTHER: &str = "promised under other terms than this branch has";

/// A server that protects `main`, which asks for signatures, and a clone of what it has there.
fn guarded(config: &str) -> Option<(Arc<World>, Repo, Repo)> {
    if !somebody_can_be_asked() {
        step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
        return None;
    }
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write(".rapid/allowed_signers", "ada@example.com ssh-ed25519 AAAA\n");
    project_in(&repo);
    if !config.is_empty() {
        repo.write(".rapid/config.toml", config);
        repo.commit("ask for signatures");
    }
    let remote = remote_of(&repo);
    push(&repo, &["main"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    Some((world, repo, remote))
}

/// The working copy as one new commit on top of `parent`.
fn squashed_on(repo: &Repo, parent: &str) -> String {
    repo.git(&["add", "--all"]);
    let tree = repo.git(&["write-tree"]);
    repo.git(&["commit-tree", &tree, "-p", parent, "-m", "Greet once more"])
}

#[test]
fn a_run_under_the_weak_terms_of_a_side_branch_covers_nothing_for_the_protected_one() {
    let Some((world, repo, remote)) = guarded(STRICT) else { return };
    let main = repo.git(&["rev-parse", "main"]);
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.git(&["rm", "--quiet", ".rapid/allowed_signers"]);
    repo.write(".rapid/config.toml", WEAK);
    let side = repo.commit("rules of my own");
    let run = Loop::start(&repo, "Say more");
    repo.git(&["checkout", "--quiet", "main", "--", ".rapid"]);
    repo.write("greeting.sh", "echo evil\n");
    run.work().approve().finish();
    let evil = squashed_on(&repo, "main");
    assert_eq!(repo.git(&["diff", "--name-only", "main", &evil, "--", ".rapid"]), "", "nothing tells of the detour");

    let refused = push(&repo, &["--atomic", &format!("{evil}:main"), "refs/rapid/ledger"]).ends(1);
    refused.says("RAPID1610").says(OTHER).says("allowed_signers, config.toml").says("git rapid start");
    assert_eq!(there(&remote, "refs/heads/main"), main);
    // Nor does it help to have the side branch among the parents of what is pushed, or of what is there.
    let merged = repo.git(&["commit-tree", &format!("{evil}^{{tree}}"), "-p", "main", "-p", &side, "-m", "merged"]);
    push(&repo, &["--atomic", &format!("{merged}:main"), "refs/rapid/ledger"]).ends(1).says(OTHER);
    let harmless = repo.git(&["commit-tree", "main^{tree}", "-p", "main", "-p", &side, "-m", "nothing new"]);
    repo.git(&["branch", "harmless", &harmless]);
    remote.git(&["fetch", "--quiet", repo.path().to_str().unwrap(), "harmless:main"]);
    let above = squashed_on(&repo, &harmless);
    push(&repo, &["--atomic", &format!("{above}:main"), "refs/rapid/ledger"]).ends(1).says(OTHER);

    // Elsewhere it is said; and whoever looks at the commit in another clone sees the same.
    push(&repo, &["--atomic", &format!("{evil}:refs/heads/topic"), "refs/rapid/ledger"]).ok().says("RAPID1611");
    let clone = world.clone_of(&remote, "reviewer");
    clone.rapid(&["fetch"]).ok();
    let seen = clone.rapid(&["verify", "--commit", "origin/topic", "--require-pass"]).ends(1);
    seen.names("RAPID1530").says(OTHER).says("allowed_signers, config.toml");
    let document = clone.rapid(&["verify", "--commit", "origin/topic", "--json"]).ends(1);
    document.says("\"other_terms\"").says("\"differing\"").says("\"covered\": \"no\"");
    // A pull request that has the detour in its own history counts by the branch that it is to get to.
    let detour = squashed_on(&repo, &side);
    repo.rapid(&["verify", "--commit", &detour]).ok();
    repo.rapid(&["verify", "--commit", &detour, "--onto", "origin/main"]).ends(1).names("RAPID1530").says(OTHER);
    // The clone's own hook knows what the branch has, too.
    repo.rapid(&["hooks", "install"]).ok();
    repo.write(".rapid/config.toml", "[enforce]\npre_push = \"require\"\n");
    let refused = push(&repo, &["--force", &format!("{evil}:main")]).ends(1).says(OTHER);
    assert!(!refused.stderr.contains("remote:"), "{refused}");
}

#[test]
fn a_branch_that_changes_its_own_terms_and_one_stacked_on_it_go_on() {
    let Some((world, repo, remote)) = guarded("") else { return };
    repo.git(&["checkout", "--quiet", "-b", "feature"]);
    let run = Loop::start(&repo, "Say more");
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"./test.sh\"]\nruleset = 4\n");
    run.work();
    repo.commit("say more, by another command");
    run.approve().finish();
    let first = squashed_on(&repo, "main");
    // A second run, on top of the first branch, before that was merged.
    repo.git(&["checkout", "--quiet", "-b", "stacked"]);
    Loop::whole(&repo, "Say still more");
    push(&repo, &["--atomic", &format!("{first}:main"), "refs/rapid/ledger"]).ok();
    let second = squashed_on(&repo, &first);
    push(&repo, &[&format!("{second}:main")]).ok();
    assert_eq!(there(&remote, "refs/heads/main"), second);
    let clone = world.clone_of(&remote, "ci");
    clone.rapid(&["fetch"]).ok();
    for commit in ["origin/main", "origin/main~1"] {
        clone.rapid(&["verify", "--commit", commit, "--require-pass"]).ok().says("covered");
    }
}

#[test]
fn the_first_push_to_an_empty_server_is_judged_by_its_own_terms() {
    let Some(repo) = finished() else { return };
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    push(&repo, &["--atomic", "main", "refs/rapid/ledger"]).ok();
    assert_eq!(there(&remote, "refs/heads/main"), repo.git(&["rev-parse", "main"]));
}

#[test]
fn a_run_whose_base_commit_is_not_here_counts_by_its_terms_alone() {
    let Some(repo) = finished() else { return };
    // A history of its own, with the same code: the base commit of the run is nowhere in it.
    let alone = repo.git(&["commit-tree", "main^{tree}", "-m", "without a past"]);
    repo.rapid(&["verify", "--commit", &alone, "--require-pass"]).ok().says("covered");
    let remote = remote_of(&repo);
    push(&repo, &[&format!("{alone}:refs/heads/main")]).ok();
    repo.rapid(&["push"]).ok();
    let clone = repo.world().clone_of(&remote, "shallow");
    clone.rapid(&["fetch"]).ok();
    clone.rapid(&["verify", "--commit", "origin/main", "--require-pass"]).ok().says("covered");
}
