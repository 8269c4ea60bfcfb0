//! Records that were forged with care: every digest recomputed, every byte canonical.

use crate::harness::{Repo, finished};
use git_rapid::domain::{
    digest::Digest,
    json::{self, Value},
};

/// The ledger in one entry after the first, with one record replaced; verified by its id.
fn with_record(repo: &Repo, path: &str, bytes: &[u8]) -> String {
    let blob = repo.blob(bytes);
    let tree = repo.tree_with("refs/rapid/ledger", &[(path, Some(&blob))]);
    repo.entry(&tree, &[&repo.first_entry()])
}

fn record(repo: &Repo, path: &str) -> Value {
    json::parse(&repo.bytes_of(path)).unwrap()
}

/// The record with its own digest made to hold again.
fn sealed(value: Value) -> Vec<u8> {
    let own = ["content_digest", "report_digest"].into_iter().find(|key| value.get(key).is_some()).unwrap();
    let digest = Digest::of_value(&value.clone().without(own));
    value.with(own, digest.to_string()).record_bytes()
}

#[test]
fn the_test_knows_how_a_record_is_sealed() {
    let Some(repo) = finished() else { return };
    for ending in ["states/0002.json", "E003.json", "reports/0001.json", "status/0001.json"] {
        let path = repo.record(ending);
        assert!(sealed(record(&repo, &path)) == repo.bytes_of(&path), "'{ending}' sealed again is what it was");
    }
}

#[test]
fn a_forged_verdict_whose_digest_holds_is_found() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    for verdict in ["fail", "unverified", "pass_with_waivers"] {
        let forged = sealed(record(&repo, &path).with("verdict", verdict));
        let seen = repo.verify(&[&with_record(&repo, &path, &forged)]).ends(1);
        assert!(
            seen.findings().iter().any(|(code, at)| *at == path && ["RAPID1221", "RAPID1223"].contains(&code.as_str())),
            "{seen}"
        );
    }
}

#[test]
fn a_report_whose_assertions_and_verdict_were_forged_together_is_found_by_replaying_it() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    let report = record(&repo, &path);
    let mut assertions: Vec<Value> = report.get("assertions").and_then(Value::as_list).unwrap().to_vec();
    assertions[1] = assertions[1].clone().with("status", "fail").with("reason", "contradicted by E003");
    let forged = sealed(report.with("assertions", Value::List(assertions)).with("verdict", "fail"));
    let _ = repo.verify(&[&with_record(&repo, &path, &forged)]).ends(1).finds("RAPID1223", &path);
}

#[test]
fn a_green_check_that_was_never_run_is_found_although_its_digest_holds() {
    let Some(repo) = finished() else { return };
    let path = repo.record("E003.json");
    let evidence = record(&repo, &path);
    let forged = sealed(evidence.clone().with("summary", "a thousand tests passed"));
    let report = repo.record("reports/0001.json");
    // The report binds the set of evidence by digest, so it does not follow from this one.
    let _ = repo.verify(&[&with_record(&repo, &path, &forged)]).ends(1).finds("RAPID1223", &report);
    let foreign = sealed(evidence.with("contract_digest", "0".repeat(64)));
    let _ = repo.verify(&[&with_record(&repo, &path, &foreign)]).ends(1).finds("RAPID1203", &path);
}

#[test]
fn a_state_that_is_no_legal_step_is_found_although_its_digest_holds() {
    let Some(repo) = finished() else { return };
    let path = repo.record("states/0005.json");
    let forged = sealed(record(&repo, &path).with("status", "cancelled"));
    let _ = repo.verify(&[&with_record(&repo, &path, &forged)]).ends(1).finds("RAPID1012", &path);
}

#[test]
fn terms_that_the_contract_did_not_promise_are_found() {
    let Some(repo) = finished() else { return };
    let path = repo.record("terms/config.toml");
    let weaker = b"test_command = [\"true\"]\nruleset = 1\n";
    let _ = repo.verify(&[&with_record(&repo, &path, weaker)]).ends(1).finds("RAPID1002", &path);
    let added = path.replace("config.toml", "extra.toml");
    let _ = repo.verify(&[&with_record(&repo, &added, weaker)]).ends(1).finds("RAPID1521", &added);
}

#[test]
fn records_that_are_not_written_canonically_are_found() {
    let Some(repo) = finished() else { return };
    let path = repo.record("status/0001.json");
    let text = String::from_utf8(repo.bytes_of(&path)).unwrap();
    let odd = [
        ("a blank", text.replace(":", ": ")),
        ("two line ends", format!("{text}\n")),
        ("no line end", text.trim_end().to_owned()),
        ("a carriage return", text.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("a duplicate key", text.replacen('{', "{\"status\":\"archived\",", 1)),
        ("a float", text.replace("\"ordinal\":1", "\"ordinal\":1.0")),
        ("a huge number", text.replace("\"ordinal\":1", "\"ordinal\":1e400")),
        ("an escape that needs none", text.replace("ready", "re\\u0061dy")),
        ("a lone surrogate", text.replace("ready", "\\ud800")),
        ("deep nesting", format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000))),
        ("nothing", String::new()),
    ];
    for (what, bytes) in odd {
        let seen = repo.verify(&[&with_record(&repo, &path, bytes.as_bytes())]).ends(1);
        assert!(seen.findings().contains(&("RAPID1520".to_owned(), path.clone())), "{what}: {seen}");
    }
    let unknown = sealed(record(&repo, &path).with("note", "an unknown key"));
    let _ = repo.verify(&[&with_record(&repo, &path, &unknown)]).ends(1).finds("", &path);
}

#[test]
fn a_record_larger_than_any_record_is_not_read() {
    let Some(repo) = finished() else { return };
    let path = repo.record("status/0001.json");
    let _ = repo.verify(&[&with_record(&repo, &path, &vec![b' '; 5 << 20])]).ends(1).finds("RAPID1525", &path);
}
