//! Adding files to a tree: only additions, so that "a path once written is never written again" is decided here, in one place.
//! What an append that died left behind is taken out whole, never written over.

use super::{Kind, Mode, Oid, Repository, Writer, tree};
use crate::diagnostics::{Code, Diagnostic, Result};
use std::collections::BTreeMap;

/// What is put at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addition {
    /// How.
    pub mode: Mode,
    /// Which object.
    pub id: Oid,
}

/// Why a path cannot be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditFault {
    /// Something else is there.
    Taken(String),
    /// It could not be read or written.
    Failed(Diagnostic),
}

impl From<Diagnostic> for EditFault {
    fn from(diagnostic: Diagnostic) -> EditFault {
        EditFault::Failed(diagnostic)
    }
}

#[derive(Default)]
struct Directory {
    leaves: BTreeMap<Vec<u8>, Addition>,
    below: BTreeMap<Vec<u8>, Directory>,
}

impl Writer<'_> {
    /// The tree `base` (or an empty one) with files added at `/`-separated paths. A path that already holds exactly this
    /// is left alone; one that holds anything else is refused.
    pub fn add_to_tree(
        &self,
        repository: &Repository,
        base: Option<Oid>,
        additions: &BTreeMap<String, Addition>,
    ) -> std::result::Result<Oid, EditFault> {
        let mut top = Directory::default();
        for (path, addition) in additions {
            let mut directory = &mut top;
            let mut parts = path.split('/').peekable();
            while let Some(part) = parts.next() {
                if parts.peek().is_some() {
                    directory = directory.below.entry(part.into()).or_default();
                } else if directory.leaves.insert(part.into(), *addition).is_some() {
                    return Err(EditFault::Taken(path.clone()));
                }
            }
        }
        self.add(repository, base, top, "")
    }

    fn add(
        &self,
        repository: &Repository,
        base: Option<Oid>,
        directory: Directory,
        at: &str,
    ) -> std::result::Result<Oid, EditFault> {
        let data = base.map(|id| repository.read_tree(id)).transpose()?.unwrap_or_default();
        let mut entries: BTreeMap<Vec<u8>, (Mode, Oid)> = BTreeMap::new();
        for entry in tree::entries(&data, repository.format().digits() / 2) {
            let entry = entry.map_err(|fault| Code::Rapid1505.because(format!("{fault}, below '{at}'")))?;
            entries.insert(entry.name.to_vec(), (entry.mode, entry.id));
        }
        let path_of = |name: &[u8]| format!("{at}{}", String::from_utf8_lossy(name));
        for (name, addition) in directory.leaves {
            match entries.get(&name) {
                Some(there) if *there == (addition.mode, addition.id) => {}
                Some(_) => return Err(EditFault::Taken(path_of(&name))),
                None => drop(entries.insert(name, (addition.mode, addition.id))),
            }
        }
        for (name, below) in directory.below {
            let base = match entries.get(&name) {
                Some((Mode::Tree, id)) => Some(*id),
                Some(_) => return Err(EditFault::Taken(path_of(&name))),
                None => None,
            };
            let id = self.add(repository, base, below, &format!("{}/", path_of(&name)))?;
            entries.insert(name, (Mode::Tree, id));
        }
        Ok(self.write(Kind::Tree, &encode(&entries))?)
    }
}

