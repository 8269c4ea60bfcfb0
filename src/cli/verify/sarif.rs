//! The answer as a SARIF 2.1.0 log: a rule for each code, a result for each finding.

use super::points::{self, Point, level};
use crate::diagnostics::Code;
use crate::domain::{
    digest::Digest,
    harmless::{harmless, harmless_json},
    json::Value,
};
use crate::verbs::verify::{Again, Answer, Outcome};
use std::collections::BTreeSet;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log.
pub(super) fn log(seen: &Outcome, again: &[Again]) -> String {
    let mut said = points::of_ledger(seen);
    said.extend(points::of_commit(seen, again));
    let codes: BTreeSet<Code> = said.iter().map(|point| point.diagnostic.code).collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    let rules = codes.iter().map(|code| {
        Value::object([
            ("id", code.as_str().into()),
            ("shortDescription", text(code.title())),
            ("help", text(&format!("git rapid explain {code}"))),
            ("defaultConfiguration", Value::object([("level", sarif_level(*code, false).into())])),
        ])
    });
    let driver = Value::object([
        ("name", "git-rapid".into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("rules", Value::list(rules)),
    ]);
    let answer = seen.proof.answer();
    let invocation = Value::object([
        ("executionSuccessful", (answer != Answer::CannotSay).into()),
        ("exitCodeDescription", answer.as_str().into()),
    ]);
    let run = Value::object([
        ("tool", Value::object([("driver", driver)])),
        ("invocations", Value::list([invocation])),
        ("columnKind", "unicodeCodePoints".into()),
        ("results", Value::list(said.iter().map(|point| result(point, &codes)))),
    ]);
    let log = Value::object([("$schema", SCHEMA.into()), ("version", "2.1.0".into()), ("runs", Value::list([run]))]);
    harmless_json(&log.pretty())
}

fn result(point: &Point, codes: &[Code]) -> Value {
    let diagnostic = &point.diagnostic;
    let index = codes.iter().position(|code| *code == diagnostic.code).unwrap_or(0);
    let hints = diagnostic.hints.iter().map(|hint| format!("\nhint: {hint}")).collect::<String>();
    let words = format!("{}{hints}", diagnostic.message);
    let record = diagnostic.path.as_ref().filter(|path| !path.is_empty());
    let mut places: Vec<Value> = point.files.iter().map(|file| place(file)).collect();
    if places.is_empty() {
        places.extend(record.map(|path| place(path)));
    }
    // The same finding has the same mark in each run of the tool.
    let mark = Digest::of(
        format!("{}\n{}\n{}", diagnostic.code, record.map_or("", String::as_str), diagnostic.message).as_bytes(),
    );
    Value::object([
        ("ruleId", diagnostic.code.as_str().into()),
        ("ruleIndex", index.into()),
        ("level", sarif_level(diagnostic.code, point.is_absence).into()),
        ("message", text(&words)),
        ("partialFingerprints", Value::object([("finding/v1", mark.into())])),
    ])
    .with_some("locations", (!places.is_empty()).then_some(Value::List(places)))
    .with_some("properties", point.entry.as_ref().map(|entry| Value::object([("entry", entry.into())])))
}

fn sarif_level(code: Code, is_absence: bool) -> &'static str {
    match level(code) {
        "info" => "note",
        _ if is_absence => "warning",
        level => level,
    }
}

fn text(words: &str) -> Value {
    Value::object([("text", harmless(words).into())])
}

/// A path as the location of an artifact: a relative reference, with what a reference may not hold encoded.
fn place(path: &str) -> Value {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    let artifact = Value::object([("uri", uri.into())]);
    Value::object([("physicalLocation", Value::object([("artifactLocation", artifact)]))])
}
