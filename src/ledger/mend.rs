//! What a power cut or a killed process leaves behind in the refs of the ledger, and putting it right when somebody asks.
//!
//! Nothing here decides by itself: `doctor` shows it, `doctor --repair` does it. A ref that holds nothing gets back the newest
//! entry of its reflog that can be read; a lock goes only when it is old and no process has it open. Whether the entries are
//! good is for `verify`.

use super::{ATTACHMENTS_REF, LEDGER_REF, Ledger, View, lock};
use crate::diagnostics::{Code, Result};
use crate::git::{RefEdit, RefUpdate};
use crate::os::{clock, files, process};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How old a lock must be before anybody thinks that its owner died. Git holds one for moments.
const OLD: Duration = Duration::from_secs(60);

/// Something that is wrong with the refs, and can be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The file of this ref holds nothing.
    Empty(&'static str),
    /// This lock is there.
    Lock {
        /// The file.
        path: PathBuf,
        /// How old it is, in seconds.
        age: u64,
        /// Processes that have it open; `None` where the system does not tell.
        holders: Option<Vec<u32>>,
    },
}

impl Damage {
    /// Whether it can be mended without risk: the owner of a lock is surely gone.
    pub fn can_be_mended(&self) -> bool {
        match self {
            Damage::Empty(_) => true,
            Damage::Lock { age, holders, .. } => {
                *age >= OLD.as_secs() && holders.as_ref().is_some_and(|holders| holders.is_empty())
            }
        }
    }
}

impl Ledger<'_> {
    /// What is wrong with the refs.
    pub fn damage(&self) -> Vec<Damage> {
        let names = [LEDGER_REF, ATTACHMENTS_REF];
        let empty = names.into_iter().filter(|name| self.repository.is_ref_empty(name)).map(Damage::Empty);
        let locks = self.repository.ref_locks(&names).into_iter().filter_map(|path| {
            let stamp = files::stamp(&path).ok().flatten()?;
            let age = SystemTime::now().duration_since(stamp.modified).unwrap_or_default().as_secs();
            let holders = process::holders(&path);
            Some(Damage::Lock { path, age, holders })
        });
        empty.chain(locks).collect()
    }

    /// Mends what can be mended, and says in words what was done. No append runs meanwhile.
    ///
    /// # Errors
    /// RAPID1504 when the repository cannot be written; RAPID1511 when nothing says where an empty ref pointed.
    pub fn mend(&self) -> Result<Vec<String>> {
        let _lock = lock::take(self.repository)?;
        let mut done = Vec::new();
        // Locks first: a ref cannot be put back under one.
        let (locks, refs): (Vec<_>, Vec<_>) =
            self.damage().into_iter().partition(|damage| matches!(damage, Damage::Lock { .. }));
        for damage in locks.into_iter().filter(Damage::can_be_mended) {
            if let Damage::Lock { path, age, .. } = damage {
                files::remove(&path)?;
                done.push(format!("removed '{}', which was {age} seconds old and held by nobody", path.display()));
            }
        }
        for damage in refs {
            if let Damage::Empty(name) = damage {
                done.push(self.put_back(name)?);
            }
        }
        Ok(done)
    }

    fn put_back(&self, name: &'static str) -> Result<String> {
        let repository = self.repository;
        let readable = |id: &crate::git::Oid| {
            View::at(repository, Some(*id)).and_then(|view| view.read("format")).is_ok_and(|format| format.is_some())
        };
        let Some(id) = repository.logged(name).into_iter().find(readable) else {
            return Err(Code::Rapid1511
                .because(format!("'{name}' holds nothing, and no entry of its reflog can be read"))
                .at(name)
                .hint("bring the ledger back from a remote: remove the empty file, then 'git rapid fetch'"));
        };
        repository.remove_empty_ref(name)?;
        // Under the file there may be an older value among the packed refs.
        let old = repository.read_ref(name)?;
        if old != Some(id) {
            let edits = [RefEdit { name: name.to_owned(), old, new: id }];
            let who = repository.identity();
            let why = "rapid: doctor --repair: the ref held nothing";
            match repository.update_refs(&edits, why, &who, clock::now_seconds(), &|_| {})? {
                RefUpdate::Moved => {}
                RefUpdate::Lost => {
                    return Err(Code::Rapid1513.because(format!("another process moved '{name}' meanwhile")).at(name));
                }
            }
        }
        Ok(format!("'{name}' held nothing and points to entry {} again, the newest of its reflog", id.short()))
    }
}
