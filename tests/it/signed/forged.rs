//! Signatures that were put where they do not belong: every reader finds them.

use super::team::{NAMESPACE, Team, people_can_sign};
use crate::harness::{GATE, World, project};
use git_rapid::domain::{
    digest::Digest,
    json::{self, Value},
};

/// A team with a run that passed, and that run's id.
fn passed() -> (Team, String) {
    let team = Team::with("", &["ada"]);
    let run = passed_run(&team, "Say more");
    (team, run)
}

fn passed_run(team: &Team, title: &str) -> String {
    let run = team.worked(title);
    run.try_approve(&format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit(title);
    run.run
}

/// `verify` names the code at the signature, the run covers nothing, and its judgement is not a pass.
fn does_not_count(team: &Team, run: &str, code: &str, at: &str) {
    let _ = team.repo.verify(&["--full"]).ends(1).finds(code, at);
    let covered = team.repo.verify(&["--commit", "HEAD", "--require-pass"]).ends(1).json();
    assert_eq!(covered.get("commit").and_then(|commit| commit.get("covered")).and_then(Value::as_text), Some("no"));
    team.repo.git_rapid(&["eval", "run", "--run", run, "--require-pass"]).ends(1);
}

/// The record with its own digest made to hold again.
fn sealed(value: Value) -> Vec<u8> {
    let digest = Digest::of_value(&value.clone().without("content_digest"));
    value.with("content_digest", digest.to_string()).record_bytes()
}

#[test]
fn a_signature_that_was_put_back_the_way_it_was_holds() {
    if !people_can_sign() {
        return;
    }
    // The other tests here forge one thing each: without it, the forged ledger is proven.
    let (team, run) = passed();
    let path = team.signature_of(&run);
    let again = team.signed_by("ada", NAMESPACE, &team.statement(&run));
    team.forge(&[(&path, Some(&again))]);
    let _ = team.repo.verify(&["--full", "--commit", "HEAD", "--require-pass"]).ok();
}

#[test]
fn a_signature_whose_bytes_were_changed_does_not_hold() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let path = team.signature_of(&run);
    let good = String::from_utf8(team.repo.bytes_of(&path)).unwrap();
    // The signature itself is at the end of the armor.
    let at = good.rfind("\n-----END").unwrap() - 8;
    let other = if good.as_bytes()[at] == b'x' { "y" } else { "x" };
    let changed = format!("{}{other}{}", &good[..at], &good[at + 1..]);
    for bytes in [changed.as_bytes(), b"", b"-----BEGIN SSH SIGNATURE-----\n", &vec![b'a'; 100_000]] {
        team.forge(&[(&path, Some(bytes))]);
        does_not_count(&team, &run, "RAPID1441", &path);
    }
}

#[test]
fn a_signature_for_something_else_does_not_hold() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let path = team.signature_of(&run);
    let statement = team.statement(&run);
    for namespace in ["git", "file", "approval@git-rapid.example"] {
        team.forge(&[(&path, Some(&team.signed_by("ada", namespace, &statement)))]);
        does_not_count(&team, &run, "RAPID1441", &path);
    }
    // The same decision in another place: each member of the statement, changed by itself.
    let place = json::parse(&statement).unwrap();
    let Value::Object(members) = &place else { panic!("a statement is an object") };
    for (key, value) in members {
        let other = match value {
            Value::Int(number) => Value::Int(number + 1),
            Value::List(_) => Value::list(["gate.review"]),
            _ => "0".repeat(64).into(),
        };
        let elsewhere = place.clone().with(key, other).record_bytes();
        team.forge(&[(&path, Some(&team.signed_by("ada", NAMESPACE, &elsewhere)))]);
        let _ = team.repo.verify(&["--full"]).ends(1).finds("RAPID1441", &path);
    }
    let bound = ["contract_digest", "gate_ids", "ledger", "outcome", "predecessor", "run_id", "state_digest", "tree"];
    assert!(bound.iter().all(|key| members.contains_key(*key)), "{}", place.pretty());
}

#[test]
fn a_signature_that_was_moved_to_another_run_does_not_hold() {
    if !people_can_sign() {
        return;
    }
    let (team, first) = passed();
    let second = passed_run(&team, "Say still more");
    let (from, to) = (team.signature_of(&first), team.signature_of(&second));
    team.forge(&[(&to, Some(&team.repo.bytes_of(&from)))]);
    does_not_count(&team, &second, "RAPID1441", &to);
}

#[test]
fn a_signed_decision_that_was_rewritten_is_found_although_its_digest_holds() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let signature = team.signature_of(&run);
    let path = signature.replace(".sig", ".json");
    let record = team.record(&path);
    let payload = record.get("payload").unwrap().clone();
    let other_tree = payload.clone().with("tree", "0".repeat(40));
    let other_outcome = payload.clone().with("outcome", "waived");
    let other_time = payload.with("signed_at", 1_500_000_000);
    for forged in [
        record.clone().with("payload", other_tree),
        record.clone().with("payload", other_outcome),
        record.clone().with("payload", other_time),
        record.with("gate_ids", Value::list(["gate.tests"])),
    ] {
        team.forge(&[(&path, Some(&sealed(forged)))]);
        let _ = team.repo.verify(&["--full"]).ends(1).finds("RAPID1441", &signature);
    }
}

#[test]
fn an_approval_without_a_signature_is_found_where_the_terms_ask_for_one() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let path = team.signature_of(&run);
    team.forge(&[(&path, None)]);
    does_not_count(&team, &run, "RAPID1440", &path.replace(".sig", ".json"));
    let report = team.repo.git_rapid(&["eval", "run", "--run", &run]);
    report.says("no valid signature by an allowed key");
}

