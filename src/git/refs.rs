//! Refs: reading without following, and moving several in one transaction that compares before it swaps.
//!
//! Two stores behind the same functions: `files` in process, `executable` for reftable repositories, which gix reads as
//! empty and would damage (design §3).

mod broken;
mod executable;
mod files;

use super::{Identity, Oid, RefStorage, Repository};
use crate::diagnostics::{Code, Diagnostic, Result};

/// One move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefEdit {
    /// The ref's full name.
    pub name: String,
    /// What it must be now; `None`: it must not exist.
    pub old: Option<Oid>,
    /// What it shall be.
    pub new: Oid,
}

/// How a transaction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefUpdate {
    /// All refs moved.
    Moved,
    /// None moved: another writer was first.
    Lost,
}

impl Repository {
    /// Where a ref points. A ref that points to another ref is refused (RAPID1511): following it would let somebody move
    /// a branch in the ledger's place.
    pub fn read_ref(&self, name: &str) -> Result<Option<Oid>> {
        match self.ref_storage() {
            RefStorage::Files => files::read(self, name),
            RefStorage::Reftable => executable::read(self, name),
        }
    }

    /// The refs below a prefix like `refs/rapid-local/`, sorted by name.
    pub fn refs_below(&self, prefix: &str) -> Result<Vec<(String, Oid)>> {
        match self.ref_storage() {
            RefStorage::Files => files::below(self, prefix),
            RefStorage::Reftable => executable::below(self, prefix),
        }
    }

    /// Removes a ref that still points there; one that is gone or has moved is left alone.
    pub fn remove_ref(&self, name: &str, old: Oid) -> Result<()> {
        self.git().arguments(["update-ref", "--no-deref", "-d", name, &old.to_string()]).try_run().map(drop)
    }

    /// Moves all refs or none, with a line in each one's reflog, and brings the move to the disk before it returns. `step`
    /// is called when the locks are held and again when the refs have moved (for fault injection).
    pub fn update_refs(
        &self,
        edits: &[RefEdit],
        why: &str,
        who: &Identity,
        seconds: i64,
        step: &dyn Fn(&'static str),
    ) -> Result<RefUpdate> {
        match self.ref_storage() {
            RefStorage::Files => files::update(self, edits, why, who, seconds, step),
            RefStorage::Reftable => executable::update(self, edits, why, step),
        }
    }
}

pub(super) fn symbolic(name: &str, target: &str) -> Diagnostic {
    Code::Rapid1511
        .because(format!("'{name}' is a symbolic ref to '{target}', not a ref of its own"))
        .at(name)
        .hint(format!("look at it, then remove it with: git symbolic-ref --delete {name}"))
}
