//! The tree that two trees of the ledger make together: their union, where nobody decided otherwise (docs/design/0002).
//! Commutative, associative, idempotent; the same path with different bytes is never decided here.

use super::decision::{DIVERGED, Decision, Decisions, Leaves, SUBJECT_DEPTH, round_of, standing, subject_of};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::git::{self, Addition, EditFault, Kind, Mode, Oid, Repository, Writer};
use std::collections::{BTreeMap, BTreeSet};

use super::view::RECORD_CAP;

/// A side of a divergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This clone's.
    Ours,
    /// The other one's.
    Theirs,
}

/// The subjects that diverged, each with the paths that hold different bytes.
pub type Divergence = BTreeMap<String, BTreeSet<String>>;

/// What two trees make together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Joined {
    /// This tree.
    Tree(Oid),
    /// Nothing, until somebody decides about these subjects.
    Diverged(Divergence),
}

pub(super) type Names = BTreeMap<String, (Mode, Oid)>;

struct Join<'a> {
    repository: &'a Repository,
    writer: &'a Writer<'a>,
    decided: BTreeMap<String, Decisions>,
    diverged: Divergence,
}

/// Joins two trees; `chosen` decides about subjects that differ.
pub(super) fn join(
    repository: &Repository,
    writer: &Writer<'_>,
    ours: Oid,
    theirs: Oid,
    chosen: &BTreeMap<String, Side>,
) -> Result<Joined> {
    let read = |id| names(repository, id);
    let mut decided = decisions(&read, ours)?;
    for (subject, more) in decisions(&read, theirs)? {
        decided.entry(subject).or_default().extend(more);
    }
    let mut new = BTreeMap::new();
    for (subject, side) in chosen {
        let earlier = decided.entry(subject.clone()).or_default();
        let mine = subject_leaves(&read, ours, subject)?;
        let other = subject_leaves(&read, theirs, subject)?;
        let decision = match side {
            Side::Ours => Decision::between(&mine, &other, earlier),
            Side::Theirs => Decision::between(&other, &mine, earlier),
        };
        let record = decision.record(subject, &mut |id| {
            repository.read_verified(id, Kind::Blob, RECORD_CAP).map(|bytes| Digest::of(&bytes))
        })?;
        let directory = decision.directory(&record);
        let at = format!("{DIVERGED}/{subject}/{directory}");
        let file = |id| Addition { mode: Mode::File, id };
        new.insert(format!("{at}/decision.json"), file(writer.write(Kind::Blob, &record)?));
        for (part, leaves) in [("kept", &decision.kept), ("aside", &decision.aside)] {
            new.extend(leaves.iter().map(|(path, id)| (format!("{at}/{part}/{path}"), file(*id))));
        }
        earlier.insert(directory, decision);
    }
    let mut join = Join { repository, writer, decided, diverged: Divergence::new() };
    let tree = join.directory(ours, theirs, "", 0)?;
    if !join.diverged.is_empty() {
        return Ok(Joined::Diverged(join.diverged));
    }
    tree_with(repository, writer, tree, &new).map(Joined::Tree)
}

impl Join<'_> {
    fn directory(&mut self, ours: Oid, theirs: Oid, at: &str, depth: usize) -> Result<Option<Oid>> {
        if ours == theirs {
            return Ok(Some(ours));
        }
        if depth == SUBJECT_DEPTH && self.decided.contains_key(at.trim_end_matches('/')) {
            return self.subject(ours, theirs, at.trim_end_matches('/'));
        }
        let (mine, other) = (names(self.repository, ours)?, names(self.repository, theirs)?);
        let empty = Oid::empty_tree(self.repository.format());
        let mut all = BTreeMap::new();
        let every: BTreeSet<&String> = mine.keys().chain(other.keys()).collect();
        for name in every {
            let path = format!("{at}{name}");
            let kept = match (mine.get(name).copied(), other.get(name).copied()) {
                (Some(one), Some(two)) if one == two => Some(one),
                (Some((Mode::Tree, one)), Some((Mode::Tree, two))) => self.below(one, two, &path, depth)?,
                (Some((Mode::Tree, one)), None) if self.is_decided(&path) => self.below(one, empty, &path, depth)?,
                (None, Some((Mode::Tree, two))) if self.is_decided(&path) => self.below(empty, two, &path, depth)?,
                (Some(one), None) => Some(one),
                (None, two) => two,
                (Some(_), Some(_)) => {
                    self.diverged.entry(subject_of(&path)).or_default().insert(path);
                    None
                }
            };
            if let Some(kept) = kept {
                all.insert(name.clone().into_bytes(), kept);
            }
        }
        if all.is_empty() { Ok(None) } else { self.writer.write_tree(&all).map(Some) }
    }

    fn below(&mut self, ours: Oid, theirs: Oid, path: &str, depth: usize) -> Result<Option<(Mode, Oid)>> {
        let id = self.directory(ours, theirs, &format!("{path}/"), depth + 1)?;
        Ok(id.map(|id| (Mode::Tree, id)))
    }

    /// Whether somebody decided about what lies at or below a path.
    fn is_decided(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.decided.keys().any(|subject| subject == path || subject.starts_with(&below))
    }

    fn subject(&mut self, ours: Oid, theirs: Oid, subject: &str) -> Result<Option<Oid>> {
        let read = |id| names(self.repository, id);
        let (ours, theirs) = (leaves(&read, ours)?, leaves(&read, theirs)?);
        let none = Decisions::new();
        match standing(&ours, &theirs, self.decided.get(subject).unwrap_or(&none)) {
            Err(paths) => {
                let full = paths.into_iter().map(|path| format!("{subject}/{path}"));
                self.diverged.entry(subject.to_owned()).or_default().extend(full);
                Ok(None)
            }
            Ok(stands) if stands.is_empty() => Ok(None),
            Ok(stands) => {
                let files = stands.into_iter().map(|(path, id)| (path, Addition { mode: Mode::File, id })).collect();
                tree_with(self.repository, self.writer, None, &files).map(Some)
            }
        }
    }
}

