//! The schemas in `docs/schemas/` describe every document that a command prints and every record of a ledger, as they are.
//!
//! They are inferred (`RAPID_BLESS=1`) from what is printed in the scenes below, and are closed: a member that a schema does not
//! have is a fault here before it surprises a reader. Not here: what a member means; that is `docs/formats.md`.

mod infer;
mod printed;

use super::blessing;
use crate::harness::{somebody_can_be_asked, step_aside};
use git_rapid::domain::json::{self, Value};
use infer::Shape;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

#[test]
fn every_document_and_every_record_is_as_its_schema_says() {
    if !somebody_can_be_asked() {
        return step_aside("the scenes have an approval, and a coding agent is above this test");
    }
    let documents = printed::documents();
    let commands = printed::with_json();
    let printed =
        |command: &&String| documents.contains_key(*command) || printed::NO_DOCUMENT.contains(&command.as_str());
    let silent: Vec<&String> = commands.iter().filter(|command| !printed(command)).collect();
    assert!(silent.is_empty(), "each is asked in printed.rs, and answers: {silent:?}");
    if blessing() {
        let _ = std::fs::remove_dir_all(place());
        std::fs::create_dir(place()).unwrap();
        for (name, all) in &documents {
            let shape = all.iter().map(Shape::of).reduce(Shape::or).unwrap();
            std::fs::write(place().join(format!("{name}.json")), shape.schema(name)).unwrap();
        }
    }
    let mut wrong = Vec::new();
    for (name, all) in &documents {
        let schema = std::fs::read(place().join(format!("{name}.json"))).map(|bytes| json::parse(&bytes).unwrap());
        let Ok(schema) = schema else {
            wrong.push(format!("{name}: there is no schema (RAPID_BLESS=1 writes it)"));
            continue;
        };
        for document in all {
            let faults = infer::faults(document, &schema, "");
            wrong.extend(faults.into_iter().map(|fault| format!("{name}{fault}")));
        }
    }
    let files = std::fs::read_dir(place()).unwrap().map(|file| file.unwrap().path());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(documents.contains_key(&name), "{} describes something that is printed", file.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_schema_refuses_what_it_does_not_have() {
    let value = |text: &str| json::parse(text.as_bytes()).unwrap();
    let seen = [r#"{"a":1,"b":[{"c":"x"}]}"#, r#"{"a":null,"b":[],"d":true}"#].map(value);
    let schema = value(&seen.iter().map(Shape::of).reduce(Shape::or).unwrap().schema("it"));
    for good in [r#"{"a":2,"b":[{"c":"y"},{"c":""}]}"#, r#"{"a":null,"b":[],"d":false}"#] {
        assert_eq!(infer::faults(&value(good), &schema, ""), Vec::<String>::new(), "{good}");
    }
    for bad in
        [r#"{"b":[]}"#, r#"{"a":"x","b":[]}"#, r#"{"a":1,"b":[1]}"#, r#"{"a":1,"b":[{}]}"#, r#"{"a":1,"b":[],"e":1}"#]
    {
        assert!(!infer::faults(&value(bad), &schema, "").is_empty(), "{bad}");
    }
}

/// Documents by the name of their schema.
type Documents = BTreeMap<String, Vec<Value>>;
