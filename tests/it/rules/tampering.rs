//! The acceptance table (§9.7) where somebody with a shell changed the ledger: each reader finds it, and says what it is.

use crate::labs::{Doc, Lab, opened};
use git_rapid::domain::{
    digest::Digest,
    json::{self, Value},
};

const ATTACHMENTS: &str = "refs/rapid/attachments";

/// A run with three pieces of evidence, two of them with a file.
fn lab() -> (Lab, String) {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "");
    for _ in 0..2 {
        lab.add(&run, &Doc::tests(2, 0).for_gates(&["gate.baseline"]).json()).ok();
    }
    lab.add(&run, &Doc::workspace("current").json()).ok();
    (lab, run)
}

fn record(lab: &Lab, ending: &str) -> (String, Value) {
    let path = lab.repo.record(ending);
    let value = json::parse(&lab.repo.bytes_of(&path)).unwrap();
    (path, value)
}

/// The record with its own digest made to hold again.
fn sealed(value: Value) -> Value {
    let own = ["content_digest", "report_digest"].into_iter().find(|key| value.get(key).is_some()).unwrap();
    let digest = Digest::of_value(&value.clone().without(own));
    value.with(own, digest.to_string())
}

/// Puts a record into the ledger, over what is there or beside it.
fn put(lab: &Lab, path: &str, value: &Value) {
    let blob = lab.repo.blob(&value.record_bytes());
    lab.repo.append_entry(&[(path, Some(&blob))]);
}

/// Every reader names the code: the command, `validate` and `verify`.
fn found(lab: &Lab, line: &str, code: &str) {
    lab.say(line).ends(2).names(code);
    let validated = lab.say("validate --json").ends(1);
    assert!(validated.findings().iter().any(|(found, _)| found == code), "validate finds {code}: {validated}");
    lab.repo.verify(&[]).ends(1);
}

#[test]
fn a_flipped_byte_in_an_artifact_is_found_and_the_source_file_does_not_matter() {
    let (lab, run) = lab();
    std::fs::write(lab.repo.world().path("log.txt"), "something else\n").unwrap();
    lab.say(&format!("evidence verify --run {run}")).ok();
    let tree = lab.repo.git(&["ls-tree", "-r", "--name-only", ATTACHMENTS]);
    let path = tree.lines().find(|path| path.ends_with("E001/artifacts/log.txt")).unwrap();
    let blob = lab.repo.blob(b"Ran 5 tests\n\nOK\n");
    let forged = lab.repo.tree_with(ATTACHMENTS, &[(path, Some(&blob))]);
    let tip = lab.repo.git(&["rev-parse", ATTACHMENTS]);
    let entry = lab.repo.entry(&forged, &[&tip]);
    lab.repo.git(&["update-ref", ATTACHMENTS, &entry]);
    lab.say(&format!("evidence verify --run {run}")).ends(1).says("RAPID1205");
    let validated = lab.say("validate --json").ends(1);
    assert!(validated.findings().iter().any(|(code, _)| code == "RAPID1205"), "{validated}");
    lab.repo.verify(&["--full"]).ends(1);
}

#[test]
fn an_edited_summary_breaks_the_records_digest() {
    let (lab, run) = lab();
    let (path, value) = record(&lab, "E002.json");
    put(&lab, &path, &value.with("summary", "all green"));
    found(&lab, &format!("evidence list --run {run}"), "RAPID1202");
}

#[test]
fn evidence_bound_to_another_state_is_found_although_its_digest_holds() {
    let (lab, run) = lab();
    let (path, value) = record(&lab, "E002.json");
    put(&lab, &path, &sealed(value.with("state_digest", "0".repeat(64))));
    found(&lab, &format!("evidence list --run {run}"), "RAPID1203");
}

#[test]
fn evidence_copied_to_another_run_is_found() {
    let (lab, run) = lab();
    lab.say("run create --spec lab --id other").ok();
    let (_, value) = record(&lab, "E001.json");
    let contract = lab.repo.records().into_iter().find(|path| path.ends_with("/other/contract.json")).unwrap();
    put(&lab, &contract.replace("contract.json", "evidence/E001.json"), &value);
    found(&lab, "evidence list --run other", "RAPID1203");
    lab.say(&format!("evidence list --run {run}")).ok();
}

#[test]
fn a_gap_in_the_evidence_is_found() {
    let (lab, run) = lab();
    let path = lab.repo.record("E002.json");
    lab.repo.append_entry(&[(&path, None)]);
    found(&lab, &format!("evidence list --run {run}"), "RAPID1208");
    lab.add(&run, &Doc::workspace("current").json()).ends(2).names("RAPID1208");
}

