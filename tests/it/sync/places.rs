//! Where the ledger may lie: another remote, a URL, a branch; servers that refuse, hide, or cannot take two refs at once.

use super::{clones, publishing, tree};
use crate::harness::{Loop, Repo};

fn refuse(remote: &Repo, pattern: &str) {
    let hook = format!("#!/bin/sh\ncase $1 in {pattern}) echo 'not here' >&2; exit 1;; esac\n");
    std::fs::create_dir_all(remote.path().join("hooks")).unwrap();
    std::fs::write(remote.path().join("hooks/update"), hook).unwrap();
    let _ = remote.sh("chmod +x hooks/update");
}

#[test]
fn a_forge_that_takes_branches_only_is_given_one() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    refuse(&remote, "refs/rapid/*");
    Loop::start(&one, "One thing");
    let refused =
        one.rapid(&["sync"]).ends(1).names("RAPID1533").says("not here").says("your branches are not affected");
    let _ = refused.says("git config rapid.ref refs/heads/rapid-ledger");
    one.git(&["push", "--quiet", "origin", "HEAD:refs/heads/other"]);
    one.git(&["config", "rapid.ref", "refs/heads/rapid-ledger"]);
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(remote.git(&["rev-parse", "refs/heads/rapid-ledger"]), one.tip());
    // Another clone that was not told yet is.
    let _ = two.rapid(&["fetch"]).ok().says("git config rapid.ref refs/heads/rapid-ledger");
    let _ = two.rapid(&["fetch", "--json"]).ok().says("\"on_branch\": \"refs/heads/rapid-ledger\"");
    two.git(&["config", "rapid.ref", "refs/heads/rapid-ledger"]);
    let _ = two.rapid(&["sync"]).ok();
    Loop::start(&two, "Another thing");
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    let _ = one.rapid(&["sync"]).ok();
    let _ = two.rapid(&["sync"]).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
    // The rules of branches are another matter, and the hint is another.
    refuse(&remote, "refs/heads/rapid-*");
    let _ = one.rapid(&["task", "skip", "T001", "--reason", "x"]).ok();
    let refused = one.rapid(&["push"]).ends(1).names("RAPID1533").says("is a branch there");
    assert!(!refused.stderr.contains("rapid.ref"), "{refused}");
    one.git(&["config", "rapid.ref", "rapid-ledger"]);
    for verb in ["fetch", "push", "sync"] {
        let _ = one.rapid(&[verb]).ends(2).names("RAPID1554");
    }
    one.git(&["branch", "topic"]);
    for name in ["refs/heads/main", "refs/heads/topic"] {
        one.git(&["config", "rapid.ref", name]);
        let said = one.rapid(&["push"]).ends(2).names("RAPID1554");
        said.says("a branch of the code").says("rapid.ref refs/heads/rapid-ledger");
    }
}

#[test]
fn the_ledger_may_go_to_another_remote_by_name_or_url() {
    let (world, remote, [one, two, three]) = clones(["one", "two", "three"]);
    let private = world.remote("private.git");
    let url = format!("file://{}", private.path().display());
    one.git(&["remote", "add", "private", &url]);
    one.git(&["config", "rapid.remote", "private"]);
    two.git(&["config", "rapid.remote", &url]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["sync"]).ok().says("'private'");
    Loop::start(&two, "Another thing");
    let _ = two.rapid(&["sync"]).ok();
    let _ = three.rapid(&["sync", &url]).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
    assert_eq!(tree(&one), tree(&three));
    assert_eq!(remote.git(&["for-each-ref", "refs/rapid"]), "", "nothing went to origin");
    // What was seen behind a URL is remembered too.
    let old = private.git(&["rev-parse", "refs/rapid/ledger~1"]);
    private.git(&["update-ref", "refs/rapid/ledger", &old]);
    let _ = two.rapid(&["fetch"]).ends(1).names("RAPID1535");
    one.git(&["config", "rapid.remote", "--upload-pack=x"]);
    let _ = one.rapid(&["fetch"]).ends(2).names("RAPID1531");
    one.git(&["config", "rapid.remote", "ext::sh -c true"]);
    let _ = one.rapid(&["fetch"]).ends(2).names("RAPID1531");
}

#[test]
fn a_server_that_cannot_take_two_refs_at_once_gets_them_one_after_the_other() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    remote.git(&["config", "receive.advertiseAtomic", "false"]);
    for clone in [&one, &two] {
        publishing(clone, "all");
    }
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), one.tip());
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/attachments"]), one.git(&["rev-parse", "refs/rapid/attachments"]));
    Loop::start(&two, "Another thing");
    let _ = two.rapid(&["sync"]).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
}

#[test]
fn a_server_that_hides_the_ledger_is_found_out() {
    let (_world, remote, [one]) = clones(["one"]);
    Loop::start(&one, "One thing");
    remote.git(&["config", "transfer.hideRefs", "refs/rapid"]);
    let _ = one.rapid(&["push"]).ends(1).names("RAPID1533");
    remote.git(&["config", "--unset", "transfer.hideRefs"]);
    remote.git(&["config", "uploadpack.hideRefs", "refs/rapid"]);
    let _ = one.rapid(&["push"]).ends(1).names("RAPID1533").says("accepted the ledger but does not show it");
}

#[test]
fn a_server_that_refuses_the_material_gets_the_proof_all_the_same() {
    let (_world, remote, [one]) = clones(["one"]);
    publishing(&one, "all");
    refuse(&remote, "refs/rapid/attachments");
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok().says("the attachments were refused and stay here").says("not here");
    assert_eq!(remote.git(&["for-each-ref", "--format=%(refname)", "refs/rapid"]), "refs/rapid/ledger");
}
