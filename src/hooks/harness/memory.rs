//! What the guard keeps between two firings: how things stood, and what was found; in git's private directory.
//!
//! Not here: what it means (`effect`). These are ordinary files. The findings stand in both of them, so that
//! altering one is seen.

use super::install::notes;
use crate::diagnostics::Result;
use crate::domain::json::{self, Value};
use crate::git::Repository;
use crate::os::files;
use std::collections::BTreeMap;

/// The state as it was at the last firing, and what was found.
pub(super) const REMEMBERED: &str = "protected.json";
pub(super) const FINDINGS: &str = "findings.json";

/// The most findings that are kept.
const KEPT: usize = 200;

/// Something protected that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// When it was seen, in seconds since 1970.
    pub at: i64,
    /// The harness.
    pub harness: String,
    /// The tool that ran; empty when it changed between two calls.
    pub tool: String,
    /// What changed.
    pub what: Vec<String>,
}

/// What is protected, by name.
pub(super) type Protected = BTreeMap<String, String>;

/// What is remembered between two firings.
#[derive(Default)]
pub(super) struct Memory {
    /// How things stood.
    pub(super) now: Protected,
    /// What a finding's subject was before, until it is that again: putting it back is no new finding. Empty: not there.
    pub(super) was: Protected,
    /// What was found.
    pub(super) findings: Vec<Finding>,
}

/// What was found so far: as it is remembered, or where that is gone, as the file says.
pub fn findings(repository: &Repository) -> Vec<Finding> {
    match recall(repository) {
        Some(memory) => memory.findings,
        None => {
            let bytes = file(repository).unwrap_or_default().unwrap_or_default();
            json::parse(&bytes).ok().and_then(|value| list_of(&value)).unwrap_or_default()
        }
    }
}

fn list_of(value: &Value) -> Option<Vec<Finding>> {
    Some(value.get("findings")?.as_list()?.iter().filter_map(of_value).collect())
}

fn file(repository: &Repository) -> Result<Option<Vec<u8>>> {
    files::read_if_there(&notes(repository).join(FINDINGS), 4 << 20)
}

fn to_value(found: &Finding) -> Value {
    Value::object([
        ("at", found.at.into()),
        ("harness", (&found.harness).into()),
        ("tool", (&found.tool).into()),
        ("what", Value::list(&found.what)),
    ])
}

fn of_value(value: &Value) -> Option<Finding> {
    let text = |key: &str| value.get(key).and_then(Value::as_text).map(str::to_owned);
    let what = value.get("what")?.as_list()?.iter().filter_map(Value::as_text).map(str::to_owned).collect();
    Some(Finding { at: value.get("at")?.as_int()?, harness: text("harness")?, tool: text("tool")?, what })
}

/// Adds a finding to those that were remembered, and writes the file of them anew.
pub(super) fn add(repository: &Repository, mut all: Vec<Finding>, found: &Finding) -> Result<Vec<Finding>> {
    all.push(found.clone());
    all.drain(..all.len().saturating_sub(KEPT));
    files::create_dir_all(&notes(repository))?;
    let list = Value::list(all.iter().map(to_value));
    let value = Value::object([("schema_version", 1.into()), ("findings", list)]);
    files::write_atomically(&notes(repository).join(FINDINGS), value.pretty().as_bytes())?;
    Ok(all)
}

/// Whether the file of findings still holds what is remembered of them. Another call may just have added one: it writes the file
/// before the memory.
pub(super) fn agrees(repository: &Repository, memory: &Memory) -> bool {
    match file(repository) {
        Ok(None) => memory.findings.is_empty(),
        Ok(Some(bytes)) => {
            let list = json::parse(&bytes).ok().and_then(|value| list_of(&value));
            list.is_some_and(|list| list.starts_with(&memory.findings))
        }
        Err(_) => false,
    }
}

/// Whether something was found so far.
pub(super) fn has_findings(repository: &Repository) -> bool {
    notes(repository).join(FINDINGS).exists()
}

/// What is remembered; none when that is gone or cannot be read.
pub(super) fn recall(repository: &Repository) -> Option<Memory> {
    let bytes = files::read_if_there(&notes(repository).join(REMEMBERED), 4 << 20).ok().flatten()?;
    let value = json::parse(&bytes).ok()?;
    let part = |name: &str| {
        let Value::Object(members) = value.get(name)? else { return None };
        members.iter().map(|(name, value)| Some((name.clone(), value.as_text()?.to_owned()))).collect()
    };
    Some(Memory { now: part("now")?, was: part("was")?, findings: list_of(&value)? })
}

/// Remembers.
pub(super) fn keep(repository: &Repository, memory: &Memory) -> Result<()> {
    files::create_dir_all(&notes(repository))?;
    let part =
        |map: &Protected| Value::Object(map.iter().map(|(name, digest)| (name.clone(), digest.into())).collect());
    let value = Value::object([
        ("now", part(&memory.now)),
        ("was", part(&memory.was)),
        ("findings", Value::list(memory.findings.iter().map(to_value))),
    ]);
    files::note(&notes(repository).join(REMEMBERED), value.canonical().as_bytes())
}
