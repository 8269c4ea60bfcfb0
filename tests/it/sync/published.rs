//! What a push makes public: said beforehand, to the byte, and nothing else afterwards.

use super::{clones, publishing};
use crate::harness::{Loop, Repo, finished};
use git_rapid::domain::json::Value;

/// The paths and sizes of a list of a dry run.
fn pieces(output: &crate::harness::Output, key: &str) -> Vec<(String, i64)> {
    let document = output.json();
    let list = document.get("public").and_then(|public| public.get(key)).and_then(Value::as_list).unwrap().to_vec();
    let text = |piece: &Value| piece.get("path").and_then(Value::as_text).unwrap().to_owned();
    list.iter().map(|piece| (text(piece), piece.get("size_bytes").and_then(Value::as_int).unwrap())).collect()
}

fn public_files(remote: &Repo) -> Vec<String> {
    let list = remote.try_git(&["ls-tree", "-r", "--name-only", "refs/rapid/attachments"]).stdout;
    list.lines().filter(|path| *path != "format").map(str::to_owned).collect()
}

#[test]
fn a_dry_run_says_what_would_become_public_and_what_stays() {
    let (_world, remote, [one]) = clones(["one"]);
    let run = Loop::start(&one, "One thing").run;
    let said = one.rapid(&["push", "--dry-run"]).ok().says("would send refs/rapid/ledger").says(&run);
    let _ = said.says("contract.json").says("attachments that would become public: 0").says("E002/log");
    let said = one.rapid(&["push", "--dry-run", "--json"]).ok();
    assert_eq!(pieces(&said, "attachments"), []);
    assert_eq!(pieces(&said, "stays").iter().filter(|(path, _)| path.ends_with("/log")).count(), 1);
    let records =
        said.json().get("public").and_then(|public| public.get("records")).and_then(Value::as_list).unwrap().to_vec();
    let paths: usize = records.iter().map(|subject| subject.get("paths").and_then(Value::as_list).unwrap().len()).sum();
    assert_eq!(paths, one.records().len(), "all records are new there");
    assert_eq!(remote.git(&["for-each-ref", "refs/rapid"]), "", "and nothing was sent");
    let _ = one.rapid(&["push"]).ok();
    let _ = one.rapid(&["task", "start", "T001"]).ok();
    let said = one.rapid(&["push", "--dry-run", "--json"]).ok();
    let public = said.json().get("public").cloned().unwrap();
    assert_eq!(public.get("entries").and_then(Value::as_int), Some(1));
    let _ = said.says("states/0004.json");
}

#[test]
fn final_publishes_logs_and_artifacts_of_runs_that_are_over_and_no_tree() {
    let Some(repo) = finished() else { return };
    let remote = repo.world().remote("remote.git");
    repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    let open = Loop::start(&repo, "Another thing").run;
    publishing(&repo, "final");
    let said = repo.rapid(&["push", "--dry-run", "--json"]).ok();
    let promised = pieces(&said, "attachments");
    assert!(!promised.is_empty() && promised.iter().all(|(path, _)| !path.contains(&open) && !path.contains("/tree")));
    let _ = repo.rapid(&["push"]).ok().says("refs/rapid/attachments and refs/rapid/ledger");
    let public = public_files(&remote);
    assert_eq!(public, promised.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), "exactly what was said");
    for (path, size) in &promised {
        let there = remote.git(&["cat-file", "-s", &format!("refs/rapid/attachments:{path}")]);
        assert_eq!(there, size.to_string(), "{path}");
    }
    let stays = pieces(&said, "stays");
    assert!(
        stays.iter().any(|(path, _)| path.contains(&open)) && stays.iter().any(|(path, _)| path.ends_with("/tree"))
    );
    let _ = repo.rapid(&["push"]).ok().says("has this ledger already");
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    // The reader has the logs of what is over.
    let reader = repo.world().clone_of(&remote, "reader");
    let _ = reader.rapid(&["fetch"]).ok();
    let _ = reader.rapid(&["verify"]).ok().says("proven");
    // Once the other run is over too, its logs follow; "all" brings the trees.
    let _ = repo.rapid(&["abort", "--reason", "enough"]).ok();
    let _ = repo.rapid(&["push"]).ok();
    assert!(public_files(&remote).iter().any(|path| path.contains(&open)));
    assert!(public_files(&remote).iter().all(|path| !path.contains("/tree/")));
    publishing(&repo, "all");
    let _ = repo.rapid(&["push"]).ok();
    assert!(public_files(&remote).iter().any(|path| path.contains("/tree/")));
    let _ = repo.rapid(&["push"]).ok().says("has this ledger already");
    let _ = repo.rapid(&["verify"]).ok();
}

#[test]
fn none_publishes_no_material() {
    let (_world, remote, [one]) = clones(["one"]);
    publishing(&one, "none");
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    assert_eq!(public_files(&remote), Vec::<String>::new());
}
