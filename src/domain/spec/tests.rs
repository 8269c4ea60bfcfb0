//! Tests of specs: authoring, the record with its two digests, status histories (the specification, §2.2 and §2.3).

use super::*;
use crate::domain::{json::parse_text, lifecycle::SpecStatus, mode::Mode};

fn authored(text: &str) -> Result<SpecDraft> {
    SpecDraft::from_authoring(parse_text(text).unwrap(), Some(Mode::Feature))
}

fn revision() -> SpecRevision {
    let draft = authored(
        r#"{"title":" Año nuevo ","tags":["B","a","b"],"implementation_tasks":["one","  ","two","two"],
            "affected_paths":["./src/a.rs","src\\a.rs","src/b/"],"data_impact":"None","scope":["Not specified"]}"#,
    );
    SpecRevision::new(SpecId::parse("demo").unwrap(), 1, draft.unwrap())
}

#[test]
fn authored_fields_come_into_their_final_form() {
    let draft = revision().content;
    assert_eq!(draft.title, "Año nuevo");
    assert_eq!(draft.tags, ["a", "b"]);
    assert_eq!(draft.implementation_tasks, ["one", "two", "two"], "in order, blanks dropped, repetitions kept");
    let paths: Vec<&str> = draft.affected_paths.iter().map(|path| path.as_str()).collect();
    assert_eq!(paths, ["src/a.rs", "src/b"]);
    assert!(draft.scope.is_empty(), "a placeholder says nothing");
}

#[test]
fn what_no_spec_file_may_say_is_refused() {
    for text in [
        "[]",
        "{}",
        r#"{"title":""}"#,
        r#"{"title":"not specified"}"#,
        r#"{"title":1}"#,
        r#"{"title":"a","colour":"red"}"#,
        r#"{"title":"a","mode":"haste"}"#,
        r#"{"title":"a","mode":"bugfix"}"#,
        r#"{"title":"a","schema_version":2}"#,
        r#"{"title":"a","tags":"b"}"#,
        r#"{"title":"a","tags":[1]}"#,
        r#"{"title":"a\u0000"}"#,
        r#"{"title":"a","affected_paths":["/etc"]}"#,
        r#"{"title":"a","affected_paths":["a/../b"]}"#,
        r#"{"title":"a","affected_paths":["C:\\x"]}"#,
    ] {
        assert_eq!(authored(text).unwrap_err().code, Code::Rapid1303, "{text}");
    }
    let none = SpecDraft::from_authoring(parse_text(r#"{"title":"a"}"#).unwrap(), None);
    assert_eq!(none.unwrap_err().code, Code::Rapid1303);
    for (alias, mode) in
        [("3", Mode::Bugfix), ("Bug Fix", Mode::Bugfix), ("legacy-hardening", Mode::Hardening), ("5", Mode::Research)]
    {
        let text = format!(r#"{{"title":"a","mode":"{alias}"}}"#);
        assert_eq!(SpecDraft::from_authoring(parse_text(&text).unwrap(), None).unwrap().mode, mode);
    }
}

#[test]
fn a_record_is_read_back_as_it_was_written_and_no_other_is_read() {
    let revision = revision();
    let value = revision.to_value();
    assert_eq!(SpecRevision::from_value(value.clone()).unwrap(), revision);
    let code = |value| SpecRevision::from_value(value).unwrap_err().code;
    assert_eq!(code(value.clone().with("title", "Another")), Code::Rapid804, "the documents are renders of the fields");
    assert_eq!(code(value.clone().with("tags", Value::list(["a", "c"]))), Code::Rapid803, "tags are in no document");
    assert_eq!(code(value.clone().with("artifact_digests", Value::object([]))), Code::Rapid804);
    assert_eq!(code(value.clone().with("colour", "red")), Code::Rapid803);
    assert_eq!(code(value.clone().with("revision", 0)), Code::Rapid803);
    assert_eq!(code(value.clone().with("spec_id", "Demo")), Code::Rapid806);
    assert_eq!(code(value.without("scope")), Code::Rapid803);
}

#[test]
fn the_content_digest_is_taken_of_the_ascii_form() {
    let revision = revision();
    let body = revision.to_value().without("content_digest");
    assert_eq!(revision.content_digest, Digest::of(body.canonical_ascii().as_bytes()));
    assert_ne!(
        revision.content_digest,
        Digest::of_value(&body),
        "the title has a letter that the forms write differently"
    );
}

#[test]
fn a_status_follows_by_the_life_cycle_or_a_revision() {
    let at = |ordinal, status, current_revision| StatusRecord {
        spec_id: SpecId::parse("demo").unwrap(),
        ordinal,
        status,
        current_revision,
    };
    let ready = at(1, SpecStatus::Ready, 1);
    let follows = |next: StatusRecord| next.follows(&ready).map_err(|fault| fault.code);
    assert_eq!(follows(at(2, SpecStatus::Archived, 1)), Ok(()));
    assert_eq!(follows(at(2, SpecStatus::Draft, 2)), Ok(()));
    assert_eq!(follows(at(2, SpecStatus::Ready, 2)), Err(Code::Rapid805), "a new revision is a draft");
    assert_eq!(follows(at(2, SpecStatus::Draft, 3)), Err(Code::Rapid805));
    assert_eq!(follows(at(3, SpecStatus::Draft, 1)), Err(Code::Rapid805));
    let archived = at(2, SpecStatus::Archived, 1);
    assert_eq!(at(3, SpecStatus::Archived, 1).follows(&archived).unwrap_err().code, Code::Rapid805);
    let value = archived.to_value();
    assert_eq!(StatusRecord::from_value(value.clone()).unwrap(), archived);
    assert_eq!(StatusRecord::from_value(value.with("ordinal", 3)).unwrap_err().code, Code::Rapid801);
}
