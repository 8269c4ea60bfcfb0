//! `show`, `cat`: an entry of the ledger, and its records as they lie there. The history of entries is `log`.

use super::{evidence, rapid::Rapid};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    ids::{EvidenceId, RunId, SpecId},
    json::{self, Value},
};
use crate::git::Oid;
use crate::ledger::{DIVERGED, EntryInfo};
use crate::registry::{Kept, Place, Records};

/// An entry with the records that it added; none for a merge.
pub struct Entry {
    /// What is known of it.
    pub info: EntryInfo,
    /// The paths of its records.
    pub records: Vec<String>,
}

/// Something that was named.
pub enum Shown {
    /// An entry.
    Entry(Entry),
    /// A record.
    Record(Record),
}

/// A record as it lies in the ledger.
pub struct Record {
    /// Where.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its JSON, when it is some.
    pub value: Option<Value>,
    /// The record before it, where it is one of a series: its path and its JSON.
    pub before: Option<(String, Value)>,
}

/// What `name` means: a record's path, a run, a spec, or an entry (RAPID1540 when it is none of these).
pub fn show(rapid: &Rapid, name: &str) -> Result<Shown> {
    let records = rapid.registry().existing_records()?;
    if let Some(path) = path_of(&records, name)? {
        return record(&records, &path).map(Shown::Record);
    }
    let ledger = rapid.registry();
    let ledger = ledger.ledger();
    let looks_like_an_id = name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut spooled = rapid.registry().waiting()?.into_iter().filter_map(|entry| entry.made.ledger);
    let is_named = |id: &Oid| looks_like_an_id && id.to_string().starts_with(name);
    if let Some(id) = spooled.find(is_named) {
        return entry(rapid, id).map(Shown::Entry);
    }
    if looks_like_an_id || name.starts_with("refs/rapid/") {
        let id = rapid.repository().resolve_commit(name).map_err(|_| unknown(name))?;
        let tip = records.view().tip();
        return match tip.map(|tip| ledger.is_ancestor(id, tip)).transpose()? {
            Some(true) => entry(rapid, id).map(Shown::Entry),
            _ => Err(unknown(name)),
        };
    }
    Err(unknown(name))
}

fn entry(rapid: &Rapid, id: Oid) -> Result<Entry> {
    let registry = rapid.registry();
    let ledger = registry.ledger();
    Ok(Entry { info: ledger.entry(id)?, records: ledger.added_by(id)? })
}

/// The path that a name stands for: itself, or that of the record one means by a run's or spec's id.
fn path_of(records: &Records<'_>, name: &str) -> Result<Option<String>> {
    if name == "format" || (name.contains('/') && !name.starts_with("refs/rapid/")) {
        return Ok(Some(name.to_owned()));
    }
    let run = RunId::parse(name).ok();
    if let Some(id) = &run
        && records.has_run(id)?
    {
        return Ok(Some(Place::Contract(id.clone()).path()));
    }
    if let Ok(id) = SpecId::parse(name)
        && records.has_spec(&id)?
    {
        let current = records.spec(&id)?.current()?.revision;
        return Ok(Some(Place::Revision(id, current).path()));
    }
    // What may be the id of an entry is looked for there.
    let is_hex = name.bytes().all(|byte| byte.is_ascii_hexdigit());
    match run.filter(|_| !is_hex).map(|id| records.meant(&id)) {
        Some(Ok(id)) => Ok(Some(Place::Contract(id).path())),
        _ => Ok(None),
    }
}

fn record(records: &Records<'_>, path: &str) -> Result<Record> {
    let is_decided = path.strip_prefix(DIVERGED).is_some_and(|below| below.starts_with('/'));
    if !is_decided {
        Place::of(path).map_err(|_| unknown(path))?;
    }
    let bytes = records.view().read(path)?.ok_or_else(|| unknown(path))?;
    let value = json::parse(&bytes).ok().filter(|_| path.ends_with(".json"));
    let before = match Place::of(path).ok().and_then(|place| place.before()) {
        Some(place) => records.value(&place)?.map(|value| (place.path(), value)),
        None => None,
    };
    Ok(Record { path: path.to_owned(), bytes, value, before })
}

/// The bytes at a path of the ledger, or of an artifact that a record names (`evidence/<run>/<evidence>/…`).
pub fn cat(rapid: &Rapid, path: &str) -> Result<Vec<u8>> {
    let records = rapid.registry().existing_records()?;
    let parts: Vec<&str> = path.splitn(4, '/').collect();
    let ["evidence", run, evidence, _] = parts.as_slice() else {
        return record(&records, path).map(|record| record.bytes);
    };
    let run = records.run(&RunId::parse(run)?)?;
    let item = run.item(&EvidenceId::parse(evidence)?)?;
    let artifact =
        item.artifacts.iter().find(|artifact| artifact.path.as_str() == path).ok_or_else(|| unknown(path))?;
    match evidence::bring(rapid, item, artifact)? {
        Kept::Here(bytes) => Ok(bytes),
        Kept::Expunged(record) => Err(evidence::expunged(&record)),
        Kept::Missing => Err(Code::Rapid1205
            .because(format!("'{path}' is not in this clone"))
            .at(path)
            .hint("ask for it in the clone that recorded it")),
    }
}

fn unknown(name: &str) -> Diagnostic {
    Code::Rapid1540
        .because(format!("'{}' is no record, run, spec or entry of this ledger", name.escape_debug()))
        .hint("see 'git rapid log' for entries and the paths of their records")
}
