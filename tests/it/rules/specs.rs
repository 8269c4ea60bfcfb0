//! Specs by plumbing (§2.2, §2.3): what is refused, and what somebody changed behind the tool's back.

use crate::labs::Lab;
use git_rapid::domain::{
    digest::Digest,
    json::{self, Value},
};

fn lab() -> Lab {
    let lab = Lab::shell(2);
    lab.say("spec create --id lab --title Lab --mode feature --task Do --status ready").ok();
    lab
}

fn put(lab: &Lab, path: &str, bytes: Option<&[u8]>) {
    let blob = bytes.map(|bytes| lab.repo.blob(bytes));
    lab.repo.append_entry(&[(path, blob.as_deref())]);
}

/// The reader and `validate` name the code.
fn found(lab: &Lab, code: &str) {
    lab.say("spec show lab").ends(2).names(code);
    let validated = lab.say("validate --json").ends(1);
    assert!(validated.findings().iter().any(|(found, _)| found == code), "validate finds {code}: {validated}");
    lab.repo.verify(&[]).ends(1);
}

#[test]
fn an_id_is_taken_once_and_has_a_grammar() {
    let lab = lab();
    let tip = lab.repo.tip();
    lab.say("spec create --id lab --title Other --mode feature").ends(2).names("RAPID806");
    lab.say("spec create --id Lab! --title Other --mode feature").ends(2).names("RAPID806");
    lab.repo.rapid(&["spec", "create", "--title", "???", "--mode", "feature"]).ends(2).names("RAPID806");
    lab.say("spec show nowhere").ends(2).names("RAPID807");
    lab.say("spec show lab --revision 4").ends(2).names("RAPID807");
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn a_spec_file_that_cannot_be_understood_writes_nothing() {
    let lab = lab();
    let tip = lab.repo.tip();
    for (text, code) in [
        (r#"{"title": "T", "mode": "feature", "colour": "red"}"#, "RAPID1303"),
        ("{\"title\": ", "RAPID1303"),
        (r#"{"title": "", "mode": "feature"}"#, "RAPID1303"),
    ] {
        let file = lab.spec_file(text);
        let said = lab.say(&format!("start feature --spec-file {file}"));
        assert!(said.code == 2 && said.stderr.contains("[RAPID"), "{said}");
        assert!(said.stderr.contains(code), "{code} is named by {said}");
    }
    lab.say("spec create --mode feature --task Do").ends(2).names("RAPID803");
    lab.say("spec revise lab --title Lab").ends(2).names("RAPID803").says("changes nothing");
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn only_a_spec_that_is_ready_opens_a_run() {
    let lab = lab();
    lab.say("spec status lab draft").ok();
    lab.say("run create --spec lab").ends(1).names("RAPID1003");
    lab.say("start feature --spec lab").ends(1).names("RAPID1003");
    lab.say("spec status lab archived").ok();
    lab.say("run create --spec lab").ends(1).names("RAPID1003");
    lab.say("spec revise lab --title Again").ends(1).names("RAPID805");
    lab.say("spec status lab ready").ends(1).names("RAPID805");
    lab.say("spec status lab absurd").ends(2).names("RAPID001");
}

#[test]
fn a_document_that_is_no_render_of_its_revision_is_found() {
    let lab = lab();
    let path = lab.repo.record("0001/tasks.md");
    put(&lab, &path, Some(b"# Tasks\n\n- [x] nothing\n"));
    found(&lab, "RAPID804");
}

#[test]
fn a_revision_that_is_missing_or_rewritten_is_found() {
    let lab = lab();
    let path = lab.repo.record("0001/revision.json");
    let bytes = lab.repo.bytes_of(&path);
    let revision = json::parse(&bytes).unwrap();
    put(&lab, &path, None);
    found(&lab, "RAPID802");
    put(&lab, &path, Some(&revision.with("tags", vec!["other"]).record_bytes()));
    found(&lab, "RAPID803");
    put(&lab, &path, Some(&bytes));
    lab.say("spec show lab").ok();
}

#[test]
fn a_history_of_a_spec_that_cannot_have_been_is_found() {
    let lab = lab();
    let path = lab.repo.record("status/0001.json");
    let record = json::parse(&lab.repo.bytes_of(&path)).unwrap();
    let sealed = |value: Value| {
        let digest = Digest::of_value(&value.clone().without("content_digest"));
        value.with("content_digest", digest.to_string()).record_bytes()
    };
    put(&lab, &path.replace("0001", "0003"), Some(&sealed(record.with("ordinal", 3))));
    found(&lab, "RAPID801");
}

#[test]
fn a_spec_goes_to_markdown_and_back() {
    let lab = lab();
    let text = lab.say("spec show lab --format md").ok().stdout;
    let path = lab.repo.world().path("lab.md");
    std::fs::write(&path, text).unwrap();
    lab.say(&format!("spec create --id second --spec-file {}", path.display())).ok();
    let content = |id: &str| {
        let shown = lab.say(&format!("spec show {id} --format json")).ok().stdout;
        let value = json::parse(shown.as_bytes()).unwrap();
        value.without("spec_id").without("content_digest").without("artifact_digests").canonical()
    };
    assert_eq!(content("lab"), content("second"));
}
