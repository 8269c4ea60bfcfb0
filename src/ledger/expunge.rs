//! Material that was removed for good: the attachments begin anew, without it.
//!
//! The ledger has a record for each piece that was removed (below `expunged/`). Which records there are is said by a file at the
//! top of the attachments, from their first commit on: a tip that says the same has no commit behind it that was made before.
//! So joining needs no look at the history, and what a clone or a remote still has never comes back.

use super::{ATTACHMENTS_REF, Ledger, Merged, View, genesis, lock};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::git::{Addition, EditFault, Kind, Mode, Oid, Repository, Writer};
use std::collections::{BTreeMap, BTreeSet};

/// Where the records of what was removed lie in the ledger, and what the file in the attachments is called.
pub const EXPUNGED: &str = "expunged";

/// Given the ledger and the attachments: the paths among them of what the ledger says was removed.
pub type Gone = fn(&View<'_>, &View<'_>) -> Result<BTreeSet<String>>;

/// What the attachments say of the records of what was removed; `None` where there is none.
pub(super) fn mark(ledger: &View<'_>) -> Result<Option<String>> {
    let mut names = String::new();
    for shard in ledger.list(EXPUNGED)? {
        for subject in ledger.list(&format!("{EXPUNGED}/{shard}"))? {
            for record in ledger.list(&format!("{EXPUNGED}/{shard}/{subject}"))? {
                names.push_str(&format!("{shard}/{subject}/{record}\n"));
            }
        }
    }
    Ok((!names.is_empty()).then(|| format!("{}\n", Digest::of(names.as_bytes()))))
}

/// The commit that attachments with this mark begin with, and its tree: the same bytes in every clone.
pub(super) fn root(writer: &Writer<'_>, mark: Option<&str>) -> Result<(Oid, Oid)> {
    let Some(mark) = mark else { return genesis::write(writer, genesis::ATTACHMENTS_FORMAT) };
    let file = |bytes: &[u8]| Ok((Mode::File, writer.write(Kind::Blob, bytes)?));
    let tree = writer.write_tree(&BTreeMap::from([
        (EXPUNGED.as_bytes().to_vec(), file(mark.as_bytes())?),
        (b"format".to_vec(), file(genesis::ATTACHMENTS_FORMAT.as_bytes())?),
    ]))?;
    let commit = genesis::commit(tree, Vec::new(), "begin the attachments without what was expunged");
    Ok((writer.write(Kind::Commit, &commit.encode())?, tree))
}

/// Whether a tip of the attachments, and all that lies behind it, is free of what the ledger says was removed.
fn is_clean(ledger: &View<'_>, mark: Option<&str>, attachments: &View<'_>, gone: Gone) -> Result<bool> {
    let says = attachments.read(EXPUNGED)?;
    Ok(says.as_deref() == mark.map(str::as_bytes) && (mark.is_none() || gone(ledger, attachments)?.is_empty()))
}

/// The tip itself when it is free of what was removed; else its material without that, on a history of its own.
pub(super) fn cleaned(
    repository: &Repository,
    writer: &Writer<'_>,
    ledger: &View<'_>,
    tip: Oid,
    gone: Gone,
) -> Result<Oid> {
    let mark = mark(ledger)?;
    let view = View::at(repository, Some(tip))?;
    if is_clean(ledger, mark.as_deref(), &view, gone)? {
        return Ok(tip);
    }
    let (root, begun) = root(writer, mark.as_deref())?;
    let paths = if mark.is_some() { gone(ledger, &view)? } else { BTreeSet::new() };
    let mut tree = view.tree();
    for path in paths.iter().map(String::as_str).chain([EXPUNGED]) {
        tree = writer.take_out_of_tree(repository, tree, path)?;
    }
    if let Some(mark) = &mark {
        let file = Addition { mode: Mode::File, id: writer.write(Kind::Blob, mark.as_bytes())? };
        let said = BTreeMap::from([(EXPUNGED.to_owned(), file)]);
        tree = writer.add_to_tree(repository, Some(tree), &said).map_err(|fault| match fault {
            EditFault::Taken(path) => Code::Rapid1514.because(format!("'{path}' is among the attachments already")),
            EditFault::Failed(diagnostic) => diagnostic,
        })?;
    }
    if tree == begun {
        return Ok(root);
    }
    // Two clones that remove the same from the same make one commit.
    let commit = genesis::commit(tree, vec![root], "keep the material that was not expunged");
    writer.write(Kind::Commit, &commit.encode())
}

impl Ledger<'_> {
    /// A tip of attachments without what the ledger says was removed, and whether that is another one. No ref is moved.
    pub fn without_expunged(&self, tip: Oid, gone: Gone) -> Result<(Oid, bool)> {
        let writer = self.repository.writer();
        let clean = cleaned(self.repository, &writer, &self.view()?, tip, gone)?;
        writer.flush()?;
        Ok((clean, clean != tip))
    }

    /// Whether attachments at `new` lawfully begin anew in place of `old`: they say of all that this ledger says was removed
    /// that it is not among them, and `old` does not.
    pub fn begins_anew(&self, ledger: &View<'_>, old: Oid, new: Oid) -> Result<bool> {
        let says = |tip| View::at(self.repository, Some(tip))?.read(EXPUNGED);
        let mark = mark(ledger)?.map(String::into_bytes);
        Ok(mark.is_some() && says(new)? == mark && says(old)? != mark)
    }

    /// Whether anything was ever removed.
    pub fn has_expunged(&self) -> Result<bool> {
        Ok(self.view()?.locate(EXPUNGED)?.is_some())
    }

    /// Takes what the ledger says was removed out of the attachments, out of their reflog, and out of what is known of remotes.
    /// Whether there was any of it.
    pub fn settle_expunged(&self, gone: Gone) -> Result<bool> {
        let repository = self.repository;
        if !self.has_expunged()? {
            return Ok(false);
        }
        let moved = self.merge_ref(ATTACHMENTS_REF, &|repository, writer, ours| {
            let Some(ours) = ours else { return Ok(Merged::UpToDate) };
            match cleaned(repository, writer, &self.view()?, ours, gone)? {
                clean if clean == ours => Ok(Merged::UpToDate),
                clean => Ok(Merged::FastForward(clean)),
            }
        })?;
        let _lock = lock::take(repository)?;
        let ledger = self.view()?;
        let mark = mark(&ledger)?;
        // What cannot be read is no proof that the bytes are not there.
        let is_dirty = |id: Oid| {
            let view = View::at(repository, Some(id));
            !view.and_then(|view| is_clean(&ledger, mark.as_deref(), &view, gone)).unwrap_or(false)
        };
        // Every line after a clean one is clean.
        if repository.oldest_logged(ATTACHMENTS_REF).is_none_or(|ids| ids.into_iter().any(is_dirty)) {
            repository.forget_log(ATTACHMENTS_REF)?;
        }
        for (name, id) in repository.refs_below("refs/rapid-local/")? {
            if name.ends_with("/attachments") && is_dirty(id) {
                repository.remove_ref(&name, id)?;
            }
        }
        Ok(moved != Merged::UpToDate)
    }
}
