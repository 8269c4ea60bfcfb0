//! Installing a harness's files, taking them out again without a trace, and looking at how they stand.
//!
//! What each file held before is kept in git's private directory, so that a removal gives back the very bytes. Where the file
//! was edited since, or the installation came with a clone, only what is ours is taken out of it. Nothing is written
//! before everything is known to fit.

use super::catalogue::Harness;
use super::merge;
use super::part::{Content, Part};
use super::shortcut::MARK;
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::domain::json::{self, Value};
use crate::git::Repository;
use crate::os::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest file of a person that is merged into, in bytes.
const CAP: u64 = 4 << 20;

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was written.
    Wrote,
    /// It was as it should be.
    Kept,
    /// What was ours was taken out of it.
    Cleaned,
    /// It is gone.
    Removed,
    /// It was left, since it is not ours any more.
    Left,
}

/// How a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it is installed.
    Current,
    /// There, but not as this version installs it.
    Differs,
    /// Not there.
    Missing,
}

/// How a harness's files stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The files: path, what it is for, how it stands.
    pub files: Vec<(String, &'static str, State)>,
}

impl Installed {
    /// `yes`, `no`, or `in part`.
    pub fn as_str(&self) -> &'static str {
        let is = |state| self.files.iter().all(|(_, _, of)| *of == state);
        match () {
            () if is(State::Current) => "yes",
            () if is(State::Missing) => "no",
            () => "in part",
        }
    }

    /// Whether its guard stands as installed.
    pub fn guard(&self) -> State {
        self.files.iter().find(|(_, purpose, _)| *purpose == "guard").map_or(State::Missing, |(_, _, state)| *state)
    }
}

/// What is remembered of an installation.
#[derive(Default)]
struct Record {
    mcp: bool,
    /// What each file held before (none: there was none), and the digest of what was written.
    files: BTreeMap<String, (Option<String>, String)>,
    /// The directories that were made.
    directories: Vec<String>,
}

/// Where the harnesses' notes lie: in git's private directory.
pub(super) fn notes(repository: &Repository) -> PathBuf {
    repository.private_dir().join("harness")
}

/// Installs a harness; repeatable.
pub fn install(repository: &Repository, harness: Harness, mcp: bool) -> Result<Vec<(String, Change)>> {
    let top = repository.require_workdir()?;
    let mut record = read_record(repository, harness)?;
    let known = !record.files.is_empty();
    record.mcp |= mcp;
    let mut planned = Vec::new();
    for part in harness.parts(record.mcp) {
        let now = read(top, &part)?;
        let base = base(&part, now.as_deref(), &record)?;
        let wanted = merge::put_in(base.as_deref(), &part.content).map_err(|error| error.at(&part.path))?;
        planned.push((part, now, base, wanted));
    }
    // Two harnesses may share a directory; the last of them takes it away.
    let others = Harness::ALL.into_iter().filter(|other| *other != harness);
    let others = others.map(|other| read_record(repository, other)).collect::<Result<Vec<_>>>()?;
    let made_by_us = |above: &String| others.iter().any(|record| record.directories.contains(above));
    // The record first: whatever is interrupted after it can be taken out again.
    for (part, _, base, wanted) in &planned {
        record.files.insert(part.path.clone(), (base.clone(), digest(wanted)));
        for above in directories_above(&part.path) {
            let is_ours = made_by_us(&above) || !top.join(&above).exists();
            if is_ours && !record.directories.contains(&above) {
                record.directories.push(above);
            }
        }
    }
    write_record(repository, harness, &record)?;
    let mut done = Vec::new();
    for (part, now, _, wanted) in planned {
        let change = if now.as_deref() == Some(wanted.as_str()) { Change::Kept } else { Change::Wrote };
        if change == Change::Wrote
            && let Err(error) = write(top, &part.path, &wanted)
        {
            // Half an installation would look like a guard. What was written is known, so it can be taken out again.
            if !known {
                uninstall(repository, harness)?;
            }
            return Err(error.hint("nothing of it was kept; make room there, then install again").at(&part.path));
        }
        done.push((part.path, change));
    }
    Ok(done)
}

fn write(top: &Path, path: &str, text: &str) -> Result<()> {
    let path = top.join(path);
    files::create_dir_all(path.parent().unwrap_or(top))?;
    files::write_atomically(&path, text.as_bytes())
}

/// Takes a harness's files out again.
pub fn uninstall(repository: &Repository, harness: Harness) -> Result<Vec<(String, Change)>> {
    let top = repository.require_workdir()?;
    let record = read_record(repository, harness)?;
    let mut planned = Vec::new();
    for part in harness.parts(true) {
        let Some(now) = read(top, &part)? else { continue };
        let wanted = match (record.files.get(&part.path), &part.content) {
            (Some((before, written)), _) if *written == digest(&now) => before.clone(),
            (_, Content::Whole(_)) if !now.contains(MARK) => Some(now.clone()),
            _ => without_us(&part, &now)?,
        };
        planned.push((part, now, wanted));
    }
    let mut done = Vec::new();
    let mut emptied: Vec<String> = record.directories.clone();
    for (part, now, wanted) in planned {
        let path = top.join(&part.path);
        let change = match wanted {
            Some(text) if text == now => {
                if matches!(part.content, Content::Whole(_)) {
                    done.push((part.path, Change::Left));
                }
                continue;
            }
            Some(text) => {
                files::write_atomically(&path, text.as_bytes())?;
                Change::Cleaned
            }
            None => {
                files::remove(&path)?;
                if record.files.is_empty() {
                    emptied.extend(directories_above(&part.path));
                }
                Change::Removed
            }
        };
        done.push((part.path, change));
    }
    // The innermost first, and none of them twice.
    emptied.sort_by_key(|directory| std::cmp::Reverse(directory.matches('/').count()));
    emptied.dedup();
    for directory in emptied {
        files::remove_if_empty(&top.join(directory))?;
    }
    forget(repository, harness)?;
    Ok(done)
}

