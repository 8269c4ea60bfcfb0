//! Which records somebody has read, each as these very bytes under this path, so that nobody reads them once more; and how
//! many bytes that may cost. Not here: what the records say.

use crate::diagnostics::{Code, Result};
use crate::git::Oid;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// What one reader reads.
pub struct Reads {
    keys: RandomState,
    left: Cell<u64>,
    noted: RefCell<Vec<u64>>,
}

impl Reads {
    /// A reader that may read so many bytes.
    pub fn new(of: &Known, most: u64) -> Reads {
        Reads { keys: of.keys.clone(), left: Cell::new(most), noted: RefCell::default() }
    }

    /// Notes a record (RAPID1525 when there were too many bytes).
    pub(super) fn note(&self, path: &str, id: Oid, bytes: usize) -> Result<()> {
        self.left.set(self.left.get().saturating_sub(bytes as u64));
        if self.is_spent() {
            return Err(Code::Rapid1525.because("the records have more bytes than are looked at").at(path));
        }
        self.noted.borrow_mut().push(self.keys.hash_one((path, id)));
        Ok(())
    }

    /// Whether nothing more is read.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// What was noted since it was last asked.
    pub fn take(&self) -> Vec<u64> {
        self.noted.take()
    }
}

/// What several readers have read. The keys are drawn anew in each process: nobody can prepare two records of one number.
#[derive(Clone, Default)]
pub struct Known {
    keys: RandomState,
    read: HashSet<u64>,
}

impl Known {
    /// Adds what a reader noted.
    pub fn extend(&mut self, noted: impl IntoIterator<Item = u64>) {
        self.read.extend(noted);
    }

    /// Whether somebody has read this object under this path.
    pub fn has(&self, path: &str, id: Oid) -> bool {
        self.read.contains(&self.keys.hash_one((path, id)))
    }
}
