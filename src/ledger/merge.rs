//! Bringing two tips together: an entry with both as its parents, whose tree is what their trees make together (`join`).

use super::{
    ATTACHMENTS_REF, Gone, LEDGER_REF, Ledger, expunge,
    join::{self, Divergence, Joined, Side},
    lock, material,
};
use crate::diagnostics::{Code, Result};
use crate::git::{Commit, Identity, Kind, Oid, RefEdit, RefUpdate, Repository, Writer};
use crate::os::{clock, fault, signals};
use std::collections::BTreeMap;

/// How often a lost race is run again.
const ATTEMPTS: usize = 16;

/// How two tips came together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The other side had nothing new.
    UpToDate,
    /// This side had nothing of its own and moved forward.
    FastForward(Oid),
    /// Both sides had something; this entry joins them.
    Joined(Oid),
    /// This entry joins them and says which side of a divergence stands.
    Decided(Oid),
    /// These subjects have a record each that the other side does not have, and nobody has decided; nothing was moved.
    Diverged(Divergence),
}

/// What a merge asks of its caller, who knows what records mean.
pub struct Joining<'a> {
    /// Decisions about subjects that diverged.
    pub chosen: &'a BTreeMap<String, Side>,
    /// Given this clone's tip, the other one and an entry that would join them: the subjects that make no sense there. Paths
    /// alone do not tell: the fifth state of one side is no step from the fourth of the other.
    pub broken: &'a dyn Fn(Oid, Oid, Oid) -> Result<Divergence>,
}

/// What a ref becomes, given where it stands.
type Join<'j> = dyn Fn(&Repository, &Writer<'_>, Option<Oid>) -> Result<Merged> + 'j;

