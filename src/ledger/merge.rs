//! Bringing two tips together: the union of two grow-only trees. Commutative, associative, idempotent; a merge entry adds
//! nothing of its own, and the same path with different bytes is never decided here.

use super::{ATTACHMENTS_REF, LEDGER_REF, Ledger, lock};
use crate::diagnostics::{Code, Result};
use crate::git::{self, Commit, Identity, Kind, Mode, Oid, RefEdit, RefUpdate, Repository, Writer};
use crate::os::{clock, fault};
use std::collections::BTreeMap;

/// How two tips came together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The other side had nothing new.
    UpToDate,
    /// This side had nothing of its own and moved forward.
    FastForward(Oid),
    /// Both sides had something; this entry joins them.
    Joined(Oid),
    /// These paths hold different bytes on the two sides; nothing was moved.
    Conflict(Vec<String>),
}

impl Ledger<'_> {
    /// Joins a tip that was verified into the ledger.
    pub fn merge(&self, theirs: Oid) -> Result<Merged> {
        self.merge_ref(LEDGER_REF, theirs)
    }

    /// Joins a tip into the attachments.
    pub fn merge_attachments(&self, theirs: Oid) -> Result<Merged> {
        self.merge_ref(ATTACHMENTS_REF, theirs)
    }

    fn merge_ref(&self, name: &str, theirs: Oid) -> Result<Merged> {
        let repository = self.repository;
        let _lock = lock::take(repository)?;
        for _ in 0..16 {
            let ours = repository.read_ref(name)?;
            let (new, merged) = match ours {
                None => (theirs, Merged::FastForward(theirs)),
                Some(ours) if self.is_ancestor(theirs, ours)? => return Ok(Merged::UpToDate),
                Some(ours) if self.is_ancestor(ours, theirs)? => (theirs, Merged::FastForward(theirs)),
                Some(ours) => match join(repository, name, ours, theirs)? {
                    Ok(joined) => (joined, Merged::Joined(joined)),
                    Err(paths) => return Ok(Merged::Conflict(paths)),
                },
            };
            fault::point("merge-written");
            let edit = RefEdit { name: name.to_owned(), old: ours, new };
            let who = repository.identity();
            if repository
                .update_refs(&[edit], "rapid: merge", &who, clock::now_seconds(), &|step| fault::point(step))?
                == RefUpdate::Moved
            {
                return Ok(merged);
            }
        }
        Err(Code::Rapid1513.because("other writers were first too often").at(name))
    }
}

/// Writes the merge of two tips. It depends on them alone, so that two clones that join the same tips make one entry.
fn join(repository: &Repository, name: &str, ours: Oid, theirs: Oid) -> Result<std::result::Result<Oid, Vec<String>>> {
    let writer = repository.writer();
    let mut conflicts = Vec::new();
    let tree = union(repository, &writer, repository.tree_of(ours)?, repository.tree_of(theirs)?, "", &mut conflicts)?;
    if !conflicts.is_empty() {
        conflicts.sort();
        return Ok(Err(conflicts));
    }
    let mut parents = vec![ours, theirs];
    parents.sort();
    let mut seconds = 0;
    for parent in &parents {
        let data = repository.read_verified(*parent, Kind::Commit, 1 << 20)?;
        let commit = Commit::decode(&data)
            .map_err(|fault| Code::Rapid1516.because(format!("entry {}: {fault}", parent.short())))?;
        seconds = commit.seconds.max(seconds);
    }
    let what = name.rsplit('/').next().unwrap_or_default();
    let message = format!("merge two tips of the {what}\n\nRapid-Verb: merge\nRapid-Subject: {what}\n");
    let commit = Commit { tree, parents, identity: Identity::fallback(), seconds, message };
    let id = writer.write(Kind::Commit, &commit.encode())?;
    writer.flush()?;
    Ok(Ok(id))
}

fn union(
    repository: &Repository,
    writer: &Writer<'_>,
    ours: Oid,
    theirs: Oid,
    at: &str,
    conflicts: &mut Vec<String>,
) -> Result<Oid> {
    if ours == theirs {
        return Ok(ours);
    }
    let mut all = read(repository, ours)?;
    for (name, theirs) in read(repository, theirs)? {
        let path = format!("{at}{}", String::from_utf8_lossy(&name));
        match all.get(&name).copied() {
            None => drop(all.insert(name, theirs)),
            Some(ours) if ours == theirs => {}
            Some((Mode::Tree, ours)) if theirs.0 == Mode::Tree => {
                let id = union(repository, writer, ours, theirs.1, &format!("{path}/"), conflicts)?;
                all.insert(name, (Mode::Tree, id));
            }
            Some(_) => conflicts.push(path),
        }
    }
    writer.write_tree(&all)
}

fn read(repository: &Repository, id: Oid) -> Result<BTreeMap<Vec<u8>, (Mode, Oid)>> {
    let data = repository.read_tree(id)?;
    let entries = git::entries(&data, repository.format().digits() / 2).map(|entry| {
        let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()))?;
        Ok((entry.name.to_vec(), (entry.mode, entry.id)))
    });
    entries.collect()
}
