//! The ledger as a history: its entries from the newest back, for people. Order is that of the chain; time is only shown.

use super::{DIVERGED, EntryInfo, Ledger, View};
use crate::diagnostics::{Code, Result};
use crate::git::{Commit, Kind, Oid, Repository};
use std::collections::{BTreeMap, BTreeSet};

impl Ledger<'_> {
    /// The entries behind which this clone has nothing: it is shallow there.
    pub fn cut_at(&self) -> Result<BTreeSet<Oid>> {
        let shallow: BTreeSet<Oid> = self.repository.shallow_commits()?.into_iter().collect();
        let mut cut = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Oid> = self.tip()?.into_iter().filter(|_| !shallow.is_empty()).collect();
        while let Some(id) = waiting.pop() {
            let parents = self.repository.parents_of(id)?;
            match shallow.contains(&id) && parents.iter().any(|parent| !self.repository.has(*parent)) {
                true => drop(cut.insert(id)),
                false => waiting.extend(parents.into_iter().filter(|parent| seen.insert(*parent))),
            }
        }
        Ok(cut)
    }

    /// The newest `limit` entries, newest first; both sides of a merge, its first side first. None lies behind one of `cut`.
    pub fn entries(&self, limit: usize, cut: &BTreeSet<Oid>) -> Result<Vec<EntryInfo>> {
        self.entries_behind(self.standing_tips()?.ledger, limit, cut)
    }

    /// The same from a tip back.
    pub fn entries_behind(&self, tip: Option<Oid>, limit: usize, cut: &BTreeSet<Oid>) -> Result<Vec<EntryInfo>> {
        let mut out = Vec::new();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Oid> = tip.into_iter().collect();
        while let Some(id) = waiting.pop() {
            if out.len() >= limit {
                break;
            }
            if seen.insert(id) {
                let entry = entry_info(self.repository, id)?;
                waiting.extend(entry.parents.iter().rev().filter(|_| !cut.contains(&id)));
                out.push(entry);
            }
        }
        Ok(out)
    }

    /// What is known of one entry.
    pub fn entry(&self, id: Oid) -> Result<EntryInfo> {
        entry_info(self.repository, id)
    }

    /// The paths of records that an entry added, sorted; for a merge, only the decisions that it made.
    pub fn added_by(&self, id: Oid) -> Result<Vec<String>> {
        let entry = entry_info(self.repository, id)?;
        let tree = self.repository.tree_of(id)?;
        let before = match entry.parents.as_slice() {
            [] => Oid::empty_tree(self.repository.format()),
            [parent] => self.repository.tree_of(*parent)?,
            parents => {
                let mut decided: Option<BTreeSet<String>> = None;
                for parent in parents {
                    let changes = self.repository.tree_changes(self.repository.tree_of(*parent)?, tree)?.into_iter();
                    let below = format!("{DIVERGED}/");
                    let new: BTreeSet<String> =
                        changes.map(|change| change.path).filter(|path| path.starts_with(&below)).collect();
                    decided =
                        Some(decided.map_or_else(|| new.clone(), |known| known.intersection(&new).cloned().collect()));
                }
                return Ok(decided.unwrap_or_default().into_iter().collect());
            }
        };
        Ok(self.repository.tree_changes(before, tree)?.into_iter().map(|change| change.path).collect())
    }

    /// Who wrote each file directly below a directory, as of an entry: name → committer of the entry that brought it. An entry
    /// without the directory has no ancestor with it, so only those since its beginning are walked.
    pub fn writers(&self, tip: Oid, directory: &str) -> Result<BTreeMap<String, String>> {
        let names = |id: Oid| View::at(self.repository, Some(id))?.list(directory);
        let mut writers = BTreeMap::new();
        let mut seen = BTreeSet::from([tip]);
        let mut waiting = vec![tip];
        while let Some(id) = waiting.pop() {
            let mut new: BTreeSet<String> = names(id)?.into_iter().collect();
            if new.is_empty() {
                continue;
            }
            let entry = entry_info(self.repository, id)?;
            for parent in entry.parents {
                let before = names(parent)?;
                new.retain(|name| !before.contains(name));
                if seen.insert(parent) {
                    waiting.push(parent);
                }
            }
            writers.extend(new.into_iter().map(|name| (name, entry.author.clone())));
        }
        Ok(writers)
    }

    /// Whether `ancestor` is `tip` or lies behind it.
    pub fn is_ancestor(&self, ancestor: Oid, tip: Oid) -> Result<bool> {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![tip];
        while let Some(id) = waiting.pop() {
            if id == ancestor {
                return Ok(true);
            }
            if seen.insert(id) {
                waiting.extend(self.repository.parents_of(id)?);
            }
        }
        Ok(false)
    }
}

fn entry_info(repository: &Repository, id: Oid) -> Result<EntryInfo> {
    let data = repository.read_verified(id, Kind::Commit, 1 << 20)?;
    let commit =
        Commit::decode(&data).map_err(|fault| Code::Rapid1516.because(format!("entry {}: {fault}", id.short())))?;
    let trailer = |name: &str| {
        let found = commit.message.lines().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found.unwrap_or_default().to_owned()
    };
    Ok(EntryInfo {
        id,
        author: format!("{} <{}>", commit.identity.name, commit.identity.email),
        seconds: commit.seconds,
        subject: commit.message.lines().next().unwrap_or_default().to_owned(),
        verb: trailer("Rapid-Verb"),
        about: trailer("Rapid-Subject"),
        parents: commit.parents,
    })
}
