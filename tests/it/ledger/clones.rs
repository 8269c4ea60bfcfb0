//! Two clones and a remote: what one has recorded the other can verify, nothing is overwritten, and git's own commands go on
//! as before.

use crate::harness::{Loop, Repo, World, finished, project, run_of};
use git_rapid::domain::json::Value;
use std::sync::Arc;

/// A remote with the project in it, and two clones that were set up.
fn three() -> (Arc<World>, Repo, Repo, Repo) {
    let world = World::new();
    let seed = project(&world, "seed");
    let remote = world.remote("remote.git");
    seed.git(&["push", "--quiet", remote.path().to_str().unwrap(), "main"]);
    let clones = ["one", "two"].map(|name| {
        let clone = world.clone_of(&remote, name);
        clone.rapid(&["init"]).ok();
        clone
    });
    let [one, two] = clones;
    (world, remote, one, two)
}

fn result(output: &crate::harness::Output) -> String {
    output.json().get("result").and_then(Value::as_text).unwrap_or_default().to_owned()
}

#[test]
fn a_second_clone_that_trusts_nobody_verifies_a_finished_run() {
    let Some(repo) = finished() else { return };
    let world = repo.world();
    let remote = world.remote("remote.git");
    repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    repo.git(&["push", "--quiet", "origin", "main"]);
    repo.git_rapid(&["push"]).ok().says("sent refs/rapid/ledger");
    repo.git_rapid(&["push"]).ok().says("has this ledger already");
    let reviewer = world.clone_of(&remote, "reviewer");
    reviewer
        .rapid(&["verify", "--commit", "HEAD", "--require-pass"])
        .ends(2)
        .names("RAPID1510")
        .says("git rapid fetch");
    assert_eq!(result(&reviewer.git_rapid(&["fetch", "--json"]).ok()), "fast_forward");
    reviewer.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("proven").says("covered");
    assert_eq!(reviewer.tip(), repo.tip());
    assert_eq!(result(&reviewer.rapid(&["fetch", "--json"]).ok()), "up_to_date");
}

#[test]
fn what_both_have_appended_is_joined_and_a_lost_race_is_pushed_again() {
    let (_world, remote, one, two) = three();
    Loop::start(&one, "One thing");
    Loop::start(&two, "Another thing");
    one.rapid(&["push"]).ok();
    // The second was not first: it joins what is there and sends the join.
    two.rapid(&["push"]).ok();
    two.rapid(&["verify"]).ok().says("proven 4 entries");
    assert_eq!(result(&one.rapid(&["fetch", "--json"]).ok()), "fast_forward");
    assert_eq!(one.tip(), two.tip());
    assert_eq!(one.git(&["rev-list", "--count", "--merges", "refs/rapid/ledger"]), "1");
    for (clone, title) in [(&one, "Another thing"), (&two, "One thing")] {
        clone.rapid(&["next", "--run", &run_of(title, 1)]).ok();
    }
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), one.tip());
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn a_join_is_the_same_entry_whoever_makes_it() {
    let (_world, _, one, two) = three();
    Loop::start(&one, "One thing");
    Loop::start(&two, "Another thing");
    one.git(&["fetch", "--quiet", "../two", "refs/rapid/ledger:refs/rapid-local/remotes/two/ledger"]);
    one.git(&["remote", "add", "two", "../two"]);
    two.git(&["remote", "add", "one", "../one"]);
    let tips = (one.tip(), two.tip());
    assert_eq!(result(&one.rapid(&["fetch", "two", "--json"]).ok()), "joined");
    let joined = one.tip();
    one.git(&["update-ref", "refs/rapid/ledger", &tips.0]);
    assert_eq!(result(&two.rapid(&["fetch", "one", "--json"]).ok()), "joined");
    assert_eq!(two.tip(), joined, "the same bytes from either side");
    one.git(&["update-ref", "refs/rapid/ledger", &joined]);
    assert_eq!(result(&two.rapid(&["fetch", "one", "--json"]).ok()), "up_to_date", "once more changes nothing");
}

