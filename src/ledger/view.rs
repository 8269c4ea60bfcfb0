//! Reading the ledger at one entry. Every object that is read is hashed again, so a view never gives bytes that are not what
//! the entry names.

use super::reads::Reads;
use crate::diagnostics::{Code, Result};
use crate::git::{self, Kind, Mode, Oid, Repository};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The largest record that is read, in bytes.
pub const RECORD_CAP: u64 = 4 << 20;

const TREE_CAP: u64 = 64 << 20;

/// How many bytes of trees a view remembers.
const REMEMBERED: usize = 16 << 20;

/// The ledger (or the attachments) as of one entry.
pub struct View<'r> {
    repository: &'r Repository,
    tip: Option<Oid>,
    tree: Oid,
    trees: RefCell<Remembered>,
    reads: Option<Rc<Reads>>,
}

/// Trees that were read and hashed already.
#[derive(Default)]
struct Remembered {
    trees: HashMap<Oid, Rc<Tree>>,
    bytes: usize,
}

/// A tree as it was read, to be asked many times: a run of ten thousand records is ten thousand questions to one of them.
#[derive(Default)]
struct Tree {
    /// As they stand.
    entries: Vec<(Vec<u8>, Mode, Oid)>,
    /// The same in the order of their names.
    by_name: Vec<usize>,
    /// Where it stopped making sense.
    fault: Option<String>,
}

impl Tree {
    fn parse(data: &[u8], id_length: usize) -> Tree {
        let mut tree = Tree::default();
        for entry in git::entries(data, id_length) {
            match entry {
                Ok(entry) => tree.entries.push((entry.name.to_vec(), entry.mode, entry.id)),
                Err(fault) => {
                    tree.fault = Some(fault.to_string());
                    break;
                }
            }
        }
        tree.by_name = (0..tree.entries.len()).collect();
        tree.by_name.sort_by_key(|&at| tree.entries.get(at).map(|(name, ..)| name));
        tree
    }

    fn get(&self, name: &[u8]) -> Option<(Mode, Oid)> {
        let named = |at: &usize| self.entries.get(*at);
        let first = self.by_name.partition_point(|at| named(at).is_some_and(|(own, ..)| own.as_slice() < name));
        let found = self.by_name.get(first).and_then(named);
        found.filter(|(own, ..)| own == name).map(|(_, mode, id)| (*mode, *id))
    }

    /// Refuses a tree that does not make sense to its end (RAPID1515).
    fn whole(&self, path: &str) -> Result<()> {
        match &self.fault {
            None => Ok(()),
            Some(fault) => Err(Code::Rapid1515.because(fault).at(path)),
        }
    }
}

impl<'r> View<'r> {
    /// The view at `tip`; empty for `None`.
    pub fn at(repository: &'r Repository, tip: Option<Oid>) -> Result<View<'r>> {
        let tree = match tip {
            None => Oid::empty_tree(repository.format()),
            Some(tip) => {
                let data = repository.read_verified(tip, Kind::Commit, 1 << 20)?;
                let commit = git::Commit::decode(&data)
                    .map_err(|fault| Code::Rapid1516.because(format!("entry {}: {fault}", tip.short())))?;
                commit.tree
            }
        };
        Ok(View { repository, tip, tree, trees: RefCell::default(), reads: None })
    }

    /// The same view, noting what is read through it.
    pub fn noting(self, reads: &Rc<Reads>) -> View<'r> {
        View { reads: Some(Rc::clone(reads)), ..self }
    }

    /// The repository.
    pub fn repository(&self) -> &'r Repository {
        self.repository
    }

    /// The entry; `None` when there is none.
    pub fn tip(&self) -> Option<Oid> {
        self.tip
    }

    /// The whole tree.
    pub fn tree(&self) -> Oid {
        self.tree
    }

    /// The bytes at a path; `None` when nothing is there.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read_capped(path, RECORD_CAP)
    }

    /// Like [`View::read`], with another cap in bytes.
    pub fn read_capped(&self, path: &str, cap: u64) -> Result<Option<Vec<u8>>> {
        match self.locate(path)? {
            None => Ok(None),
            Some((Mode::File, id)) => {
                let bytes = self.repository.read_verified(id, Kind::Blob, cap).map_err(|error| error.at(path))?;
                self.reads.as_ref().map_or(Ok(()), |reads| reads.note(path, id, bytes.len()))?;
                Ok(Some(bytes))
            }
            Some(_) => Err(Code::Rapid1515.because(format!("'{path}' is not a file")).at(path)),
        }
    }

    /// What lies at a path.
    pub fn locate(&self, path: &str) -> Result<Option<(Mode, Oid)>> {
        let mut at = (Mode::Tree, self.tree);
        for part in path.split('/') {
            if at.0 != Mode::Tree {
                return Ok(None);
            }
            let tree = self.tree_at(at.1)?;
            match tree.get(part.as_bytes()) {
                Some(next) => at = next,
                None => return tree.whole(path).map(|()| None),
            }
        }
        Ok(Some(at))
    }

    /// The names in a directory, sorted as git sorts them; empty when it is not there.
    pub fn list(&self, path: &str) -> Result<Vec<String>> {
        let id = match path {
            "" => self.tree,
            _ => match self.locate(path)? {
                Some((Mode::Tree, id)) => id,
                _ => return Ok(Vec::new()),
            },
        };
        let tree = self.tree_at(id)?;
        tree.whole(path)?;
        Ok(tree.entries.iter().map(|(name, ..)| String::from_utf8_lossy(name).into_owned()).collect())
    }

    fn tree_at(&self, id: Oid) -> Result<Rc<Tree>> {
        if let Some(tree) = self.trees.borrow().trees.get(&id) {
            return Ok(Rc::clone(tree));
        }
        let data = match id == Oid::empty_tree(self.repository.format()) {
            true => Vec::new(),
            false => self.repository.read_verified(id, Kind::Tree, TREE_CAP)?,
        };
        let tree = Rc::new(Tree::parse(&data, self.repository.format().digits() / 2));
        let mut remembered = self.trees.borrow_mut();
        if remembered.bytes > REMEMBERED {
            *remembered = Remembered::default();
        }
        remembered.bytes += data.len();
        remembered.trees.insert(id, Rc::clone(&tree));
        Ok(tree)
    }
}

impl<'r> View<'r> {
    /// The same view once more, sharing nothing that was remembered.
    pub fn again(&self) -> Result<View<'r>> {
        View::at(self.repository, self.tip)
    }
}
