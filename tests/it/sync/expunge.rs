//! What was expunged is nowhere any more: not in the clone where it was done, not on the remote, not in other clones, in
//! whatever order they meet; and the proof holds.

use super::{clones, publishing};
use crate::harness::{Loop, Output, Repo, World, answer_after, project, somebody_can_be_asked, step_aside};
use git_rapid::domain::{
    digest::Digest,
    evidence::Evidence,
    expunged::{Expunged, Removed},
    json,
    text::RelativePath,
};

const SECRET: &str = "the plan is blue";

/// Begins a run whose baseline prints what nobody should have printed; no rule takes it for a secret.
fn leaky(repo: &Repo, title: &str) -> String {
    publishing(repo, "all");
    repo.write("test.sh", "printf 'the %s is blue\\n' plan\ntest \"$(sh greeting.sh | head -n 1)\" = hello\n");
    repo.commit("tests that talk");
    Loop::start(repo, title).run
}

/// A person expunges something at a terminal.
fn expunge_meanwhile(repo: &Repo, what: &str, run: &str, meanwhile: impl Fn()) -> Output {
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "expunge", what, "--run", run, "--reason", "it printed the plan"]);
    answer_after(command, "anything else to leave it: ", &format!("expunge {what}"), meanwhile)
}

fn expunge(repo: &Repo, what: &str, run: &str) -> Output {
    expunge_meanwhile(repo, what, run, || {})
}

fn nobody_can_be_asked() -> bool {
    if !somebody_can_be_asked() {
        step_aside("what is expunged is a person's decision, and these tests run under a coding agent");
    }
    !somebody_can_be_asked()
}

/// Whether a ref or a reflog leads to the secret.
fn leads_to_it(repo: &Repo) -> bool {
    let all = "git rev-list --objects --all --reflog | cut -d' ' -f1 | git cat-file --batch";
    repo.sh(&format!("{all} | grep -a -c '{SECRET}' || true")).stdout.trim() != "0"
}

/// Whether any byte of it is left when git has thrown away what nothing names.
fn is_anywhere(repo: &Repo) -> bool {
    repo.git(&["gc", "--quiet", "--prune=now"]);
    let objects = format!("git cat-file --batch-all-objects --batch | grep -a -c '{SECRET}' || true");
    let files = format!("grep -r -a -l '{SECRET}' \"$(git rev-parse --git-dir)\" || true");
    repo.sh(&objects).stdout.trim() != "0" || !repo.sh(&files).stdout.trim().is_empty()
}

fn says_expunged(repo: &Repo, run: &str) {
    let said = repo.rapid(&["evidence", "log", "E002", "--run", run]);
    assert!(said.stderr.contains("RAPID1205") && said.stderr.contains("was expunged by"), "{said}");
    assert!(said.stderr.contains("it printed the plan"), "the reason is said: {said}");
    let _ = repo.rapid(&["evidence", "show", "E002", "--run", run]).ok().says("expunged: evidence/");
    let _ = repo.rapid(&["evidence", "verify", "--run", run]).ok().says("it printed the plan");
    let _ = repo.rapid(&["verify", "--full"]).ok().says("proven").says("1 were expunged");
}

#[test]
fn a_log_is_removed_here_then_from_the_remote_then_from_another_clone_and_the_proof_holds() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    let run = leaky(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["fetch"]).ok();
    let _ = two.rapid(&["evidence", "log", "E002", "--run", &run]).ok().says(SECRET);
    assert!([&one, &two, &remote].into_iter().all(leads_to_it), "everybody has it");
    let tip = remote.git(&["rev-parse", "refs/rapid/ledger"]);
    let said = expunge(&one, &format!("evidence/{run}/E002/log"), &run).ok();
    let _ = said.says("git gc --prune=now").says("git rapid push origin").says("git rapid sync");
    assert!(!leads_to_it(&one), "no ref and no reflog of ours");
    says_expunged(&one, &run);
    assert!(one.shows_each_kind().contains("expunged/DIGEST.json"), "what was removed, and why, is shown");
    assert!(leads_to_it(&remote), "the remote has it still");
    let _ = one.rapid(&["push"]).ok().says("sent");
    assert!(!leads_to_it(&remote), "the push brought it about");
    assert_eq!(remote.try_git(&["merge-base", "--is-ancestor", &tip, "refs/rapid/ledger"]).code, 0, "the proof grew");
    let _ = one.rapid(&["push"]).ok().says("has this ledger already");
    let _ = two.rapid(&["sync"]).ok();
    assert!(!leads_to_it(&two));
    says_expunged(&two, &run);
    assert!(![&one, &two, &remote].into_iter().any(is_anywhere));
    assert_eq!(one.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    // The code that was kept with the same check is still there.
    let _ = two.rapid(&["evidence", "show", "E002", "--tree", "--run", &run]).ok().says("greeting.sh");
}