#[test]
fn many_clones_that_push_at_once_all_get_through() {
    let (world, remote, one, two) = three();
    let three = world.clone_of(&remote, "three");
    let clones = [one, two, three];
    for (clone, title) in clones.iter().zip(["Thing one", "Thing two", "Thing three"]) {
        Loop::start(clone, title);
    }
    let pushing: Vec<_> = clones
        .iter()
        .map(|clone| clone.tool().arg("push").stdout(std::process::Stdio::null()).spawn().unwrap())
        .collect();
    assert!(pushing.into_iter().all(|mut child| child.wait().unwrap().success()));
    let reader = world.clone_of(&remote, "reader");
    reader.rapid(&["fetch"]).ok();
    reader.rapid(&["verify"]).ok().says("proven");
    assert_eq!(reader.records().iter().filter(|path| path.ends_with("contract.json")).count(), 3);
}

#[test]
fn a_remote_that_was_rolled_back_is_reported_and_never_merged() {
    let (_world, remote, one, two) = three();
    let run = Loop::start(&one, "One thing");
    one.rapid(&["push"]).ok();
    let old = one.tip();
    one.rapid(&["task", "start", "T001"]).ok();
    one.rapid(&["push"]).ok();
    two.rapid(&["fetch"]).ok();
    let seen = two.tip();
    remote.git(&["update-ref", "refs/rapid/ledger", &old]);
    two.rapid(&["fetch"]).ends(1).names("RAPID1535").says("hint: ");
    assert_eq!(two.tip(), seen, "nothing was taken back");
    two.rapid(&["fetch"]).ends(1).names("RAPID1535");
    remote.git(&["update-ref", "-d", "refs/rapid/ledger"]);
    two.rapid(&["fetch"]).ends(1).names("RAPID1535");
    // Another suffix of the same length is a rewind too.
    remote.git(&["update-ref", "refs/rapid/ledger", &old]);
    one.git(&["update-ref", "refs/rapid/ledger", &old]);
    one.rapid(&["task", "skip", "T001", "--reason", "not needed"]).ok();
    one.git(&["push", "--quiet", "origin", "refs/rapid/ledger"]);
    two.rapid(&["fetch"]).ends(1).names("RAPID1535");
    assert_eq!(two.tip(), seen, "run {}", run.run);
    two.rapid(&["verify"]).ok();
}

#[test]
fn a_plain_git_fetch_in_between_does_not_hide_a_rewind() {
    let (_world, remote, one, two) = three();
    Loop::start(&one, "One thing");
    one.rapid(&["push"]).ok();
    let old = one.tip();
    one.rapid(&["task", "start", "T001"]).ok();
    one.rapid(&["push"]).ok();
    two.rapid(&["fetch"]).ok();
    remote.git(&["update-ref", "refs/rapid/ledger", &old]);
    // The forced refspec moves the tracker back; what was verified must be remembered elsewhere.
    two.git(&["fetch", "--quiet"]);
    two.rapid(&["fetch"]).ends(1).names("RAPID1535");
    assert_eq!(two.tip(), one.tip());
}

#[test]
fn one_path_with_two_records_diverges_and_nothing_is_overwritten() {
    let (_world, remote, one, two) = three();
    Loop::start(&one, "One thing");
    one.rapid(&["push"]).ok();
    two.rapid(&["fetch"]).ok();
    let run = run_of("One thing", 1);
    one.rapid(&["task", "start", "T001", "--run", &run]).ok();
    two.rapid(&["task", "skip", "T001", "--run", &run, "--reason", "not needed"]).ok();
    one.rapid(&["push"]).ok();
    let (theirs, ours) = (one.tip(), two.tip());
    for verb in ["fetch", "push"] {
        let refused = two.rapid(&[verb]).ends(1).names("RAPID1534").says("hint: ");
        assert!(refused.stderr.contains("states/0004.json"), "the path is named: {refused}");
        assert_eq!(two.tip(), ours, "ours stands");
        assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), theirs, "theirs stands");
    }
    assert_eq!(two.git(&["rev-parse", "refs/rapid-local/remotes/origin/ledger"]), theirs, "both are kept");
    two.rapid(&["verify"]).ok();
    two.rapid(&["verify", "refs/rapid-local/remotes/origin/ledger"]).ok();
}