impl Writer<'_> {
    /// Writes a tree of these entries.
    pub fn write_tree(&self, entries: &BTreeMap<Vec<u8>, (Mode, Oid)>) -> Result<Oid> {
        self.write(Kind::Tree, &encode(entries))
    }

    /// The tree `base` without what lies at a `/`-separated path, and without directories that hold nothing any more; the same
    /// tree when nothing lies there.
    pub fn take_out_of_tree(&self, repository: &Repository, base: Oid, path: &str) -> Result<Oid> {
        let data = repository.read_tree(base)?;
        let mut entries: BTreeMap<Vec<u8>, (Mode, Oid)> = BTreeMap::new();
        for entry in tree::entries(&data, repository.format().digits() / 2) {
            let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()).at(path))?;
            entries.insert(entry.name.to_vec(), (entry.mode, entry.id));
        }
        match path.split_once('/') {
            None => drop(entries.remove(path.as_bytes())),
            Some((name, below)) => {
                let Some((Mode::Tree, id)) = entries.get(name.as_bytes()).copied() else { return Ok(base) };
                match self.take_out_of_tree(repository, id, below)? {
                    id if id == Oid::empty_tree(repository.format()) => drop(entries.remove(name.as_bytes())),
                    id => drop(entries.insert(name.into(), (Mode::Tree, id))),
                }
            }
        }
        self.write(Kind::Tree, &encode(&entries))
    }
}

/// The bytes of a tree with these entries.
fn encode(entries: &BTreeMap<Vec<u8>, (Mode, Oid)>) -> Vec<u8> {
    let mut sorted: Vec<tree::Entry<'_>> =
        entries.iter().map(|(name, (mode, id))| tree::Entry { mode: *mode, name, id: *id }).collect();
    sorted.sort_by(|a, b| a.sort_key().cmp(b.sort_key()));
    let mut data = Vec::new();
    for entry in sorted {
        data.extend_from_slice(entry.mode.as_str().as_bytes());
        data.push(b' ');
        data.extend_from_slice(entry.name);
        data.push(0);
        data.extend_from_slice(entry.id.as_bytes());
    }
    data
}

impl Repository {
    /// The id that a tree would have with these files added, computed without writing anything; `None` when one of the
    /// paths is taken or its directory is a file.
    pub fn tree_with(&self, tree: Oid, files: &BTreeMap<String, (Mode, Oid)>) -> Result<Option<Oid>> {
        let mut top = Directory::default();
        for (path, (mode, id)) in files {
            let mut directory = &mut top;
            let mut parts = path.split('/').peekable();
            while let Some(part) = parts.next() {
                if parts.peek().is_some() {
                    directory = directory.below.entry(part.into()).or_default();
                } else {
                    directory.leaves.insert(part.into(), Addition { mode: *mode, id: *id });
                }
            }
        }
        self.with(Some(tree), top)
    }

    fn with(&self, base: Option<Oid>, directory: Directory) -> Result<Option<Oid>> {
        let data = base.map(|id| self.read_tree(id)).transpose()?.unwrap_or_default();
        let mut entries: BTreeMap<Vec<u8>, (Mode, Oid)> = BTreeMap::new();
        for entry in tree::entries(&data, self.format().digits() / 2) {
            let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()))?;
            entries.insert(entry.name.to_vec(), (entry.mode, entry.id));
        }
        for (name, leaf) in directory.leaves {
            if entries.insert(name, (leaf.mode, leaf.id)).is_some() {
                return Ok(None);
            }
        }
        for (name, below) in directory.below {
            let base = match entries.get(&name) {
                Some((Mode::Tree, id)) => Some(*id),
                Some(_) => return Ok(None),
                None => None,
            };
            match self.with(base, below)? {
                Some(id) => drop(entries.insert(name, (Mode::Tree, id))),
                None => return Ok(None),
            }
        }
        self.hash(Kind::Tree, &encode(&entries)).map(Some)
    }

    /// What lies at a `/`-separated path of a tree.
    pub fn lookup(&self, tree_id: Oid, path: &str) -> Result<Option<Addition>> {
        let mut at = Addition { mode: Mode::Tree, id: tree_id };
        for part in path.split('/') {
            if at.mode != Mode::Tree {
                return Ok(None);
            }
            let data = self.read_tree(at.id)?;
            let mut found = None;
            for entry in tree::entries(&data, self.format().digits() / 2) {
                let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()).at(path))?;
                if entry.name == part.as_bytes() {
                    found = Some(Addition { mode: entry.mode, id: entry.id });
                    break;
                }
            }
            match found {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }
}