#[test]
fn in_whatever_order_clones_meet_it_does_not_come_back_and_nothing_else_is_lost() {
    if nobody_can_be_asked() {
        return;
    }
    let orders: [&[(usize, &str)]; 4] = [
        &[(0, "push"), (1, "push"), (0, "sync"), (1, "sync")],
        &[(1, "push"), (0, "push"), (1, "sync"), (0, "sync")],
        &[(1, "sync"), (0, "sync"), (1, "sync")],
        &[(0, "fetch"), (1, "push"), (0, "push"), (1, "fetch"), (1, "push"), (0, "sync")],
    ];
    for order in orders {
        let (_world, remote, both) = clones(["one", "two"]);
        let run = leaky(&both[0], "One thing");
        let _ = both[0].rapid(&["push"]).ok();
        publishing(&both[1], "all");
        let _ = both[1].rapid(&["fetch"]).ok();
        let own = Loop::start(&both[1], "Another thing").run;
        let _ = expunge(&both[0], &format!("evidence/{run}/E002/log"), &run).ok();
        for (who, verb) in order {
            let _ = both[*who].rapid(&[verb]).ok();
        }
        for place in [&both[0], &both[1], &remote] {
            assert!(!leads_to_it(place), "{order:?}: {}", place.path().display());
            let kept = place.git(&["ls-tree", "-r", "--name-only", "refs/rapid/attachments"]);
            assert!(kept.contains(&format!("{own}/E002/log")), "{order:?}: what the other recorded is there: {kept}");
        }
        for clone in &both {
            let _ = clone.rapid(&["verify", "--full"]).ok().says("proven").says("1 were expunged");
        }
        let tips = both.each_ref().map(|clone| clone.git(&["rev-parse", "refs/rapid/attachments"]));
        assert_eq!(tips[0], tips[1], "{order:?}: all end at the same attachments");
    }
}

#[test]
fn two_people_who_remove_the_same_do_not_diverge() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    let run = leaky(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    publishing(&two, "all");
    let _ = two.rapid(&["fetch"]).ok();
    one.git(&["config", "user.name", "Grace"]);
    let _ = expunge(&one, "E002", &run).ok().says("E002/log").says("E002/tree");
    let _ = expunge(&two, "E002", &run).ok();
    for clone in [&one, &two, &one] {
        let _ = clone.rapid(&["sync"]).ok();
    }
    assert_eq!(super::tree(&one), super::tree(&two));
    assert!(![&one, &two, &remote].into_iter().any(leads_to_it));
    let _ =
        one.rapid(&["evidence", "show", "E002", "--tree", "--run", &run]).ends(2).names("RAPID1205").says("expunged");
}

#[test]
fn what_is_not_there_or_is_gone_already_is_said_so_and_nobody_else_is_asked() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, _, [one]) = clones(["one"]);
    let run = leaky(&one, "One thing");
    let before = (one.tip(), one.git(&["rev-parse", "refs/rapid/attachments"]));
    let reason = ["--reason", "x", "--run", &run];
    let _ = one.rapid(&[&["expunge", "E002"][..], &reason].concat()).ends(1).names("RAPID1310");
    let asked = |what: &str| {
        let mut command = one.world().command("git", one.path());
        command.args(["rapid", "expunge", what]).args(reason);
        answer_after(command, "anything else to leave it: ", "yes", || {})
    };
    for (what, code) in [
        ("E002", "RAPID1310"),
        ("E099", "RAPID1210"),
        ("evidence/nobody-r1-run-001/E001/log", "RAPID1007"),
        (&format!("evidence/{run}/E002/artifacts/none"), "RAPID1540"),
        ("something", "RAPID1540"),
    ] {
        let said = asked(what);
        assert!(said.code != 0 && said.stdout.contains(code), "{what}: {said}");
    }
    assert_eq!(before, (one.tip(), one.git(&["rev-parse", "refs/rapid/attachments"])), "nothing moved");
    let log = format!("evidence/{run}/E002/log");
    let _ = expunge(&one, &log, &run).ok();
    let tip = one.tip();
    let said = expunge(&one, &log, &run);
    assert!(said.code == 1 && said.stdout.contains("RAPID1556"), "{said}");
    assert_eq!(one.tip(), tip);
}

