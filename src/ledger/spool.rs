//! Entries that wait: where only `.git/rapid` can be written to, an append leaves its whole entry there, and the next one that
//! can write to the ledger folds it in (design §4.3).
//!
//! A spooled entry is a real commit on the tip that it was decided on, with its objects beside the object store, and one file
//! that says what it adds and binds each record by digest. Whoever can write to the spool can write anything into it: nothing
//! in it is believed before it has passed what an entry of a stranger has to pass, and some more (`fold`).

mod entry;
mod fold;

pub(super) use entry::Piece;
pub use entry::{SpooledEntry, Tips};
pub use fold::Folding;

use super::{Additions, Ledger, Material, View};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::digest::Digest;
use crate::git::Oid;
use crate::os::{fault, files};
use std::path::PathBuf;

/// How many entries may wait.
const MOST: usize = 1_000;

/// How many bytes of objects may wait, and how many files are looked at to know.
const MOST_BYTES: u64 = 1 << 30;
const MOST_FILES: usize = 1 << 18;

/// The largest file of an entry, in bytes.
const FILE_CAP: u64 = 4 << 20;

/// The spool as it was read.
#[derive(Default)]
pub(super) struct Spool {
    /// The entries that are what was written, in order.
    pub(super) entries: Vec<SpooledEntry>,
    /// Why the one after them is not.
    pub(super) fault: Option<Diagnostic>,
}

/// How the ledger stands with what waits.
pub(super) struct Standing {
    /// The refs.
    pub(super) refs: Tips,
    /// With the entries that wait, where they follow from the refs.
    pub(super) tips: Tips,
    /// The entries that wait.
    pub(super) waiting: Vec<SpooledEntry>,
}

