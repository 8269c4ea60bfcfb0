//! Clones that git filtered: the records come in one fetch, a log in one more when somebody asks for it.

use super::{clones, publishing};
use crate::harness::{Loop, Repo, somebody_can_be_asked};

/// Runs the tool; how often the remote was asked for anything meanwhile, whoever asked.
fn asked(repo: &Repo, arguments: &[&str]) -> usize {
    let log = repo.world().path("asked");
    std::fs::write(&log, "").unwrap();
    let _ = repo.rapid(arguments).ok();
    std::fs::read_to_string(&log).unwrap().lines().count()
}

#[test]
fn a_blobless_clone_fetches_records_in_one_batch_and_a_log_in_one_more() {
    let (world, remote, [one]) = clones(["one"]);
    publishing(&one, "all");
    let run = Loop::start(&one, "One thing").run;
    let _ = one.rapid(&["push"]).ok();
    remote.git(&["config", "uploadpack.allowFilter", "true"]);
    remote.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", remote.path().display());
    world.git_at(world.top(), &["clone", "--quiet", "--filter=blob:none", &url, "filtered"]);
    let filtered = Repo::at(&world, world.path("filtered"));
    let counting = world.path("upload-pack");
    let script = format!("#!/bin/sh\necho asked >>'{}'\nexec git upload-pack \"$@\"\n", world.path("asked").display());
    std::fs::write(&counting, script).unwrap();
    filtered.sh(&format!("chmod +x {}", counting.display()));
    filtered.git(&["config", "remote.origin.uploadpack", counting.to_str().unwrap()]);
    assert_eq!(
        asked(&filtered, &["fetch"]),
        3,
        "which refs there are, what is new, and the records that the filter left out"
    );
    assert_eq!(asked(&filtered, &["verify", "--full"]), 0, "proving fetches nothing");
    let _ = filtered.rapid(&["verify", "--full"]).ok().says("proven").says("not in this clone");
    assert_eq!(asked(&filtered, &["evidence", "show", "E002", "--tree", "--run", &run]), 0);
    assert_eq!(asked(&filtered, &["evidence", "log", "E002", "--run", &run]), 1, "one log, one fetch");
    assert_eq!(asked(&filtered, &["evidence", "log", "E002", "--run", &run]), 0, "it is here now");
    assert_eq!(asked(&filtered, &["next", "--run", &run]), 0);
    std::fs::rename(remote.path(), world.path("away.git")).unwrap();
    let _ = filtered.rapid(&["evidence", "log", "E002", "--run", &run]).ok();
    let _ = filtered.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn material_that_a_remote_has_not_is_said_to_be_missing_and_how_to_get_it() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    let run = Loop::start(&one, "One thing").run;
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["fetch"]).ok();
    let said = two.rapid(&["evidence", "log", "E002", "--run", &run]).ends(2).names("RAPID1205");
    let _ = said.says("is not in this clone").says("git rapid fetch").says("push.attachments");
}

#[test]
fn in_a_clone_without_trees_the_whole_loop_works() {
    let (world, remote, [one]) = clones(["one"]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    remote.git(&["config", "uploadpack.allowFilter", "true"]);
    remote.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", remote.path().display());
    world.git_at(world.top(), &["clone", "--quiet", "--filter=tree:0", &url, "treeless"]);
    let treeless = Repo::at(&world, world.path("treeless"));
    let _ = treeless.rapid(&["fetch"]).ok();
    let _ = treeless.rapid(&["verify", "--full"]).ok().says("proven");
    let run = Loop::start(&treeless, "Another thing");
    run.work();
    if somebody_can_be_asked() {
        run.approve().finish();
        treeless.commit("work");
        let _ = treeless.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    }
    let _ = treeless.rapid(&["sync"]).ok();
    let _ = one.rapid(&["sync"]).ok();
    let _ = one.rapid(&["verify", "--full"]).ok().says("proven");
    assert_eq!(one.tip(), treeless.tip());
}