#[test]
fn a_remote_ledger_that_does_not_verify_is_not_joined() {
    let (_world, remote, one, two) = three();
    Loop::start(&one, "One thing");
    let path = one.record("states/0001.json");
    let blob = one.blob(b"{}\n");
    one.append_entry(&[(&path, Some(&blob))]);
    one.git(&["push", "--quiet", "origin", "refs/rapid/ledger"]);
    two.rapid(&["fetch"]).ends(2).names("RAPID1517").says("does not verify");
    assert_eq!(two.try_git(&["rev-parse", "--verify", "--quiet", "refs/rapid/ledger"]).code, 1, "nothing was taken");
    let before = remote.git(&["rev-parse", "refs/rapid/ledger"]);
    Loop::start(&two, "Another thing");
    let refused = two.rapid(&["push"]);
    assert_ne!(refused.code, 0, "{refused}");
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), before, "nothing is forced");
}

#[test]
fn plain_fetch_pull_and_push_are_what_they_were_before_init() {
    let (world, remote, one, two) = three();
    // The remote has no ledger yet.
    one.git(&["fetch"]);
    one.git(&["pull", "--quiet"]);
    one.rapid(&["fetch"]).ok().says("no ledger");
    Loop::start(&one, "One thing");
    one.git(&["checkout", "--quiet", "main"]);
    one.write("more.txt", "x\n");
    one.commit("more");
    one.git(&["push", "--quiet"]);
    let refs = remote.git(&["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, "refs/heads/main", "a plain push sends the branch and nothing else");
    assert_eq!(remote.git(&["rev-parse", "main"]), one.git(&["rev-parse", "main"]));
    one.rapid(&["push"]).ok();
    two.git(&["pull", "--quiet"]);
    assert_eq!(two.git(&["rev-parse", "main"]), one.git(&["rev-parse", "main"]));
    assert_eq!(
        two.git(&["for-each-ref", "--format=%(refname)", "refs/rapid"]),
        "",
        "a pull brings a tracker, no ledger"
    );
    two.git(&["fetch", "--prune", "--quiet"]);
    two.git(&["fetch", "--all", "--quiet"]);
    one.git(&["fetch", "--prune", "--quiet"]);
    assert!(!one.tip().is_empty(), "a prune takes no ledger");
    assert!(one.git(&["config", "--get-all", "remote.origin.fetch"]).lines().count() == 2);
    assert_eq!(one.try_git(&["config", "--get-all", "remote.origin.push"]).code, 1, "no push configuration");
    one.rapid(&["init"]).ok();
    assert_eq!(one.git(&["config", "--get-all", "remote.origin.fetch"]).lines().count(), 2, "once is enough");
    let _ = world;
}

#[test]
fn a_push_that_is_only_tried_sends_nothing() {
    let (_world, remote, one, _) = three();
    Loop::start(&one, "One thing");
    one.rapid(&["push", "--dry-run"]).ok().says("would send");
    assert_eq!(remote.git(&["for-each-ref", "refs/rapid"]), "");
}

#[test]
fn a_server_that_refuses_the_ledger_is_quoted_and_branches_are_not_affected() {
    let (_world, remote, one, _) = three();
    let hook = remote.path().join("hooks/update");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\ncase $1 in refs/rapid/*) echo 'no such refs here' >&2; exit 1;; esac\n").unwrap();
    remote.sh("chmod +x hooks/update");
    Loop::start(&one, "One thing");
    one.rapid(&["push"]).ends(1).names("RAPID1533").says("no such refs here").says("hint: ");
    one.write("more.txt", "x\n");
    one.commit("more");
    one.git(&["push", "--quiet"]);
}