#[test]
fn an_append_between_question_and_answer_is_kept() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, _, [one]) = clones(["one"]);
    let run = leaky(&one, "One thing");
    one.write("note", "something\n");
    let attach = || drop(one.rapid(&["attach", "note", "--task", "T001"]).ok());
    let _ = expunge_meanwhile(&one, &format!("evidence/{run}/E002/log"), &run, attach).ok();
    assert!(!leads_to_it(&one));
    let kept = one.git(&["ls-tree", "-r", "--name-only", "refs/rapid/attachments"]);
    assert!(kept.contains("artifacts/note"), "{kept}");
    one.write("note2", "something else\n");
    let _ = one.rapid(&["attach", "note2", "--task", "T001"]).ok();
    assert!(!leads_to_it(&one), "an append afterwards goes on from there");
    let _ = one.rapid(&["verify", "--full"]).ok().says("proven").says("1 were expunged");
}

#[test]
fn a_server_that_replaces_nothing_is_named() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, remote, [one]) = clones(["one"]);
    let run = leaky(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    let hook = "#!/bin/sh\ntest \"$1\" != refs/rapid/attachments\n";
    std::fs::create_dir_all(remote.path().join("hooks")).unwrap();
    std::fs::write(remote.path().join("hooks/update"), hook).unwrap();
    remote.sh("chmod +x hooks/update");
    let _ = expunge(&one, &format!("evidence/{run}/E002/log"), &run).ok();
    let _ = one.rapid(&["push"]).ok().says("RAPID1557");
    assert_eq!(remote.git(&["rev-parse", "refs/rapid/ledger"]), one.tip(), "the proof goes all the same");
    remote.sh("rm hooks/update && git update-ref -d refs/rapid/attachments");
    let _ = one.rapid(&["push"]).ok();
    assert!(!leads_to_it(&remote));
    assert!(remote.git(&["ls-tree", "-r", "--name-only", "refs/rapid/attachments"]).contains("/tree/"));
}

#[test]
fn a_server_with_our_hooks_lets_go_what_a_record_removes_and_nothing_else() {
    if nobody_can_be_asked() {
        return;
    }
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    remote.rapid(&["hooks", "install"]).ok();
    let run = leaky(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["fetch"]).ok();
    let material = "refs/rapid/attachments";
    let stale = one.git(&["rev-parse", material]);
    let _ = expunge(&one, &format!("evidence/{run}/E002/log"), &run).ok();
    // More than the record says is not let go, whatever else is said.
    let clean = one.git(&["rev-parse", material]);
    let root = one.git(&["rev-list", "--max-parents=0", material]);
    let refused =
        one.try_git(&["push", "--force", "--atomic", "origin", "refs/rapid/ledger", &format!("{root}:{material}")]);
    refused.ends(1).says("RAPID1612").says("would lose material");
    let forced = one.try_git(&["push", "--force", "origin", &format!("{clean}:{material}")]);
    forced.ends(1).says("RAPID1612").says("would lose entries");
    let _ = one.rapid(&["push"]).ok();
    assert_eq!(remote.git(&["rev-parse", material]), clean);
    assert!(!leads_to_it(&remote));
    // And what was removed is not let in again.
    let back = one.git(&["commit-tree", &format!("{stale}^{{tree}}"), "-p", &clean, "-m", "back"]);
    one.try_git(&["push", "origin", &format!("{back}:{material}")]).ends(1).says("RAPID1612");
    let _ = two.rapid(&["sync"]).ok();
    let _ = one.rapid(&["spec", "create", "--mode", "feature", "--title", "Later"]).ok();
    let _ = one.rapid(&["push"]).ok();
    assert!(!leads_to_it(&remote) && !leads_to_it(&two));
}

