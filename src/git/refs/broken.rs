//! Refs in files after a power cut: files that hold nothing, locks that nobody holds, and what the reflog remembers.
//!
//! Looking and single steps only; what may be mended, and when, is the ledger's to decide. A reftable has no such files.

use crate::diagnostics::Result;
use crate::git::{Oid, RefStorage, Repository};
use crate::os::files;
use std::path::PathBuf;

/// The largest file that is looked at as a ref, and as a reflog, in bytes.
const REF: u64 = 1 << 12;
const LOG: u64 = 64 << 20;

impl Repository {
    /// Whether the file of a ref is there and holds nothing but blanks or zero bytes.
    pub fn is_ref_empty(&self, name: &str) -> bool {
        let bytes = files::read_if_there(&self.common_dir().join(name), REF).ok().flatten();
        self.ref_storage() == RefStorage::Files
            && bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()))
    }

    /// Removes the file of a ref that holds nothing.
    ///
    /// # Errors
    /// RAPID002 when it cannot be removed.
    pub fn remove_empty_ref(&self, name: &str) -> Result<()> {
        match self.is_ref_empty(name) {
            true => files::remove(&self.common_dir().join(name)).map(drop),
            false => Ok(()),
        }
    }

    /// Where a ref pointed, the newest first, as its reflog has it.
    pub fn logged(&self, name: &str) -> Vec<Oid> {
        let log = files::read_if_there(&self.common_dir().join("logs").join(name), LOG).ok().flatten();
        let log = String::from_utf8_lossy(&log.unwrap_or_default()).into_owned();
        log.lines().rev().filter_map(|line| line.split(' ').nth(1)).filter_map(|id| Oid::from_hex(id).ok()).collect()
    }

    /// The two ids of the oldest line of a ref's reflog, without that of nothing; `None` where that cannot be told.
    pub fn oldest_logged(&self, name: &str) -> Option<Vec<Oid>> {
        if self.ref_storage() != RefStorage::Files {
            return None;
        }
        let log = files::read_if_there(&self.common_dir().join("logs").join(name), LOG).ok()?.unwrap_or_default();
        let log = String::from_utf8_lossy(&log).into_owned();
        let ids = log.lines().take(1).flat_map(|line| line.split(' ').take(2)).map(|id| Oid::from_hex(id).ok());
        Some(ids.collect::<Option<Vec<Oid>>>()?.into_iter().filter(|id| !id.is_null()).collect())
    }

    /// Empties a ref's reflog.
    pub fn forget_log(&self, name: &str) -> Result<()> {
        let expire = self.git().arguments(["reflog", "expire", "--expire=all", "--expire-unreachable=all", name]);
        expire.run().map(drop)
    }

    /// The locks of these refs, and of all packed ones, that are there now.
    pub fn ref_locks(&self, names: &[&str]) -> Vec<PathBuf> {
        let own = names.iter().map(|name| self.common_dir().join(format!("{name}.lock")));
        own.chain([self.common_dir().join("packed-refs.lock")])
            .filter(|path| std::fs::symlink_metadata(path).is_ok())
            .collect()
    }
}
