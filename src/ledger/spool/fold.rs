//! Folding in what waits: each entry in order, on the tip of now. The verb that decided it cannot be asked again, so an entry is
//! taken only where all that it was decided on still stands, and only after it passed what `verify` asks of any entry.

use super::{Piece, SpooledEntry, Tips};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::git::{Commit, Kind, Oid, RefEdit, RefUpdate, Writer};
use crate::ledger::{ATTACHMENTS_REF, Additions, LEDGER_REF, Ledger, Material, View, lock, subject_of, transaction};
use crate::os::{clock, fault, files, signals};
use std::collections::BTreeSet;

/// How often a lost race is run again.
const ATTEMPTS: u32 = 16;

/// The largest piece of material that waits, in bytes.
const MATERIAL_CAP: u64 = 64 << 20;

/// The directory of a subject that says which of its records waited. Verbs do not decide on it.
pub(in crate::ledger) const MARKS: &str = "spooled";

/// What folding asks of its caller, who knows what records mean.
pub struct Folding<'a> {
    /// Refuses what may not wait: the ledger as it stands, and what an entry adds to it.
    pub may_wait: &'a dyn Fn(&View<'_>, &Additions) -> Result<()>,
    /// Adds the mark that says what waited.
    pub mark: &'a dyn Fn(&mut Additions) -> Result<()>,
    /// Proves the subjects that an entry touched, at the entry and the attachments' that go with it.
    pub prove: &'a dyn Fn(Oid, Option<Oid>, BTreeSet<String>) -> Result<()>,
}