/// How a harness's files stand in the working copy.
pub fn installed(repository: &Repository, harness: Harness) -> Result<Installed> {
    let top = repository.require_workdir()?;
    let mcp = read_record(repository, harness)?.mcp;
    let files = harness.parts(mcp).into_iter().map(|part| {
        let state = match files::read_if_there(&top.join(&part.path), CAP)?.map(String::from_utf8) {
            None => State::Missing,
            Some(Ok(text)) => merge::stands(&text, &part.content),
            Some(Err(_)) => State::Differs,
        };
        Ok((part.path, part.purpose, state))
    });
    Ok(Installed { files: files.collect::<Result<_>>()? })
}

/// A file without us: as it was before, where nobody edited it since; else with what is ours taken out.
fn base(part: &Part, now: Option<&str>, record: &Record) -> Result<Option<String>> {
    let Some(text) = now else { return Ok(None) };
    if let Some((before, written)) = record.files.get(&part.path)
        && *written == digest(text)
    {
        return Ok(before.clone());
    }
    if matches!(part.content, Content::Whole(_)) && !text.contains(MARK) {
        return Err(Code::Rapid1631
            .because(format!("'{}' is there already, and git-rapid did not write it", part.path))
            .hint("move it away, then install again; nothing was changed")
            .at(&part.path));
    }
    without_us(part, text)
}

/// A file with what is ours taken out; none when there was nothing else in it. One without us is as it is, however little
/// it holds.
fn without_us(part: &Part, text: &str) -> Result<Option<String>> {
    if merge::stands(text, &part.content) == State::Missing {
        return Ok(Some(text.to_owned()));
    }
    merge::take_out(text, &part.content).map_err(|error| error.at(&part.path))
}

/// A file's text. A symbolic link on the way is refused: it would be replaced, or lead out of the working copy.
fn read(top: &Path, part: &Part) -> Result<Option<String>> {
    let linked =
        directories_above(&part.path).into_iter().chain([part.path.clone()]).find(|path| top.join(path).is_symlink());
    if let Some(path) = linked {
        return Err(Code::Rapid1631
            .because(format!("'{path}' is a symbolic link, and git-rapid writes through none"))
            .hint("make it a file or directory of its own, then try again; nothing was changed")
            .at(path));
    }
    let Some(bytes) = files::read_if_there(&top.join(&part.path), CAP)? else { return Ok(None) };
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| Code::Rapid1632.because("it is not UTF-8 text").at(&part.path))
}

/// The directories above a path, outermost first.
fn directories_above(path: &str) -> Vec<String> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(str::to_owned).collect()
}

fn digest(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}

fn place(repository: &Repository, harness: Harness) -> PathBuf {
    notes(repository).join(format!("{}.json", harness.as_str()))
}

/// What is remembered; nothing where that cannot be read: then only what is ours is taken out.
fn read_record(repository: &Repository, harness: Harness) -> Result<Record> {
    let Some(bytes) = files::read_if_there(&place(repository, harness), 16 * CAP)? else {
        return Ok(Record::default());
    };
    Ok(json::parse(&bytes).ok().and_then(|value| record_of(&value)).unwrap_or_default())
}

fn record_of(value: &Value) -> Option<Record> {
    let mut record = Record { mcp: value.get("mcp") == Some(&Value::Bool(true)), ..Record::default() };
    for file in value.get("files")?.as_list()? {
        let before = file.get("before")?.as_text().map(str::to_owned);
        let written = file.get("written")?.as_text()?.to_owned();
        record.files.insert(file.get("path")?.as_text()?.to_owned(), (before, written));
    }
    let directories = value.get("directories")?.as_list()?;
    record.directories = directories.iter().filter_map(Value::as_text).map(str::to_owned).collect();
    Some(record)
}

fn write_record(repository: &Repository, harness: Harness, record: &Record) -> Result<()> {
    let files = record.files.iter().map(|(path, (before, written))| {
        Value::object([("path", path.into()), ("before", before.clone().into()), ("written", written.into())])
    });
    let value = Value::object([
        ("schema_version", 1.into()),
        ("mcp", record.mcp.into()),
        ("files", Value::list(files)),
        ("directories", Value::list(&record.directories)),
    ]);
    files::create_dir_all(&notes(repository))?;
    files::write_atomically(&place(repository, harness), value.pretty().as_bytes())
}

/// Removes what is noted of a harness, and what all share with the last of them.
fn forget(repository: &Repository, harness: Harness) -> Result<()> {
    let notes = notes(repository);
    files::remove(&place(repository, harness))?;
    for event in super::catalogue::Event::ALL {
        files::remove(&super::beat::place(repository, harness, event))?;
    }
    if Harness::ALL.into_iter().all(|other| !place(repository, other).exists()) {
        for shared in [super::memory::REMEMBERED, super::memory::FINDINGS, super::stop::COUNTS] {
            files::remove(&notes.join(shared))?;
        }
    }
    files::remove_if_empty(&notes)?;
    files::remove_if_empty(&repository.private_dir()).map(drop)
}