fn tree_with(
    repository: &Repository,
    writer: &Writer<'_>,
    base: Option<Oid>,
    files: &BTreeMap<String, Addition>,
) -> Result<Oid> {
    match (base, files.is_empty()) {
        (Some(base), true) => Ok(base),
        _ => writer.add_to_tree(repository, base, files).map_err(|fault| match fault {
            EditFault::Taken(path) => Code::Rapid1514.because(format!("'{path}' is in the ledger already")).at(path),
            EditFault::Failed(diagnostic) => diagnostic,
        }),
    }
}

/// The entries of a tree, for whoever joins: names that a ledger may hold are text.
fn names(repository: &Repository, id: Oid) -> Result<Names> {
    let data = repository.read_tree(id)?;
    let entries = git::entries(&data, repository.format().digits() / 2).map(|entry| {
        let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()))?;
        let name = std::str::from_utf8(entry.name).map_err(|_| Code::Rapid1515.because("a name is not UTF-8"))?;
        Ok((name.to_owned(), (entry.mode, entry.id)))
    });
    entries.collect()
}

/// What is below a `/`-separated path of a tree, when it is a directory.
pub(super) fn directory_at(read: &impl Fn(Oid) -> Result<Names>, tree: Oid, path: &str) -> Result<Option<Oid>> {
    let mut at = tree;
    for name in path.split('/') {
        match read(at)?.get(name) {
            Some((Mode::Tree, id)) => at = *id,
            _ => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// The files below a tree.
pub(super) fn leaves(read: &impl Fn(Oid) -> Result<Names>, tree: Oid) -> Result<Leaves> {
    let mut out = Leaves::new();
    let mut waiting = vec![(String::new(), tree)];
    while let Some((at, id)) = waiting.pop() {
        if at.split('/').count() > super::path::MAX_DEPTH {
            return Err(Code::Rapid1515.because("a path goes too deep").at(at));
        }
        for (name, (mode, id)) in read(id)? {
            let path = format!("{at}{name}");
            match mode {
                Mode::File => drop(out.insert(path, id)),
                Mode::Tree => waiting.push((format!("{path}/"), id)),
                _ => return Err(Code::Rapid1515.because(format!("'{path}' is not a file")).at(path)),
            }
        }
    }
    Ok(out)
}

/// The records of a subject; none when it is not there.
pub(super) fn subject_leaves(read: &impl Fn(Oid) -> Result<Names>, tree: Oid, subject: &str) -> Result<Leaves> {
    directory_at(read, tree, subject)?.map_or_else(|| Ok(Leaves::new()), |id| leaves(read, id))
}

/// The subjects that somebody decided about, each with the directory of the decisions.
fn decided_subjects(read: &impl Fn(Oid) -> Result<Names>, tree: Oid) -> Result<BTreeMap<String, Oid>> {
    let mut level: BTreeMap<String, Oid> = BTreeMap::new();
    level.extend(directory_at(read, tree, DIVERGED)?.map(|id| (String::new(), id)));
    for _ in 0..SUBJECT_DEPTH {
        let mut below = BTreeMap::new();
        for (at, id) in level {
            let directories = read(id)?.into_iter().filter(|(_, (mode, _))| *mode == Mode::Tree);
            let named = |name: String| if at.is_empty() { name } else { format!("{at}/{name}") };
            below.extend(directories.map(|(name, (_, id))| (named(name), id)));
        }
        level = below;
    }
    Ok(level)
}

/// The decisions in a directory of decisions.
pub(super) fn decisions_in(read: &impl Fn(Oid) -> Result<Names>, directory: Oid) -> Result<Decisions> {
    let mut out = Decisions::new();
    for (name, (mode, id)) in read(directory)? {
        if let (Some(round), Mode::Tree) = (round_of(&name), mode) {
            let (kept, aside) = (subject_leaves(read, id, "kept")?, subject_leaves(read, id, "aside")?);
            out.insert(name, Decision { round, kept, aside });
        }
    }
    Ok(out)
}

fn decisions(read: &impl Fn(Oid) -> Result<Names>, tree: Oid) -> Result<BTreeMap<String, Decisions>> {
    let subjects = decided_subjects(read, tree)?.into_iter();
    subjects.map(|(subject, directory)| Ok((subject, decisions_in(read, directory)?))).collect()
}
