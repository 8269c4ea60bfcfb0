//! A run or spec that went on in two clones: nobody's records are overwritten, a person decides, every clone ends at one tree,
//! and the other side stays readable.

use super::{clones, diverged, publishing, tree};
use crate::harness::{Loop, Repo};
use git_rapid::domain::json::Value;
use std::process::Stdio;

/// Where the first task of a run stands.
fn status_of_task(repo: &Repo, run: &str) -> String {
    let shown = repo.rapid(&["run", "show", run, "--json"]).ok().json();
    let tasks = shown.get("state").and_then(|state| state.get("tasks")).and_then(Value::as_list).unwrap().to_vec();
    tasks[0].get("status").and_then(Value::as_text).unwrap().to_owned()
}

#[test]
fn what_diverged_is_named_with_the_way_out_and_both_tips_are_kept() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    let (theirs, ours) = (one.tip(), two.tip());
    let refused = two.rapid(&["sync"]).ends(1).names("RAPID1534").says(&format!("run '{run}'"));
    let _ = refused
        .says(&format!("git rapid sync origin --take ours --subject {run}\n"))
        .says(&format!("git rapid sync origin --take theirs --subject {run}\n"))
        .says("states/0004.json");
    assert_eq!(two.tip(), ours);
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), theirs);
    let kept = two.git(&["for-each-ref", "--format=%(objectname)", "refs/rapid-local/diverged/"]);
    assert_eq!(kept, theirs, "their tip is kept where no refspec leads");
    let _ = two.rapid(&["sync", "--json"]).ends(1).says("\"RAPID1534\"");
}

#[test]
fn the_chosen_side_stands_and_the_other_stays_readable_in_every_clone() {
    for (side, stands, aside) in [("ours", "skipped", "in_progress"), ("theirs", "in_progress", "skipped")] {
        let (world, remote, [one, two, three]) = clones(["one", "two", "three"]);
        let run = diverged(&one, &two);
        let _ = three.rapid(&["fetch"]).ok();
        Loop::start(&three, "Another thing");
        let done = two.rapid(&["sync", "--take", side, "--subject", &run, "--json"]).ok();
        assert_eq!(done.json().get("result").and_then(Value::as_text), Some("decided"));
        assert_eq!(two.git(&["for-each-ref", "refs/rapid-local/diverged/"]), "", "what was joined needs no keeping");
        for clone in [&one, &three, &one, &two] {
            let _ = clone.rapid(&["sync"]).ok();
        }
        let reader = world.clone_of(&remote, "reader");
        let _ = reader.rapid(&["sync"]).ok().says("has this ledger already");
        for clone in [&one, &two, &three, &reader] {
            assert_eq!(tree(clone), tree(&two), "{side}: every clone ends at the same tree");
            let _ = clone.rapid(&["validate"]).ok();
            let verified = clone.rapid(&["verify", "--full"]).ok().says("proven").says("RAPID1552");
            assert!(verified.stdout.contains(&run) || verified.stderr.contains(&run), "it is said which: {verified}");
            assert_eq!(status_of_task(clone, &run), stands, "{side}");
            let path = clone.records().into_iter().find(|path| path.ends_with("/aside/states/0004.json")).unwrap();
            assert!(clone.rapid(&["cat", &path]).ok().stdout.contains(aside), "the other side is readable");
            let _ = clone.rapid(&["show", &path]).ok().says(aside);
            // What the finding names is read as it stands there.
            let (set_aside, _) = path.split_once("/aside/").unwrap();
            let (directory, _) = set_aside.rsplit_once('/').unwrap();
            let all = clone.rapid(&["cat", directory]).ok().says(&format!("==> {path}\n"));
            assert!(all.stdout.contains(aside), "{all}");
        }
        crate::manual::records_fit(&reader);
        // The run goes on from the side that stands.
        let _ = one.rapid(&["run", "status", &run, "blocked", "--reason", "x"]);
        let _ = one.rapid(&["verify"]).ok();
    }
}

#[test]
fn several_processes_of_one_clone_may_sync_at_once() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    Loop::start(&two, "Another thing");
    let spawn = |_| two.tool().arg("sync").stdout(Stdio::null()).spawn().unwrap();
    let syncing: Vec<_> = (0..4).map(spawn).collect();
    assert!(syncing.into_iter().all(|mut child| child.wait().unwrap().success()));
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
}