#[test]
fn a_good_signature_by_a_stranger_counts_for_nothing() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let path = team.signature_of(&run);
    team.forge(&[(&path, Some(&team.signed_by("mallory", NAMESPACE, &team.statement(&run))))]);
    does_not_count(&team, &run, "RAPID1442", &path);
    // Nor does a list that was changed after the run had begun.
    let terms = team.repo.record("terms/allowed_signers");
    let list = format!("ada@example.com {}\n", team.public_key("mallory", "ed25519"));
    team.forge(&[(&terms, Some(list.as_bytes()))]);
    let found = team.repo.verify(&["--full"]).ends(1);
    assert!(found.findings().iter().any(|(code, _)| code == "RAPID1002"), "{found}");
    // A ledger that is broken is called so by whatever list it is read.
    let own = team.repo.world().path("bobs-list");
    std::fs::write(&own, format!("bob@example.com {}\n", team.public_key("bob", "ed25519"))).unwrap();
    let _ = team.repo.rapid(&["verify", "--allowed-signers", own.to_str().unwrap()]).ends(1).says("disproven");
}

#[test]
fn a_reviewer_brings_their_own_list() {
    if !people_can_sign() {
        return;
    }
    let (team, run) = passed();
    let world = team.repo.world();
    let own = world.path("own-list");
    let ask = |list: &str| {
        std::fs::write(&own, list).unwrap();
        team.repo.verify(&["--commit", "HEAD", "--require-pass", "--allowed-signers", own.to_str().unwrap()])
    };
    let ada = team.public_key("ada", "ed25519");
    let known = ask(&format!("the-boss@example.com {ada}\n")).ok().json();
    let runs = known.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap();
    let signers = runs[0].get("signers").and_then(Value::as_list).unwrap();
    assert_eq!(signers[0].get("name").and_then(Value::as_text), Some("the-boss@example.com"));
    let stranger = ask(&format!("bob@example.com {}\n", team.public_key("bob", "ed25519"))).ends(1);
    let covered = stranger.json().get("commit").and_then(|commit| commit.get("covered")).cloned();
    assert_eq!(covered.and_then(|covered| covered.as_text().map(str::to_owned)).as_deref(), Some("no"));
    let frozen = stranger.json().get("by_frozen_lists").and_then(Value::as_text).map(str::to_owned);
    assert_eq!(frozen.as_deref(), Some("proven"), "{stranger}");
    let words =
        team.repo.rapid(&["verify", "--allowed-signers", own.to_str().unwrap()]).ends(1).says("not by your list");
    assert!(!words.stdout.contains("disproven"), "the ledger itself is whole: {words}");
    let _ = stranger.finds("RAPID1442", &team.signature_of(&run));
    let _ = ask("nonsense\n").ends(2);
    // What was proved by one list is not taken for proved by another.
    team.repo.git_rapid(&["verify"]).ok();
    let _ = ask(&format!("bob@example.com {}\n", team.public_key("bob", "ed25519"))).ends(1);
}

#[test]
fn a_run_whose_terms_an_agent_wrote_does_not_pass_by_a_reviewers_list() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let own = team.repo.world().path("own-list");
    std::fs::write(&own, format!("ada@example.com {}\n", team.public_key("ada", "ed25519"))).unwrap();
    let own = own.to_str().unwrap();
    // Its own key in the list, committed before the run begins: the frozen list lets it in.
    team.repo.write(".rapid/allowed_signers", &format!("ada@example.com {}\n", team.public_key("mallory", "ed25519")));
    team.repo.commit("somebody else is Ada now");
    team.is_at_work("mallory");
    passed_run(&team, "By itself");
    let _ = team.repo.verify(&["--commit", "HEAD", "--require-pass"]).ok();
    let _ = team.repo.verify(&["--commit", "HEAD", "--require-pass", "--allowed-signers", own]).ends(1);
    // No signatures asked for at all.
    let terms = std::fs::read_to_string(team.repo.path().join(".rapid/config.toml")).unwrap();
    team.repo.write(".rapid/config.toml", &terms.replace("signed", "terminal"));
    team.repo.commit("a typed sentence will do");
    passed_run(&team, "By typing");
    let _ = team.repo.verify(&["--commit", "HEAD", "--require-pass"]).ok();
    let refused = team.repo.verify(&["--commit", "HEAD", "--require-pass", "--allowed-signers", own]).ends(1).json();
    let runs = refused.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap();
    assert_eq!(runs[0].get("approvals").and_then(Value::as_text), Some("terminal"));
}

#[test]
fn a_list_of_a_reviewers_that_cannot_be_used_is_named() {
    let repo = project(&World::new(), "work");
    let place = |name: &str| repo.world().path(name);
    std::fs::write(place("empty"), "").unwrap();
    std::fs::write(place("comments"), "# nobody yet\n").unwrap();
    std::fs::write(place("binary"), [0xff, 0xfe, 0]).unwrap();
    for (name, why) in [
        ("missing", "there is no such file"),
        ("home", "directory"),
        ("empty", "nobody is allowed to sign"),
        ("comments", "nobody is allowed to sign"),
        ("binary", "is not UTF-8"),
    ] {
        let list = place(name);
        let said = repo.verify(&["--allowed-signers", list.to_str().unwrap()]).ends(2);
        said.names("RAPID1446").says("--allowed-signers").says(why).says(list.to_str().unwrap());
    }
}
