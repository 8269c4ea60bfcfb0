//! What was seen of a remote is remembered where neither a prune nor a collection takes it.

use super::{clones, diverged, tree};
use crate::harness::Loop;

#[test]
fn no_prune_and_no_collection_makes_a_clone_forget_what_it_verified() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    let _ = two.rapid(&["fetch"]).ends(1).names("RAPID1534");
    let theirs = one.tip();
    remote.git(&["update-ref", "-d", "refs/rapid/ledger"]);
    remote.git(&["gc", "--quiet", "--prune=now"]);
    two.git(&["fetch", "--quiet", "--prune"]);
    two.git(&["remote", "prune", "origin"]);
    two.git(&["reflog", "expire", "--expire=now", "--all"]);
    two.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(two.try_git(&["rev-parse", "--verify", "--quiet", "refs/rapid-local/remotes/origin/ledger"]).code, 1);
    assert_eq!(two.git(&["cat-file", "-t", &theirs]), "commit", "the side that diverged is still here");
    let _ = two.rapid(&["fetch"]).ends(1).names("RAPID1535").says("has no ledger any more");
    let told = two.verify(&[]).ok().finds("RAPID1553", "refs/rapid-local/remotes/origin/ledger");
    assert!(told.stdout.contains(&theirs[..12]), "the last verified tip is named: {told}");
    // A clone that still has it puts it back, without force; then the two can be joined.
    let _ = one.rapid(&["push"]).ok().says("sent");
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
    assert!(two.verify(&[]).ok().findings().iter().all(|(code, _)| code != "RAPID1553"), "nothing is missing any more");
}

#[test]
fn verify_says_that_a_remote_was_rolled_back_after_a_plain_git_fetch() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    let old = one.tip();
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["fetch"]).ok();
    remote.git(&["update-ref", "refs/rapid/ledger", &old]);
    two.git(&["fetch", "--quiet"]);
    let _ = two.verify(&[]).ok().finds("RAPID1553", "origin/ledger");
    let _ = two.rapid(&["status"]).ok().names("RAPID1553").says("was rolled back");
    let _ = two.rapid(&["status", "--json"]).ok().says("\"vanished\": \"the ledger of 'origin' was rolled back");
    remote.git(&["update-ref", "-d", "refs/rapid/ledger"]);
    two.git(&["fetch", "--quiet", "--prune"]);
    let _ = two.rapid(&["status"]).ok().names("RAPID1553").says("is gone from what was last fetched");
    let _ = two.rapid(&["push"]).ok().says("sent");
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), two.tip(), "put back without force");
    let _ = two.rapid(&["status", "--json"]).ok().says("\"vanished\": null");
}

#[test]
fn a_push_that_the_remote_accepts_and_drops_is_found_out_at_once_or_the_next_time() {
    let (_world, remote, [one]) = clones(["one"]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    let old = remote.git(&["rev-parse", "refs/rapid/ledger"]);
    remote.sh(&format!(
        "mkdir -p hooks; printf '#!/bin/sh\\ngit update-ref refs/rapid/ledger {old}\\n' > hooks/post-receive; chmod +x hooks/post-receive"
    ));
    let _ = one.rapid(&["push"]).ends(1).names("RAPID1535");
    remote.sh("rm hooks/post-receive");
    let _ = one.rapid(&["push"]).ok().says("sent");
}
