//! The files of a tree, by path. Not here: which of them count.

use crate::diagnostics::{Code, Result};
use crate::git::{Kind, Mode, Oid, Repository, entries};

/// The largest file that is looked into, in bytes.
const CAP: u64 = 4 << 20;

/// What lies at a path.
pub(super) enum Found {
    File(Vec<u8>),
    /// A file that is too large to be looked into: its git id.
    Large(String),
    /// A symbolic link: where it leads.
    Link(String),
    Directory,
    Nothing,
}

/// Where files are looked up.
pub(super) trait Files {
    fn look(&self, path: &str) -> Result<Found>;
    /// The names of the directories in a directory.
    fn directories(&self, path: &str) -> Result<Vec<String>>;
}

/// The files of a tree of a repository.
pub(super) struct InTree<'a> {
    pub(super) repository: &'a Repository,
    pub(super) tree: Oid,
}

impl Files for InTree<'_> {
    fn look(&self, path: &str) -> Result<Found> {
        let Some(found) = self.repository.lookup(self.tree, path)? else { return Ok(Found::Nothing) };
        Ok(match found.mode {
            Mode::File | Mode::Executable => match self.repository.size_of(found.id) {
                Some(size) if size > CAP => Found::Large(found.id.to_string()),
                _ => Found::File(self.repository.read_verified(found.id, Kind::Blob, CAP)?),
            },
            Mode::Symlink => {
                let target = self.repository.read_verified(found.id, Kind::Blob, CAP)?;
                Found::Link(String::from_utf8_lossy(&target).into_owned())
            }
            Mode::Tree => Found::Directory,
            Mode::Gitlink => Found::Nothing,
        })
    }

    fn directories(&self, path: &str) -> Result<Vec<String>> {
        let tree = match path {
            "" => Some(self.tree),
            _ => self.repository.lookup(self.tree, path)?.filter(|at| at.mode == Mode::Tree).map(|at| at.id),
        };
        let Some(tree) = tree else { return Ok(Vec::new()) };
        let data = self.repository.read_tree(tree)?;
        let mut names = Vec::new();
        for entry in entries(&data, self.repository.format().digits() / 2) {
            let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()).at(path))?;
            if entry.mode == Mode::Tree {
                names.push(String::from_utf8_lossy(entry.name).into_owned());
            }
        }
        Ok(names)
    }
}

/// A path from `dir`, both in the tree; `None` when it leads out of it or only a shell could tell.
pub(super) fn join(dir: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) || path.contains(['$', '`', '*', '?']) {
        return None;
    }
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