impl Ledger<'_> {
    /// The entries that wait to be folded in, in order (RAPID1571 when one of them was changed).
    pub fn waiting(&self) -> Result<Vec<SpooledEntry>> {
        Ok(self.standing()?.waiting)
    }

    /// Whether entries wait that were made on another ledger than the one that is here now: nothing counts them in before they are
    /// folded in, which may not be possible.
    pub fn waits_apart(&self) -> Result<bool> {
        let standing = self.standing()?;
        Ok(!standing.waiting.is_empty() && standing.tips == standing.refs)
    }

    pub(super) fn refs(&self) -> Result<Tips> {
        Ok(Tips { ledger: self.tip()?, attachments: self.attachments_tip()? })
    }

    pub(super) fn standing(&self) -> Result<Standing> {
        let refs = self.refs()?;
        let spool = self.read_spool()?;
        if let Some(fault) = spool.fault {
            return Err(fault);
        }
        let mut waiting = spool.entries;
        if !waiting.is_empty() {
            // A fold that died after it had moved the refs left entries that are in the ledger already.
            let now = View::at(self.repository, refs.ledger)?;
            let folded = waiting.iter().map(|entry| entry.is_in(&now)).collect::<Result<Vec<_>>>()?;
            let here = folded.iter().take_while(|is_in| **is_in).count();
            waiting.drain(..here);
        }
        let follows = waiting.first().is_some_and(|first| first.before.ledger == refs.ledger);
        let tips = waiting.last().filter(|_| follows).map_or(refs, |last| last.made);
        if follows {
            self.refuse_damaged(&waiting, tips)?;
        }
        Ok(Standing { refs, tips, waiting })
    }

    /// Refuses (RAPID1571) entries whose records are not below the newest of them as they say: everybody reads there.
    fn refuse_damaged(&self, waiting: &[SpooledEntry], tips: Tips) -> Result<()> {
        let newest = View::at(self.repository, tips.ledger);
        for entry in waiting {
            let why = match newest.as_ref().map(|newest| entry.is_in(newest)) {
                Ok(Ok(true)) => continue,
                Ok(Ok(false)) => "differ from what it says".to_owned(),
                Ok(Err(error)) => format!("cannot be read: {}", error.message),
                Err(error) => format!("cannot be read: {}", error.message),
            };
            let name = entry.file_name();
            let fault = Code::Rapid1571.because(format!("the records of the spooled entry '{name}' {why}"));
            return Err(self.with_way_out(fault, &name));
        }
        Ok(())
    }

    /// Where the next entry goes that cannot be written to the ledger; RAPID1573 when what waits follows from another tip.
    pub(super) fn end_of_spool(&self) -> Result<Tips> {
        let standing = self.standing()?;
        match standing.waiting.is_empty() || standing.tips != standing.refs {
            true => Ok(standing.tips),
            false => Err(Code::Rapid1573
                .because("the ledger has moved on under the entries that wait in the spool")
                .at(self.entries_dir().display().to_string())
                .hint("run any recording command outside the sandbox: it folds them in, or says why not")),
        }
    }

    /// Leaves an entry that was made on `before` for whoever can write to the ledger.
    pub(super) fn spool(&self, additions: &Additions, before: Tips, made: Tips) -> Result<()> {
        let spool = self.read_spool()?;
        let (bytes, all) = self.repository.spooled_bytes(MOST_FILES);
        if spool.entries.len() >= MOST || bytes > MOST_BYTES || !all {
            return Err(Code::Rapid1574
                .because(format!("{} entries wait, with {} MiB of objects", spool.entries.len(), bytes >> 20))
                .at(self.repository.spool_dir().display().to_string())
                .hint("run any recording command outside the sandbox, which folds them in"));
        }
        let last = spool.entries.last();
        let records = additions.records.iter().map(|(path, bytes)| (path.clone(), Digest::of(bytes)));
        let material = additions.material.iter().map(|(path, material)| {
            let piece = match material {
                Material::Bytes(bytes) => Piece::Bytes(Digest::of(bytes)),
                Material::Tree(id) => Piece::Tree(*id),
            };
            (path.clone(), piece)
        });
        let entry = SpooledEntry {
            ordinal: last.map_or(1, |last| last.ordinal + 1),
            after: last.map(|last| Digest::of(&last.to_bytes())),
            before,
            made,
            verb: additions.verb.clone(),
            about: additions.about.clone(),
            subject: additions.subject.clone(),
            records: records.collect(),
            material: material.collect(),
        };
        files::create_dir_all(&self.entries_dir())?;
        files::write_atomically(&self.entries_dir().join(entry.file_name()), &entry.to_bytes())?;
        fault::point("spooled");
        Ok(())
    }

    pub(super) fn entries_dir(&self) -> PathBuf {
        self.repository.spool_dir().join("entries")
    }

    pub(super) fn aside_dir(&self) -> PathBuf {
        self.repository.spool_dir().join("aside")
    }

    /// The names of the files that wait, in order; what an interrupted write left behind is none of them.
    pub(super) fn spool_files(&self) -> Result<Vec<String>> {
        let directory = self.entries_dir();
        let Ok(listed) = std::fs::read_dir(&directory) else { return Ok(Vec::new()) };
        let names = listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with(".rapid-")).take(MOST + 2).collect();
        names.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        Ok(names)
    }

    /// Reads what waits, up to the first that is not what was written.
    pub(super) fn read_spool(&self) -> Result<Spool> {
        let mut spool = Spool::default();
        let mut before: Option<(u32, Digest)> = None;
        for name in self.spool_files()? {
            match self.read_entry(&name, before) {
                Ok((entry, digest)) => {
                    before = Some((entry.ordinal, digest));
                    spool.entries.push(entry);
                }
                Err(fault) => {
                    spool.fault = Some(self.with_way_out(fault, &name));
                    break;
                }
            }
        }
        Ok(spool)
    }

    fn read_entry(&self, name: &str, before: Option<(u32, Digest)>) -> Result<(SpooledEntry, Digest)> {
        let changed = |why: &str| Code::Rapid1571.because(format!("the spooled entry '{name}' {why}"));
        let path = self.entries_dir().join(name);
        // Opening anything but a plain file could wait for ever.
        if !std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_file()) {
            return Err(changed("is no file"));
        }
        let bytes = files::read(&path, FILE_CAP)?;
        let entry = SpooledEntry::from_bytes(&bytes)
            .map_err(|error| Code::Rapid1571.because(format!("the spooled entry '{name}': {}", error.message)))?;
        if entry.file_name() != name {
            return Err(changed("has the name of another"));
        }
        if let Some((ordinal, digest)) = before
            && (entry.ordinal != ordinal + 1 || entry.after != Some(digest))
        {
            return Err(changed("does not follow the one before it, which was changed or taken away"));
        }
        Ok((entry, Digest::of(&bytes)))
    }

    /// A fault of an entry that waits, with the ways out.
    pub(super) fn with_way_out(&self, fault: Diagnostic, name: &str) -> Diagnostic {
        fault
            .at(self.entries_dir().join(name).display().to_string())
            .hint("it and those after it are kept as they are; look at them before anything else")
            .hint("to go on without them: git rapid doctor --repair, which sets them aside")
    }

    /// Sets all that waits aside, where nobody folds it in; says in words what was done. Nothing is thrown away.
    pub(super) fn set_aside(&self) -> Result<Vec<String>> {
        let mut done = Vec::new();
        for name in self.spool_files()? {
            files::create_dir_all(&self.aside_dir())?;
            let from = self.entries_dir().join(&name);
            let free = |round: &u32| self.aside_dir().join(format!("{round}-{name}"));
            let to = (1..=9_999).map(|round| free(&round)).find(|path| !files::is_taken(path));
            let to = to.ok_or_else(|| Code::Rapid1574.because("too many spooled entries were set aside"))?;
            files::rename(&from, &to)?;
            done.push(format!("set the spooled entry '{name}' aside, as '{}'", to.display()));
        }
        Ok(done)
    }
}

/// The id that stands for no entry yet.
pub(super) fn named(id: Option<Oid>) -> Option<String> {
    id.map(|id| id.to_string())
}
