//! The schemas in `docs/schemas/` describe every document that a command prints and every record of a ledger, as they are.
//!
//! They are closed: a member that a schema does not have is a fault here before it surprises a reader. Each document that any test
//! reads ([`Output::json`](crate::harness::Output::json)) is held against the schema of its command, and so are those of the scenes
//! in `printed`. `RAPID_BLESS=1` widens a schema to what was printed, and writes one that is not there; to narrow one, delete it
//! first. Not here: what a member means; that is `docs/formats.md`.

mod infer;
mod names;
mod printed;

use super::blessing;
use crate::harness::{Repo, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::{self, Value};
use infer::Shape;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The schema of the JSON document of `export`, which `export --json` does not print.
const EXPORTED: &str = "export-document";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(format!("{name}.json"))
}

fn read(name: &str) -> Option<Value> {
    std::fs::read(file(name)).ok().map(|bytes| json::parse(&bytes).unwrap())
}

/// Holds a document that a command printed against its schema. `words` are what was asked, without `git rapid`.
pub fn fits(words: &[String], document: &Value) {
    if let Some(name) = names::of(words, document) {
        hold(&name, document);
    }
}

/// Holds every record of a repository's ledger against the schema of its kind.
pub fn records_fit(repo: &Repo) {
    for path in repo.records().iter().filter(|path| path.ends_with(".json") && !path.contains("/terms/")) {
        let record = json::parse(&repo.bytes_of(path)).unwrap();
        hold(&names::of_record(path, &record), &record);
    }
}

/// One at a time: tests run side by side, and a blessing writes.
static WRITING: Mutex<()> = Mutex::new(());

fn hold(name: &str, document: &Value) {
    let schema = read(name);
    let faults = match &schema {
        Some(schema) => infer::faults(document, schema, ""),
        None => vec![": there is no schema".to_owned()],
    };
    let shows = |schema: &Value| !name.starts_with("record-") || example(schema).is_some();
    if faults.is_empty() && (!blessing() || schema.as_ref().is_some_and(shows)) {
        return;
    }
    assert!(blessing(), "{name}{} (RAPID_BLESS=1 widens the schema)", faults.join("; "));
    let _alone = WRITING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = read(name);
    let seen = Shape::of(document);
    let wider = known.iter().fold(seen, |seen, schema| Shape::read(schema).or(seen));
    // Who writes a reader of records wants to see one.
    let example = known.as_ref().and_then(example).unwrap_or(document);
    let example = name.starts_with("record-").then_some(example);
    // Whoever reads it meanwhile sees the one or the other.
    let aside = file(name).with_extension("new");
    std::fs::write(&aside, wider.schema(name, example)).unwrap();
    std::fs::rename(aside, file(name)).unwrap();
}

fn example(schema: &Value) -> Option<&Value> {
    schema.get("examples").and_then(Value::as_list).and_then(<[Value]>::first)
}

#[test]
fn every_document_and_every_record_is_as_its_schema_says() {
    if !somebody_can_be_asked() {
        return step_aside("the scenes have an approval, and a coding agent is above this test");
    }
    printed::play();
}

#[test]
fn every_command_that_prints_a_document_and_every_record_has_a_schema() {
    let commands = printed::with_json();
    let expected: BTreeSet<String> = commands
        .iter()
        .map(String::as_str)
        .chain(["error", EXPORTED, "story-detach"])
        .map(str::to_owned)
        .chain(names::RECORDS.iter().map(|kind| format!("record-{kind}")))
        .collect();
    let files = std::fs::read_dir(file("x").parent().unwrap()).unwrap();
    let names = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), expected, "docs/schemas has one for each, and no other");
    let page = include_str!("../../../docs/formats.md");
    for kind in names::RECORDS {
        assert!(page.contains(&format!("record-{kind}.json")), "docs/formats.md names the schema of {kind}");
        let schema = read(&format!("record-{kind}")).unwrap();
        let example = example(&schema).unwrap_or_else(|| panic!("the schema of {kind} has an example"));
        assert_eq!(infer::faults(example, &schema, ""), Vec::<String>::new(), "the example of {kind}");
        assert!(!example.canonical().contains("/tmp/"), "the example of {kind} names no place of a test");
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_have() {
    let value = |text: &str| json::parse(text.as_bytes()).unwrap();
    let seen = [r#"{"a":1,"b":[{"c":"x"}]}"#, r#"{"a":null,"b":[],"d":true}"#].map(value);
    let schema = value(&seen.iter().map(Shape::of).reduce(Shape::or).unwrap().schema("it", seen.first()));
    assert_eq!(value(&Shape::read(&schema).schema("it", example(&schema))), schema, "what is written is read");
    for good in [r#"{"a":2,"b":[{"c":"y"},{"c":""}]}"#, r#"{"a":null,"b":[],"d":false}"#] {
        assert_eq!(infer::faults(&value(good), &schema, ""), Vec::<String>::new(), "{good}");
    }
    for bad in
        [r#"{"b":[]}"#, r#"{"a":"x","b":[]}"#, r#"{"a":1,"b":[1]}"#, r#"{"a":1,"b":[{}]}"#, r#"{"a":1,"b":[],"e":1}"#]
    {
        assert!(!infer::faults(&value(bad), &schema, "").is_empty(), "{bad}");
    }
}