impl Ledger<'_> {
    /// Joins a tip that was verified into the ledger.
    pub fn merge(&self, theirs: Oid, joining: &Joining<'_>) -> Result<Merged> {
        self.merge_ref(LEDGER_REF, &|repository, writer, ours| {
            let Some(ours) = ours else { return Ok(Merged::FastForward(theirs)) };
            if let Some(forward) = self.forward(ours, theirs)? {
                return Ok(forward);
            }
            let nothing = BTreeMap::new();
            let join = |chosen| self.joined(writer, ours, theirs, chosen, joining);
            match join(&nothing)? {
                Merged::Diverged(divergence) if joining.chosen.is_empty() => Ok(Merged::Diverged(divergence)),
                Merged::Diverged(_) => {
                    let who = repository.identity();
                    match self.joined(writer, ours, theirs, joining.chosen, joining)? {
                        Merged::Joined(id) => decided(repository, writer, id, joining.chosen, who).map(Merged::Decided),
                        other => Ok(other),
                    }
                }
                merged => Ok(merged),
            }
        })
    }

    /// Joins a tip into the attachments. Material is checked against the proof whenever it is read: this decides nothing. What
    /// the ledger says was removed stays out, and so does every history that it lies in.
    pub fn merge_attachments(&self, theirs: Oid, gone: Gone) -> Result<Merged> {
        self.merge_ref(ATTACHMENTS_REF, &|repository, writer, before| {
            let ledger = self.view()?;
            let clean = |tip| expunge::cleaned(repository, writer, &ledger, tip, gone);
            let other = clean(theirs)?;
            let Some(before) = before else { return Ok(Merged::FastForward(other)) };
            let ours = clean(before)?;
            let stay = || if ours == before { Merged::UpToDate } else { Merged::FastForward(ours) };
            match self.forward(ours, other)? {
                Some(Merged::UpToDate) => return Ok(stay()),
                Some(forward) => return Ok(forward),
                None => {}
            }
            let (mine, its) = (repository.tree_of(ours)?, repository.tree_of(other)?);
            let tree = material::join(repository, writer, mine, its)?;
            // A tip that was made here only to leave something out need not be among the parents.
            match (tree == mine && other != theirs, tree == its && ours != before) {
                (true, _) => Ok(stay()),
                (_, true) => Ok(Merged::FastForward(other)),
                _ => commit(repository, writer, ATTACHMENTS_REF, ours, other, tree).map(Merged::Joined),
            }
        })
    }

    /// How two tips come together when one of them lies behind the other.
    fn forward(&self, ours: Oid, theirs: Oid) -> Result<Option<Merged>> {
        Ok(match () {
            () if self.is_ancestor(theirs, ours)? => Some(Merged::UpToDate),
            () if self.is_ancestor(ours, theirs)? => Some(Merged::FastForward(theirs)),
            () => None,
        })
    }

    fn joined(
        &self,
        writer: &Writer<'_>,
        ours: Oid,
        theirs: Oid,
        chosen: &BTreeMap<String, Side>,
        joining: &Joining<'_>,
    ) -> Result<Merged> {
        let repository = self.repository;
        let (mine, other) = (repository.tree_of(ours)?, repository.tree_of(theirs)?);
        let tree = match join::join(repository, writer, mine, other, chosen)? {
            Joined::Tree(tree) => tree,
            Joined::Diverged(divergence) => return Ok(Merged::Diverged(divergence)),
        };
        let entry = commit(repository, writer, LEDGER_REF, ours, theirs, tree)?;
        let broken = (joining.broken)(ours, theirs, entry)?;
        if broken.is_empty() { Ok(Merged::Joined(entry)) } else { Ok(Merged::Diverged(broken)) }
    }

    /// Moves a ref to what `join` makes of where it stands.
    pub(super) fn merge_ref(&self, name: &str, join: &Join<'_>) -> Result<Merged> {
        let repository = self.repository;
        signals::watch()?;
        let _lock = lock::take(repository)?;
        for _ in 0..ATTEMPTS {
            let ours = repository.read_ref(name)?;
            let writer = repository.writer();
            let merged = join(repository, &writer, ours)?;
            let new = match &merged {
                Merged::UpToDate | Merged::Diverged(_) => return Ok(merged),
                Merged::FastForward(new) | Merged::Joined(new) | Merged::Decided(new) => *new,
            };
            fault::point("merge-written");
            writer.flush()?;
            fault::point("merge-flushed");
            let edit = RefEdit { name: name.to_owned(), old: ours, new };
            let (who, now) = (repository.identity(), clock::now_seconds());
            if repository.update_refs(&[edit], "rapid: merge", &who, now, &|step| fault::point(step))?
                == RefUpdate::Moved
            {
                fault::point("merge-done");
                return Ok(merged);
            }
        }
        Err(Code::Rapid1513.because("other writers were first too often").at(name))
    }
}

/// Writes the merge of two tips. It depends on them alone, so that two clones that join the same tips make one entry.
fn commit(repository: &Repository, writer: &Writer<'_>, name: &str, ours: Oid, theirs: Oid, tree: Oid) -> Result<Oid> {
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
    writer.write(Kind::Commit, &commit.encode())
}

/// The same merge as the decision that it is: by somebody, at some time.
fn decided(
    repository: &Repository,
    writer: &Writer<'_>,
    merge: Oid,
    chosen: &BTreeMap<String, Side>,
    identity: Identity,
) -> Result<Oid> {
    let data = repository.read_verified(merge, Kind::Commit, 1 << 20)?;
    let merge = Commit::decode(&data).map_err(|fault| Code::Rapid1516.because(fault.to_string()))?;
    let subjects: Vec<&str> = chosen.keys().filter_map(|subject| subject.rsplit('/').next()).collect();
    let first = subjects.first().copied().unwrap_or_default();
    let message = format!("decide about {}\n\nRapid-Verb: sync\nRapid-Subject: {first}\n", subjects.join(", "));
    let commit = Commit { identity, seconds: clock::now_seconds(), message, ..merge };
    writer.write(Kind::Commit, &commit.encode())
}
