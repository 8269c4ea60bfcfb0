//! `show`, `cat`: an entry of the ledger, and its records as they lie there. The history of entries is `log`.

mod moved;

pub use moved::Moved;

use super::{
    evidence,
    rapid::Rapid,
    verify::{Covered, Passing},
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    ids::{EvidenceId, RunId, SpecId},
    json::{self, Value},
    near::or_near,
};
use crate::git::Oid;
use crate::ledger::{DIVERGED, EntryInfo};
use crate::mission::MissionId;
use crate::registry::{Kept, Place, Records};
use crate::story::StoryId;

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
    /// Of a run: what went on in its working copy after it was approved.
    pub moved: Option<Moved>,
}

/// What `name` means: a record's path, what has an id, or an entry (RAPID1540 when it is none of these). Only `for_people` are
/// the programs run that git's configuration names for differences.
pub fn show(rapid: &Rapid, name: &str, for_people: bool) -> Result<Shown> {
    let records = rapid.registry().existing_records()?;
    if let Some(path) = path_of(rapid, &records, name)? {
        let mut record = record(&records, &path)?;
        if let Ok(Place::Contract(id)) = Place::of(&path) {
            record.moved = moved::moved(rapid, &records, &records.run(&id)?, for_people)?;
        }
        return Ok(Shown::Record(record));
    }
    let registry = rapid.registry();
    let looks_like_an_id = is_hex(name);
    let mut spooled = registry.waiting()?.into_iter().filter_map(|entry| entry.made.ledger);
    let is_named = |id: &Oid| looks_like_an_id && id.to_string().starts_with(name);
    if let Some(id) = spooled.find(is_named) {
        return entry(rapid, id).map(Shown::Entry);
    }
    let tip = records.view().tip();
    if let (true, Some(tip)) = (looks_like_an_id || name.starts_with("refs/rapid/"), tip)
        && let Ok(id) = rapid.repository().resolve_commit(name)
        && registry.ledger().is_ancestor(id, tip)?
    {
        return entry(rapid, id).map(Shown::Entry);
    }
    if let Ok(commit) = rapid.repository().resolve_commit(name)
        && rapid.repository().lookup(rapid.repository().tree_of(commit)?, "format").is_ok_and(|found| found.is_none())
    {
        return of_commit(rapid, &records, commit, for_people).map(Shown::Record);
    }
    let ids = ids(&records)?;
    let known: Vec<&str> = ids.iter().map(|(id, _)| id.as_str()).collect();
    Err(unknown(name, &known))
}

/// The run that covers a commit of the code.
fn of_commit(rapid: &Rapid, records: &Records<'_>, commit: Oid, for_people: bool) -> Result<Record> {
    let coverage = Passing::of(records, None)?.coverage(records, commit, None)?;
    let Some(run) = coverage.runs.first().filter(|_| coverage.covered != Covered::No) else {
        let id = commit.short();
        return Err(Code::Rapid1540
            .because(format!("no passing run covers commit {id} of the code"))
            .hint(format!("see what is missing: git rapid verify --commit {id}")));
    };
    let mut record = record(records, &Place::Contract(run.run_id.clone()).path())?;
    record.moved = moved::moved(rapid, records, &records.run(&run.run_id)?, for_people)?;
    Ok(record)
}