impl Ledger<'_> {
    /// Folds in what waits; says how many entries it were. What cannot be folded in stays where it is, with those after it
    /// (RAPID1571, RAPID1572, RAPID1573, or what a proof finds). Where nothing waits nothing is touched; where the ledger cannot
    /// be written to all of it goes on waiting.
    pub fn fold(&self, folding: &Folding<'_>) -> Result<usize> {
        if self.spool_files()?.is_empty() || self.repository().is_closed() {
            return Ok(0);
        }
        signals::watch()?;
        let _lock = lock::take(self.repository())?;
        self.fold_locked(folding)
    }

    /// Folds in what can be, and sets the rest aside; says in words what was done.
    pub fn fold_or_set_aside(&self, folding: &Folding<'_>) -> Result<Vec<String>> {
        if self.spool_files()?.is_empty() || self.repository().is_closed() {
            return Ok(Vec::new());
        }
        signals::watch()?;
        let _lock = lock::take(self.repository())?;
        match self.fold_locked(folding) {
            Ok(count) => Ok(vec![format!("folded {count} spooled entries in")]),
            // What is wrong with the place, or with us, is no fault of an entry.
            Err(error)
                if matches!(
                    error.code,
                    Code::Rapid002 | Code::Rapid003 | Code::Rapid1504 | Code::Rapid1512 | Code::Rapid1513
                ) =>
            {
                Err(error)
            }
            Err(_) => self.set_aside(),
        }
    }

    /// The same with the lock in hand.
    pub(in crate::ledger) fn fold_locked(&self, folding: &Folding<'_>) -> Result<usize> {
        if self.spool_files()?.is_empty() {
            return Ok(0);
        }
        let repository = self.repository();
        for _ in 0..ATTEMPTS {
            let refs = self.refs()?;
            let spool = self.read_spool()?;
            let writer = repository.writer();
            let (mut now, mut done, mut trouble) = (refs, Vec::new(), spool.fault);
            for entry in &spool.entries {
                match self.fold_one(now, entry, folding, &writer) {
                    Ok(next) => {
                        now = next;
                        done.push(entry.file_name());
                    }
                    Err(error) => {
                        trouble = Some(self.with_way_out(error, &entry.file_name()));
                        break;
                    }
                }
            }
            if now != refs {
                writer.flush()?;
                fault::point("fold-flushed");
                let moved = |name: &str, old: Option<Oid>, new: Option<Oid>| {
                    new.filter(|new| Some(*new) != old).map(|new| RefEdit { name: name.to_owned(), old, new })
                };
                let edits: Vec<RefEdit> = [
                    moved(ATTACHMENTS_REF, refs.attachments, now.attachments),
                    moved(LEDGER_REF, refs.ledger, now.ledger),
                ]
                .into_iter()
                .flatten()
                .collect();
                let why = format!("rapid: fold {} spooled entries in", done.len());
                let (who, seconds) = (repository.identity(), clock::now_seconds());
                if repository.update_refs(&edits, &why, &who, seconds, &|step| fault::point(step))? == RefUpdate::Lost {
                    continue;
                }
                fault::point("fold-moved");
            }
            for name in &done {
                files::remove(&self.entries_dir().join(name))?;
            }
            fault::point("fold-removed");
            return match trouble {
                Some(trouble) => Err(trouble),
                None => {
                    // What was set aside still needs its objects.
                    if files::remove_if_empty(&self.entries_dir())? && !self.aside_dir().exists() {
                        repository.clear_spooled_objects();
                    }
                    Ok(done.len())
                }
            };
        }
        Err(Code::Rapid1513.because("other writers were first too often").at(LEDGER_REF))
    }

    fn fold_one(&self, now: Tips, entry: &SpooledEntry, folding: &Folding<'_>, writer: &Writer<'_>) -> Result<Tips> {
        let repository = self.repository();
        let view = View::at(repository, now.ledger)?;
        if !entry.records.is_empty() && entry.is_in(&view)? {
            return Ok(now);
        }
        if let Some(tip) = entry.before.ledger
            && let Err(error) = repository.tree_of(tip)
        {
            let words = format!("'{}' was spooled on an entry that is not in this repository", entry.subject);
            return Err(Code::Rapid1573.because(format!("{words}: {}", error.message)));
        }
        let mut additions = self.what_it_adds(entry)?;
        self.still_stands(entry, &view, &additions)?;
        (folding.may_wait)(&view, &additions)?;
        let touched = additions.records.keys().map(ToString::to_string).collect();
        (folding.mark)(&mut additions)?;
        for material in additions.material.values() {
            if let Material::Tree(id) = material {
                writer.bring(*id)?;
            }
        }
        let made = entry.made.ledger.ok_or_else(|| Code::Rapid1571.because("a spooled entry names no commit"))?;
        let commit = Commit::decode(&repository.read_verified(made, Kind::Commit, 1 << 20)?)
            .map_err(|fault| Code::Rapid1571.because(fault.to_string()))?;
        let made =
            self.build(now, &additions, writer, &commit.identity, commit.seconds).map_err(|error| {
                match error.code {
                    Code::Rapid1514 => Code::Rapid1573.because(format!("what a spooled entry adds is taken: {error}")),
                    _ => error,
                }
            })?;
        let at = made.ledger.ok_or_else(|| Code::Rapid003.because("an entry was made without an id"))?;
        transaction::read_back(repository, at, &additions)?;
        (folding.prove)(at, made.attachments, touched)?;
        Ok(made)
    }

    /// What an entry adds, each record and piece of material compared with its digest.
    fn what_it_adds(&self, entry: &SpooledEntry) -> Result<Additions> {
        let changed = |path: &dyn std::fmt::Display| {
            Code::Rapid1571.because(format!("'{path}' in the spool is not what the spooled entry says"))
        };
        let repository = self.repository();
        let records = View::at(repository, entry.made.ledger)?;
        let mut additions = Additions::new(&entry.verb, entry.about.clone(), entry.subject.clone());
        for (path, digest) in &entry.records {
            let bytes = records.read(path.as_str())?.filter(|bytes| Digest::of(bytes) == *digest);
            additions.record(path.as_str(), bytes.ok_or_else(|| changed(path))?)?;
        }
        if entry.material.is_empty() {
            return Ok(additions);
        }
        let attachments = View::at(repository, entry.made.attachments)?;
        for (path, piece) in &entry.material {
            let material = match piece {
                Piece::Tree(id) => Material::Tree(*id),
                Piece::Bytes(digest) => {
                    let bytes = attachments.read_capped(path.as_str(), MATERIAL_CAP)?;
                    let bytes = bytes.filter(|bytes| Digest::of(bytes) == *digest);
                    Material::Bytes(bytes.ok_or_else(|| changed(path))?)
                }
            };
            additions.attach(path.as_str(), material)?;
        }
        Ok(additions)
    }

    /// Refuses (RAPID1573) an entry whose subjects are not what they were when it was decided.
    fn still_stands(&self, entry: &SpooledEntry, now: &View<'_>, additions: &Additions) -> Result<()> {
        let before = View::at(self.repository(), entry.before.ledger)?;
        let subjects: BTreeSet<String> = additions.records.keys().map(|path| subject_of(path.as_str())).collect();
        for subject in subjects {
            let parts = |view: &View<'_>| -> Result<Vec<_>> {
                let names = view.list(&subject)?.into_iter().filter(|name| name != MARKS);
                names.map(|name| Ok((view.locate(&format!("{subject}/{name}"))?, name))).collect()
            };
            if parts(&before)? != parts(now)? {
                return Err(Code::Rapid1573.because(format!(
                    "'{subject}' is not what it was when '{}' was spooled: somebody else recorded something there",
                    entry.subject
                )));
            }
        }
        Ok(())
    }
}
