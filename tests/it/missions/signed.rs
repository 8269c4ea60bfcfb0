//! Approvals of a mission where the terms ask for signatures: signed as a gate's are, and never silently not.

use super::stage::{Stage, wp};
use crate::harness::Output;
use crate::signed::people_can_sign;
use git_rapid::domain::json::{self, Value};
use git_rapid::mission::{Event, EventRecord, MissionId, Subject};

/// A stage whose terms ask for signatures by Ada, with a package that waits for a person.
fn waiting() -> Stage {
    let stage = Stage::with("usual", "approvals = \"signed\"");
    let key = public_key(&stage, "ada");
    stage.repo.write(".rapid/allowed_signers", &format!("ada@example.com {key}\n"));
    stage.repo.commit("ask for signatures");
    is_at_work(&stage, "ada");
    let mut critical = wp(1, &[]);
    critical.risk = "critical";
    stage.planned(&[critical]);
    drop(stage.runs_until("approval_required"));
    stage
}

fn public_key(stage: &Stage, name: &str) -> String {
    let world = stage.repo.world();
    let place = world.path(&format!("key-{name}"));
    if !place.exists() {
        let make = ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"];
        Output::of(world.command("ssh-keygen", world.top()).args(make).arg(&place)).ok();
    }
    std::fs::read_to_string(place.with_extension("pub")).unwrap().trim().to_owned()
}

/// From now on, git's configuration is this person's.
fn is_at_work(stage: &Stage, name: &str) {
    public_key(stage, name);
    let key = stage.repo.world().path(&format!("key-{name}"));
    let user = format!("[user]\n\tname = {name}\n\temail = {name}@example.com\n\tsigningKey = {}\n", key.display());
    stage.repo.world().configure(&format!("{user}[gpg]\n\tformat = ssh\n"));
}

fn signatures(stage: &Stage) -> Vec<String> {
    let is_one = |path: &String| path.starts_with("missions/") && path.ends_with(".sig");
    stage.repo.records().into_iter().filter(is_one).collect()
}

#[test]
fn what_a_person_allows_is_signed_and_a_second_clone_can_prove_it() {
    if !people_can_sign() {
        return;
    }
    let stage = waiting();
    // Somebody whom the terms do not name, and somebody without a key: nothing is decided.
    is_at_work(&stage, "mallory");
    let refused = stage.person(&["WP-001"], "approve WP-001");
    assert!(refused.code != 0 && refused.stdout.contains("RAPID1442"), "{refused}");
    stage.repo.world().configure("[user]\n\tname = ada\n\temail = ada@example.com\n[gpg]\n\tformat = ssh\n");
    let refused = stage.person(&["WP-001"], "approve WP-001");
    assert!(refused.code != 0 && refused.stdout.contains("RAPID1445"), "{refused}");
    assert_eq!((stage.stands(1).as_str(), signatures(&stage).len()), ("approval_required", 0));
    // A list that was changed since does not count: it is that of the mission's base.
    let mallory = public_key(&stage, "mallory");
    stage.repo.write(".rapid/allowed_signers", &format!("mallory@example.com {mallory}\n"));
    stage.repo.commit("let me in");
    is_at_work(&stage, "mallory");
    let refused = stage.person(&["WP-001"], "approve WP-001");
    assert!(refused.code != 0 && refused.stdout.contains("RAPID1442"), "{refused}");
    is_at_work(&stage, "ada");
    let shown = stage.person(&["WP-001"], "approve WP-001").ok();
    assert!(shown.stdout.contains("\"signed_by\": \"ada@example.com\""), "{shown}");
    drop(stage.runs_until("approval_required"));
    stage.person(&["--final"], "approve final").ok();
    drop(stage.mission(&["complete"]).ok().says("completed"));
    assert_eq!(signatures(&stage).len(), 2);
    stage.is_clean();
    stage.verifies();
    let world = stage.repo.world();
    // By a list of the reader's own, too.
    for (name, ends) in [("ada", 0), ("mallory", 1)] {
        let list = world.path("mine");
        std::fs::write(&list, format!("{name}@example.com {}\n", public_key(&stage, name))).unwrap();
        drop(stage.repo.verify(&["--full", "--allowed-signers", list.to_str().unwrap()]).ends(ends));
    }
    world.git_at(world.top(), &["clone", "-q", "work", "copy"]).ok();
    let copy = world.path("copy");
    world.git_at(&copy, &["fetch", "-q", "origin", "refs/rapid/ledger:refs/rapid/ledger"]).ok();
    drop(Output::of(world.tool(&copy).args(["verify", "--full"])).ends(0));
}

#[test]
fn a_rejection_lets_nothing_go_on_and_may_be_unsigned() {
    if !people_can_sign() {
        return;
    }
    let stage = waiting();
    is_at_work(&stage, "mallory");
    stage.person(&["WP-001", "--reject", "--reason", "not so"], "reject WP-001").ok();
    assert_eq!((stage.stands(1).as_str(), signatures(&stage).len()), ("blocked", 0));
    stage.verifies();
}

#[test]
fn an_approval_without_a_signature_of_its_own_is_found_and_nothing_goes_on_from_it() {
    if !people_can_sign() {
        return;
    }
    let stage = waiting();
    stage.person(&["WP-001"], "approve WP-001").ok();
    let theirs = stage.repo.bytes_of(&signatures(&stage)[0]);
    drop(stage.runs_until("approval_required"));
    let tip = stage.repo.tip();
    // The end approved by a record that says so, without a signature and with that of another place.
    for (signature, signed_at, code, ends) in [(None, None, "RAPID1440", 1), (Some(theirs), Some(1), "RAPID1441", 2)] {
        let paths: Vec<String> = stage
            .repo
            .records()
            .into_iter()
            .filter(|path| path.contains("/events/") && path.ends_with(".json"))
            .collect();
        let read = |path: &String| {
            let text = String::from_utf8(stage.repo.bytes_of(path)).unwrap();
            EventRecord::from_value(json::parse_text(&text).unwrap()).unwrap()
        };
        let before: Vec<EventRecord> = paths.iter().map(read).collect();
        let (subject, by, reason) = (Subject::Final, "ada".to_owned(), String::new());
        let event = Event::Approved { subject, by, reason, signed_at };
        let forged = EventRecord::behind(&MissionId::parse("m").unwrap(), &before, &event);
        let place = paths.last().unwrap().rsplit_once('/').unwrap().0;
        let path = format!("{place}/{:04}.json", forged.ordinal);
        let beside = path.replace(".json", ".sig");
        let blob = stage.repo.blob(&forged.to_value().record_bytes());
        let signed = signature.map(|bytes| stage.repo.blob(&bytes));
        let mut entry = vec![(&*path, Some(&*blob))];
        entry.extend(signed.as_ref().map(|blob| (&*beside, Some(&**blob))));
        stage.repo.append_entry(&entry);
        let found = stage.repo.verify(&["--full"]).ends(1);
        assert!(found.to_string().contains(code), "{code}: {found}");
        drop(stage.mission(&["complete"]).ends(ends).names(code));
        drop(stage.mission(&["run"]).ends(ends).names(code));
        let shown = stage.mission(&["status"]).ok();
        assert!(shown.stderr.contains(code), "it can be looked at: {shown}");
        assert_ne!(stage.status().get("status").and_then(Value::as_text), Some("completed"));
        stage.repo.move_ledger(&tip);
    }
    stage.verifies();
}