#[test]
fn who_decided_what_is_in_the_log() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    let _ = two.rapid(&["log", "-n", "1"]).ok().says(&format!("decide about {run}"));
    let tip = two.tip();
    let shown = two.rapid(&["show", &tip]).ok().says("Ada <ada@example.com>").says("decision.json");
    let _ = shown.says("a merge that decided");
    let record = two.records().into_iter().find(|path| path.ends_with("/decision.json")).unwrap();
    let kinds = two.shows_each_kind();
    assert!(kinds.contains("diverged/runs/decision.json"), "{kinds:?}");
    let record = two.rapid(&["cat", &record]).ok();
    assert!(
        record.stdout.contains("\"kept\":{\"states/0004.json\":") && record.stdout.contains("\"round\":1"),
        "{record}"
    );
}

#[test]
fn two_clones_that_decide_differently_are_asked_once_more() {
    let (world, remote, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    // The remote's side wins here, two's side wins there; the second to arrive is asked.
    one.git(&["fetch", "--quiet", two.path().to_str().unwrap(), "refs/rapid/ledger:refs/heads/two-ledger"]);
    let beside = world.remote("beside.git");
    two.git(&["push", "--quiet", beside.path().to_str().unwrap(), "refs/rapid/ledger"]);
    one.git(&["remote", "add", "beside", beside.path().to_str().unwrap()]);
    let _ = one.rapid(&["sync", "beside", "--take", "ours", "--subject", &run]).ok();
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    let _ = one.rapid(&["sync", "origin"]).ends(1).names("RAPID1534");
    let _ = one.rapid(&["sync", "origin", "--take", "ours", "--subject", &run]).ok();
    let _ = two.rapid(&["sync", "origin"]).ok();
    assert_eq!(tree(&one), tree(&two));
    let _ = two.rapid(&["verify", "--full"]).ok();
    assert_eq!(status_of_task(&two, &run), "in_progress", "the second round decides");
    let rounds = two.git(&["ls-tree", "--name-only", "-d", "-r", "refs/rapid/ledger", "--", "diverged/"]);
    assert!(rounds.lines().any(|line| line.contains("/0002-")), "{rounds}");
    let _ = remote;
}

#[test]
fn work_that_went_on_with_what_was_set_aside_is_asked_about_and_not_mixed_in() {
    let (_world, _, [one, two, three]) = clones(["one", "two", "three"]);
    let run = diverged(&one, &two);
    let _ = three.rapid(&["fetch"]).ok();
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    // The third had gone on from the side that was set aside: its fifth state is no step from the fourth that stands.
    let _ = three.rapid(&["task", "block", "T001", "--run", &run, "--reason", "waiting"]).ok();
    let ours = three.tip();
    let _ = three.rapid(&["sync"]).ends(1).names("RAPID1534").says(&run);
    assert_eq!(three.tip(), ours);
    let _ = three.rapid(&["verify"]).ok();
    let _ = three.rapid(&["sync", "--take", "theirs", "--subject", &run]).ok();
    let _ = two.rapid(&["sync"]).ok();
    assert_eq!(tree(&two), tree(&three));
    let _ = two.rapid(&["verify", "--full"]).ok();
    let _ = one;
}

#[test]
fn a_spec_that_was_revised_twice_diverges_with_the_run_that_was_opened_on_it() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    for clone in [&one, &two] {
        // The same title on both sides: the same spec, the same run, other bytes.
        let task = if clone.path() == one.path() { "Do it" } else { "Do it well" };
        let _ = clone.rapid(&["start", "feature", "--title", "Same thing", "--task", task]).ok();
    }
    let _ = one.rapid(&["push"]).ok();
    let refused = two.rapid(&["sync"]).ends(1).names("RAPID1534").says("spec 'same-thing'");
    let _ = refused.says("run 'same-thing-r1-run-001'");
    let mixed =
        ["sync", "--take", "ours", "--subject", "same-thing", "--take", "theirs", "--subject", "same-thing-r1-run-001"];
    let _ = two.rapid(&mixed).ends(1).names("RAPID1534");
    let _ = two.rapid(&["verify"]).ok();
    let both = ["sync", "--take", "theirs", "--subject", "same-thing", "--subject", "same-thing-r1-run-001"];
    let _ = two.rapid(&both).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(tree(&one), tree(&two));
    let _ = one.rapid(&["verify", "--full"]).ok();
    let spec = one.rapid(&["spec", "show", "same-thing"]).ok();
    assert!(spec.stdout.contains("Do it") && !spec.stdout.contains("Do it well"), "{spec}");
}