/// What may be the beginning of an entry's id.
fn is_hex(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn entry(rapid: &Rapid, id: Oid) -> Result<Entry> {
    let registry = rapid.registry();
    let ledger = registry.ledger();
    Ok(Entry { info: ledger.entry(id)?, records: ledger.added_by(id)? })
}

/// The path that a name stands for: itself, or that of the record one means by an id, or by its beginning where only one has it.
fn path_of(rapid: &Rapid, records: &Records<'_>, name: &str) -> Result<Option<String>> {
    if let Some((run, evidence)) = evidence_of(rapid, name)? {
        let run = records.run(&records.meant(&run)?)?;
        return Ok(Some(Place::Evidence(run.id().clone(), run.item(&evidence)?.id.clone()).path()));
    }
    if name == "format" || (name.contains('/') && !name.starts_with("refs/rapid/")) {
        return Ok(Some(name.to_owned()));
    }
    let ids = ids(records)?;
    if let Some((_, subject)) = ids.iter().find(|(id, _)| id == name) {
        return subject.newest(records).map(Some);
    }
    let like: Vec<_> = ids.iter().filter(|(id, _)| id.starts_with(name)).collect();
    match like.as_slice() {
        // What may be the id of an entry is looked for there.
        [(_, subject)] if !is_hex(name) => subject.newest(records).map(Some),
        _ => Ok(None),
    }
}

/// A piece of evidence that is named: `E003` of the active run, or `RUN/E003`.
fn evidence_of(rapid: &Rapid, name: &str) -> Result<Option<(RunId, EvidenceId)>> {
    let (run, evidence) = match name.split_once('/') {
        Some((run, evidence)) => (RunId::parse(run).ok(), evidence),
        None => (None, name),
    };
    let Ok(evidence) = EvidenceId::parse(evidence) else { return Ok(None) };
    match (run, name.contains('/')) {
        (Some(run), _) => Ok(Some((run, evidence))),
        (None, true) => Ok(None),
        (None, false) => Ok(Some((rapid.run_id(None)?, evidence))),
    }
}

/// What has an id and a history of its own.
enum Subject {
    Run(RunId),
    Spec(SpecId),
    Mission(MissionId),
    Story(StoryId),
}

impl Subject {
    /// The path of the record that says most of it.
    fn newest(&self, records: &Records<'_>) -> Result<String> {
        let place = match self {
            Subject::Run(id) => Place::Contract(id.clone()),
            Subject::Spec(id) => Place::Revision(id.clone(), records.spec(id)?.current()?.revision),
            Subject::Mission(id) => Place::MissionPlan(id.clone()),
            Subject::Story(id) => Place::Story(id.clone(), records.story_count(id)?),
        };
        Ok(place.path())
    }
}

/// Everything that has an id. A run comes before a spec of the same id.
fn ids(records: &Records<'_>) -> Result<Vec<(String, Subject)>> {
    let mut all: Vec<(String, Subject)> = Vec::new();
    all.extend(records.run_ids()?.into_iter().map(|id| (id.to_string(), Subject::Run(id))));
    all.extend(records.spec_ids()?.into_iter().map(|id| (id.to_string(), Subject::Spec(id))));
    all.extend(records.mission_ids()?.into_iter().map(|id| (id.to_string(), Subject::Mission(id))));
    all.extend(records.story_ids()?.into_iter().map(|id| (id.to_string(), Subject::Story(id))));
    Ok(all)
}

fn record(records: &Records<'_>, path: &str) -> Result<Record> {
    let is_decided = path.strip_prefix(DIVERGED).is_some_and(|below| below.starts_with('/'));
    if !is_decided && Place::of(path).is_err() {
        return Err(unknown_path(records, path)?);
    }
    let Some(bytes) = records.view().read(path)? else { return Err(unknown_path(records, path)?) };
    let value = json::parse(&bytes).ok().filter(|_| path.ends_with(".json"));
    let before = match Place::of(path).ok().and_then(|place| place.before()) {
        Some(place) => records.value(&place)?.map(|value| (place.path(), value)),
        None => None,
    };
    Ok(Record { path: path.to_owned(), bytes, value, before, moved: None })
}

/// The bytes at a path of the ledger, or of an artifact that a record names (`evidence/<run>/<evidence>/…`).
pub fn cat(rapid: &Rapid, path: &str) -> Result<Vec<u8>> {
    let records = rapid.registry().existing_records()?;
    let parts: Vec<&str> = path.splitn(4, '/').collect();
    let ["evidence", run, evidence, _] = parts.as_slice() else {
        let aside = below(&records, path.trim_end_matches('/'))?;
        if !aside.is_empty() {
            return Ok(aside);
        }
        return record(&records, path).map(|record| record.bytes);
    };
    let run = records.run(&records.meant(&RunId::parse(run)?)?)?;
    let item = run.item(&EvidenceId::parse(evidence)?)?;
    let artifact = item.artifacts.iter().find(|artifact| artifact.path.as_str() == path).ok_or_else(|| {
        let known: Vec<&str> = item.artifacts.iter().map(|artifact| artifact.path.as_str()).collect();
        unknown(path, &known)
    })?;
    match evidence::bring(rapid, item, artifact)? {
        Kept::Here(bytes) => Ok(bytes),
        Kept::Expunged(record) => Err(evidence::expunged(&record)),
        Kept::Missing => Err(Code::Rapid1205
            .because(format!("'{path}' is not in this clone"))
            .at(path)
            .hint("ask for it in the clone that recorded it")),
    }
}

/// All records below a directory of what was set aside, each behind its path; nothing when it is no such directory.
fn below(records: &Records<'_>, directory: &str) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    if !directory.starts_with(DIVERGED) {
        return Ok(out);
    }
    let mut waiting = vec![directory.to_owned()];
    while let Some(at) = waiting.pop() {
        let names = records.view().list(&at)?;
        if names.is_empty() && at != directory {
            out.extend(format!("==> {at}\n").into_bytes());
            out.extend(records.view().read(&at)?.unwrap_or_default());
        }
        waiting.extend(names.into_iter().rev().map(|name| format!("{at}/{name}")));
    }
    Ok(out)
}

fn unknown(name: &str, known: &[&str]) -> Diagnostic {
    let missing =
        Code::Rapid1540.because(format!("'{}' is no record, run, spec or entry of this ledger", name.escape_debug()));
    or_near(
        missing,
        name,
        known,
        "see 'git rapid log' for entries, and 'git rapid show ENTRY' for the paths of records",
    )
}

/// The same for a path: what is near lies in the same directory.
fn unknown_path(records: &Records<'_>, path: &str) -> Result<Diagnostic> {
    let (directory, _) = path.rsplit_once('/').unwrap_or(("", path));
    let beside: Vec<String> =
        records.view().list(directory)?.into_iter().map(|name| format!("{directory}/{name}")).collect();
    let known: Vec<&str> = beside.iter().map(String::as_str).collect();
    Ok(unknown(path, &known))
}
