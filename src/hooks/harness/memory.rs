//! What the guard keeps between two firings: how things stood, and what was found; in git's private directory.
//!
//! Not here: what it means (`effect`). These are ordinary files. The memory knows the findings by their digest, so
//! that altering one of them is seen.

use super::install::notes;
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
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
    /// The digest of the findings' file as we wrote it; empty when there was none.
    pub(super) findings: String,
}

/// What was found so far; a file that cannot be read is one finding.
pub fn findings(repository: &Repository) -> Vec<Finding> {
    let Ok(Some(bytes)) = files::read_if_there(&notes(repository).join(FINDINGS), 4 << 20) else { return Vec::new() };
    let value = json::parse(&bytes).ok();
    let list = value.as_ref().and_then(|value| value.get("findings")?.as_list()).map(<[Value]>::to_vec);
    list.unwrap_or_default().iter().filter_map(of_value).collect()
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

/// Adds a finding; the digest of the file as it is now.
pub(super) fn add(repository: &Repository, found: &Finding) -> Result<String> {
    let mut all = findings(repository);
    all.push(found.clone());
    let first = all.len().saturating_sub(KEPT);
    let list = Value::list(all.get(first..).unwrap_or_default().iter().map(to_value));
    let text = Value::object([("schema_version", 1.into()), ("findings", list)]).pretty();
    files::create_dir_all(&notes(repository))?;
    files::write_atomically(&notes(repository).join(FINDINGS), text.as_bytes())?;
    Ok(Digest::of(text.as_bytes()).to_string())
}

/// Whether something was found so far.
pub(super) fn has_findings(repository: &Repository) -> bool {
    notes(repository).join(FINDINGS).exists()
}

/// The digest of the findings' file as it is; empty when there is none.
pub(super) fn digest_of_findings(repository: &Repository) -> String {
    match files::read_if_there(&notes(repository).join(FINDINGS), 4 << 20) {
        Ok(None) => String::new(),
        Ok(Some(bytes)) => Digest::of(&bytes).to_string(),
        Err(_) => "cannot be read".to_owned(),
    }
}

/// What is remembered; none when that is gone or cannot be read.
pub(super) fn recall(repository: &Repository) -> Option<Memory> {
    let bytes = files::read_if_there(&notes(repository).join(REMEMBERED), 4 << 20).ok().flatten()?;
    let value = json::parse(&bytes).ok()?;
    let part = |name: &str| {
        let Value::Object(members) = value.get(name)? else { return None };
        members.iter().map(|(name, value)| Some((name.clone(), value.as_text()?.to_owned()))).collect()
    };
    Some(Memory { now: part("now")?, was: part("was")?, findings: value.get("findings")?.as_text()?.to_owned() })
}

/// Remembers.
pub(super) fn keep(repository: &Repository, memory: &Memory) -> Result<()> {
    files::create_dir_all(&notes(repository))?;
    let part =
        |map: &Protected| Value::Object(map.iter().map(|(name, digest)| (name.clone(), digest.into())).collect());
    let value = Value::object([
        ("now", part(&memory.now)),
        ("was", part(&memory.was)),
        ("findings", (&memory.findings).into()),
    ]);
    files::note(&notes(repository).join(REMEMBERED), value.canonical().as_bytes())
}