#[test]
fn where_nothing_diverged_there_is_nothing_to_decide() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    let _ = one.rapid(&["sync"]).ok().says("no ledger yet");
    let run = Loop::start(&one, "One thing").run;
    let _ = one.rapid(&["sync"]).ok().says("sent refs/rapid/ledger");
    let _ = two.rapid(&["sync"]).ok().says("has this ledger already");
    Loop::start(&two, "Another thing");
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ends(1).names("RAPID1551");
    let _ = two.rapid(&["sync"]).ok();
    let _ = two.rapid(&["sync", "--take", "ours"]).ends(2);
    let _ = two.rapid(&["sync", "--take", "mine", "--subject", &run]).ends(2);
    let wrong = ["sync", "--take", "ours", "--take", "theirs", "--subject", &run];
    let _ = two.rapid(&wrong).ends(2).names("RAPID001");
    let _ = two.rapid(&["verify", "--json"]).ok();
    assert!(two.records().iter().all(|path| !path.starts_with("diverged/")), "nothing was decided");
}

#[test]
fn material_of_both_sides_stays_readable() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    for clone in [&one, &two] {
        publishing(clone, "all");
    }
    let run = Loop::start(&one, "One thing").run;
    let _ = one.rapid(&["push"]).ok().says("refs/rapid/attachments");
    let _ = two.rapid(&["fetch"]).ok();
    for (clone, text) in [(&one, "from one\n"), (&two, "from two\n")] {
        clone.write("note.txt", text);
        let _ = clone.rapid(&["attach", "note.txt", "--run", &run, "--task", "T001"]).ok();
    }
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["sync"]).ends(1).names("RAPID1534");
    let _ = two.rapid(&["sync", "--take", "theirs", "--subject", &run]).ok();
    let _ = one.rapid(&["sync"]).ok();
    assert_eq!(one.git(&["rev-parse", "refs/rapid/attachments"]), two.git(&["rev-parse", "refs/rapid/attachments"]));
    for clone in [&one, &two] {
        let _ = clone.rapid(&["verify", "--full"]).ok().says("are here");
        let cat = |path: &str| clone.rapid(&["cat", path]).ok().stdout;
        assert_eq!(cat(&format!("evidence/{run}/E003/artifacts/note.txt")), "from one\n", "the record tells which");
        let kept = clone.git(&["ls-tree", "-r", "--name-only", "refs/rapid/attachments", "--", "other/"]);
        let bytes = clone.git(&["cat-file", "blob", &format!("refs/rapid/attachments:{kept}")]);
        assert!(bytes == "from one" || bytes == "from two", "{kept}: {bytes}");
    }
    // The number is given away again; the material of the record that was set aside stays.
    let _ = two.rapid(&["attach", "note.txt", "--run", &run, "--task", "T001"]).ok();
    let _ = two.rapid(&["verify", "--full"]).ok();
}

#[test]
fn what_diverged_is_said_until_it_is_decided_and_a_decision_where_it_matters() {
    let (_world, _remote, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    let _ = two.rapid(&["sync"]).ends(1).names("RAPID1534");
    let way_out = format!(
        "git rapid sync origin --take ours --subject {run}, or git rapid sync origin --take theirs --subject {run}"
    );
    let said = two.rapid(&["status"]).ok().says(&format!("diverged from this ledger about run '{run}'")).says(&way_out);
    assert!(!said.stdout.contains("to fetch: git rapid sync"), "{said}");
    let _ = two.rapid(&["next", "--run", &run]).ok().says("nobody decided which side stands").says(&way_out);
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    let said = two.rapid(&["status"]).ok();
    assert!(!said.stdout.contains("diverged from this ledger"), "{said}");
    let _ = two.rapid(&["next", "--run", &run]).ok().says("1 decision set records of it aside");
    let _ = two.rapid(&["verify"]).ok().says("RAPID1552");
    // It says nothing of a commit that rests on another run, or on none.
    two.write("elsewhere", "x");
    let commit = two.commit("elsewhere");
    let said = two.rapid(&["verify", "--commit", &commit, "--format", "github"]).ends(1);
    assert!(!said.stdout.contains("RAPID1552") && !said.stdout.contains("::warning"), "{said}");
}