#[test]
fn it_works_in_a_sha256_repository() {
    if nobody_can_be_asked() {
        return;
    }
    let world = World::new();
    let repo = world.repository("work", &["--object-format=sha256"]);
    crate::harness::project_in(&repo);
    let remote = world.repository("remote.git", &["--bare", "--object-format=sha256"]);
    repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    let run = leaky(&repo, "One thing");
    let _ = repo.rapid(&["push"]).ok();
    let _ = expunge(&repo, "E002", &run).ok();
    let _ = repo.rapid(&["push"]).ok();
    assert!(!is_anywhere(&repo) && !is_anywhere(&remote));
    let _ = repo.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn a_record_that_takes_away_what_was_never_recorded_is_a_fault() {
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "One thing").run;
    let good = repo.tip();
    let path = repo.record("evidence/E002.json");
    let item = Evidence::from_value(json::parse(&repo.bytes_of(&path)).unwrap()).unwrap();
    let artifact = item.artifacts.iter().find(|artifact| artifact.path.as_str().ends_with("/log")).unwrap();
    let record = Expunged {
        run_id: item.run_id.clone(),
        evidence_id: item.id.clone(),
        evidence_digest: item.digest(),
        path: artifact.path.clone(),
        removed: Removed::File(artifact.sha256),
        reason: "a reason".to_owned(),
        by: "Ada <ada@example.com>".to_owned(),
    };
    let shard = path.split('/').nth(1).unwrap().to_owned();
    let put = |record: &Expunged, name: Option<&str>| {
        repo.move_ledger(&good);
        let name = name.map_or_else(|| record.file_name(), str::to_owned);
        let blob = repo.blob(&record.to_value().record_bytes());
        repo.append_entry(&[(&format!("expunged/{shard}/{run}/{name}"), Some(&blob))]);
    };
    put(&record, None);
    let _ = repo.verify(&["--full"]).ok();
    let other =
        RelativePath::parse(&format!("evidence/{run}/E002/artifacts/x"), git_rapid::diagnostics::Code::Rapid1555);
    let bad = [
        Expunged { removed: Removed::File(Digest::of(b"x")), ..record.clone() },
        Expunged { evidence_digest: Digest::of(b"x"), ..record.clone() },
        Expunged { path: other.unwrap(), ..record.clone() },
        Expunged { removed: Removed::Tree(None), ..record.clone() },
        Expunged { reason: " ".to_owned(), ..record.clone() },
    ];
    for bad in &bad {
        put(bad, None);
        let _ = repo.verify(&["--full"]).ends(1).finds("RAPID1555", ".json");
    }
    put(&record, Some("0123456789abcdef.json"));
    let _ = repo.verify(&["--full"]).ends(1).finds("RAPID1555", ".json");
}

#[test]
fn a_file_of_a_tree_that_was_removed_is_named_where_it_is_still_kept_and_can_be_removed_there() {
    if nobody_can_be_asked() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "One thing").run;
    repo.write("names.txt", SECRET);
    repo.git_rapid(&["check"]).ok();
    repo.write("other.txt", "other\n");
    repo.git_rapid(&["check"]).ok();
    let kept = format!("evidence/{run}/E004/tree");
    let said = expunge(&repo, "E003", &run).ok();
    let said = said.says(&format!("the same bytes are still kept as {kept} (names.txt)"));
    assert!(!said.stdout.contains("(greeting.sh)"), "what is committed is no secret: {said}");
    let said = expunge(&repo, &kept, &run).ok();
    assert!(!said.stdout.contains("names.txt"), "{said}");
    assert!(!is_anywhere_but_in_the_working_copy(&repo), "it is gone");
}

/// Whether an object holds it when git has thrown away what nothing names.
fn is_anywhere_but_in_the_working_copy(repo: &Repo) -> bool {
    repo.git(&["gc", "--quiet", "--prune=now"]);
    let objects = format!("git cat-file --batch-all-objects --batch | grep -a -c '{SECRET}' || true");
    repo.sh(&objects).stdout.trim() != "0"
}