#[test]
fn material_that_a_crash_left_without_a_record_is_in_nobodys_way() {
    let (lab, run) = lab();
    let records = lab.repo.records();
    let before = lab.repo.tip();
    lab.add(&run, &Doc::artifact().json()).ok();
    // The process died when one of the two refs had moved.
    lab.repo.move_ledger(&before);
    assert_eq!(lab.repo.records(), records);
    lab.say("validate").ok();
    std::fs::write(lab.repo.world().path("log.txt"), "another log\n").unwrap();
    lab.add(&run, &Doc::tests(4, 0).json()).ok();
    lab.say(&format!("evidence verify --run {run}")).ok();
    lab.say("validate").ok();
    lab.repo.verify(&["--full"]).ok();
}

#[test]
fn a_forged_report_does_not_replay() {
    let (lab, run) = lab();
    lab.say(&format!("eval run --run {run} --write")).ok();
    let (path, report) = record(&lab, "reports/0001.json");
    let all = report.get("assertions").and_then(Value::as_list).unwrap();
    let lifecycle = all[0].clone().with("status", "pass").with("reason", "the run is finished");
    let forged = sealed(report.with("assertions", Value::List(vec![lifecycle])).with("verdict", "pass"));
    put(&lab, &path, &forged);
    lab.say(&format!("eval show --run {run} --revision 1")).ends(2).names("RAPID1223");
    let validated = lab.say("validate --json").ends(1);
    assert!(validated.findings().iter().any(|(code, _)| code == "RAPID1223"), "{validated}");
}

#[test]
fn a_report_whose_digest_does_not_hold_is_found() {
    let (lab, run) = lab();
    lab.say(&format!("eval run --run {run} --write")).ok();
    let (path, report) = record(&lab, "reports/0001.json");
    put(&lab, &path, &report.with("state_revision", 2));
    found(&lab, &format!("eval list --run {run}"), "RAPID1222");
    put(&lab, &path, &Value::object([("schema_version", 1.into())]));
    found(&lab, &format!("eval list --run {run}"), "RAPID1221");
}

/// The next state, forged from the last one.
fn with_state(forge: impl Fn(Value) -> Value) -> (Lab, String) {
    let (lab, run) = lab();
    let (path, first) = record(&lab, "states/0001.json");
    put(&lab, &path.replace("0001.json", "0002.json"), &sealed(forge(first.with("revision", 2))));
    (lab, run)
}

fn changed_first(value: &Value, list_key: &str, member: &str, to: &str) -> Value {
    let mut items = value.get(list_key).and_then(Value::as_list).unwrap().to_vec();
    items[0] = items[0].clone().with(member, to);
    value.clone().with(list_key, Value::List(items))
}

#[test]
fn a_history_that_jumps_over_states_is_found() {
    let (lab, run) = with_state(|state| state.with("status", "finished").with("change_kind", "run.status.finished"));
    found(&lab, &format!("run show {run}"), "RAPID1012");
}

#[test]
fn two_changes_in_one_state_are_found() {
    let (lab, run) = with_state(|state| {
        let acknowledged = changed_first(&state, "gates", "disposition", "acknowledged");
        acknowledged.with("status", "active").with("change_kind", "run.status.active")
    });
    found(&lab, &format!("run show {run}"), "RAPID1012");
}

#[test]
fn a_change_of_another_name_is_found() {
    let (lab, run) = with_state(|state| {
        let acknowledged = changed_first(&state, "gates", "disposition", "acknowledged");
        acknowledged.with("change_kind", "gate.gate.tests.acknowledged")
    });
    found(&lab, &format!("run show {run}"), "RAPID1012");
}

#[test]
fn an_altered_first_state_is_found() {
    let (lab, run) = lab();
    let (path, state) = record(&lab, "states/0001.json");
    put(&lab, &path, &sealed(changed_first(&state, "tasks", "description", "Something else")));
    found(&lab, &format!("run show {run}"), "RAPID1012");
}

#[test]
fn a_state_of_the_future_is_found_and_nothing_is_written_after_it() {
    let (lab, run) = lab();
    let (path, state) = record(&lab, "states/0001.json");
    put(&lab, &path.replace("0001.json", "0004.json"), &state);
    found(&lab, &format!("run show {run}"), "RAPID1011");
    let tip = lab.repo.tip();
    lab.say(&format!("run status {run} cancelled")).ends(2).names("RAPID1011");
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn a_contract_and_a_spec_that_were_rewritten_are_found() {
    let (lab, run) = lab();
    let (path, contract) = record(&lab, "contract.json");
    put(&lab, &path, &contract.clone().with("harness", "other"));
    found(&lab, &format!("run show {run}"), "RAPID1002");
    put(&lab, &path, &contract);
    let (path, revision) = record(&lab, "0001/revision.json");
    put(&lab, &path, &revision.with("title", "Another"));
    let shown = lab.say("spec show lab --json");
    assert!(["RAPID803", "RAPID804"].iter().any(|code| shown.stderr.contains(code)), "{shown}");
}
