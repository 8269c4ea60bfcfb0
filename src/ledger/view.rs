//! Reading the ledger at one entry. Every object that is read is hashed again, so a view never gives bytes that are not what
//! the entry names.

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
}

/// Trees that were read and hashed already.
#[derive(Default)]
struct Remembered {
    trees: HashMap<Oid, Rc<Vec<u8>>>,
    bytes: usize,
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
        Ok(View { repository, tip, tree, trees: RefCell::default() })
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
                self.repository.read_verified(id, Kind::Blob, cap).map(Some).map_err(|error| error.at(path))
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
            let data = self.tree_bytes(at.1)?;
            let mut found = None;
            for entry in git::entries(&data, self.repository.format().digits() / 2) {
                let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()).at(path))?;
                if entry.name == part.as_bytes() {
                    found = Some((entry.mode, entry.id));
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

    /// The names in a directory, sorted as git sorts them; empty when it is not there.
    pub fn list(&self, path: &str) -> Result<Vec<String>> {
        let id = match path {
            "" => self.tree,
            _ => match self.locate(path)? {
                Some((Mode::Tree, id)) => id,
                _ => return Ok(Vec::new()),
            },
        };
        let data = self.tree_bytes(id)?;
        let names = git::entries(&data, self.repository.format().digits() / 2).map(|entry| {
            let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()).at(path))?;
            Ok(String::from_utf8_lossy(entry.name).into_owned())
        });
        names.collect()
    }

    fn tree_bytes(&self, id: Oid) -> Result<Rc<Vec<u8>>> {
        if let Some(data) = self.trees.borrow().trees.get(&id) {
            return Ok(Rc::clone(data));
        }
        let data = match id == Oid::empty_tree(self.repository.format()) {
            true => Vec::new(),
            false => self.repository.read_verified(id, Kind::Tree, TREE_CAP)?,
        };
        let data = Rc::new(data);
        let mut remembered = self.trees.borrow_mut();
        if remembered.bytes > REMEMBERED {
            *remembered = Remembered::default();
        }
        remembered.bytes += data.len();
        remembered.trees.insert(id, Rc::clone(&data));
        Ok(data)
    }
}

impl<'r> View<'r> {
    /// The same view once more, sharing nothing that was remembered.
    pub fn again(&self) -> Result<View<'r>> {
        View::at(self.repository, self.tip)
    }
}
