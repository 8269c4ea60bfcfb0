//! A remote that is fetched from one place and pushed to another: what a push sent is read back where it went.

use super::{clones, tree};
use crate::harness::{Loop, run_of};

fn url(repo: &crate::harness::Repo) -> String {
    format!("file://{}", repo.path().display())
}

#[test]
fn a_push_is_read_back_where_it_went() {
    let (world, remote, [one]) = clones(["one"]);
    let elsewhere = world.remote("elsewhere.git");
    one.git(&["remote", "set-url", "--push", "origin", &url(&elsewhere)]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok().says("sent").says("'origin (push)'");
    assert_eq!(elsewhere.git(&["rev-parse", "refs/rapid/ledger"]), one.tip());
    assert_eq!(remote.git(&["for-each-ref", "refs/rapid"]), "", "nothing went to where it is fetched from");
    let _ = one.rapid(&["push"]).ok().says("has this ledger already");
    let _ = one.rapid(&["sync"]).ok();
    // What the fetch URL shows must not pass for what the push URL has taken.
    let old = one.git(&["rev-parse", "refs/rapid/ledger~1"]);
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    one.git(&["push", "--quiet", &url(&remote), "refs/rapid/ledger"]);
    elsewhere.sh(&format!(
        "mkdir -p hooks; printf '#!/bin/sh\\ngit update-ref refs/rapid/ledger {old}\\n' > hooks/post-receive; chmod +x hooks/post-receive"
    ));
    let _ = one.rapid(&["push"]).ends(1).names("RAPID1535").says("'origin (push)'");
    elsewhere.sh("rm hooks/post-receive; git config uploadpack.hideRefs refs/rapid");
    let _ = one.rapid(&["push"]).ends(1).names("RAPID1533").says("does not show it");
}

#[test]
fn who_was_first_there_is_joined_and_what_diverged_there_can_be_decided() {
    let (world, _, [one, two]) = clones(["one", "two"]);
    let elsewhere = world.remote("elsewhere.git");
    for clone in [&one, &two] {
        clone.git(&["remote", "set-url", "--push", "origin", &url(&elsewhere)]);
    }
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    Loop::start(&two, "Another thing");
    let _ = two.rapid(&["push"]).ok();
    let _ = one.rapid(&["push"]).ok();
    let _ = one.rapid(&["fetch", &url(&elsewhere)]).ok();
    assert_eq!(tree(&one), tree(&two));
    let run = run_of("One thing", 1);
    let _ = one.rapid(&["task", "start", "T001", "--run", &run]).ok();
    let _ = two.rapid(&["task", "skip", "T001", "--run", &run, "--reason", "not needed"]).ok();
    let _ = one.rapid(&["push"]).ok();
    let refused = two.rapid(&["push"]).ends(1).names("RAPID1534");
    let command = refused.stderr.lines().find_map(|line| line.split_once("git rapid sync ")).unwrap().1.to_owned();
    let _ = two.sh(&format!("git rapid sync {}", command));
    let _ = two.rapid(&["push"]).ok();
    let _ = two.rapid(&["verify"]).ok().says("proven");
    assert_eq!(elsewhere.git(&["rev-parse", "refs/rapid/ledger"]), two.tip());
}

#[test]
fn a_remote_with_several_push_urls_gets_the_ledger_at_each() {
    let (world, _, [one]) = clones(["one"]);
    let places = [world.remote("first.git"), world.remote("second.git")];
    one.git(&["config", "--add", "remote.origin.pushurl", &url(&places[0])]);
    one.git(&["config", "--add", "remote.origin.pushurl", &url(&places[1])]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    for place in &places {
        assert_eq!(place.git(&["rev-parse", "refs/rapid/ledger"]), one.tip());
    }
}
