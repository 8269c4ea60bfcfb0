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

    /// The entries, newest first; both sides of a merge, its first side first. None lies behind one of `cut`.
    pub fn entries<'c>(&self, cut: &'c BTreeSet<Oid>) -> Result<Walk<'_, 'c>> {
        Ok(self.entries_behind(self.standing_tips()?.ledger, cut))
    }

    /// The same from a tip back.
    pub fn entries_behind<'c>(&self, tip: Option<Oid>, cut: &'c BTreeSet<Oid>) -> Walk<'_, 'c> {
        Walk { repository: self.repository, cut, seen: BTreeSet::new(), waiting: tip.into_iter().collect() }
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
        Ok(self.bringers(tip, directory)?.into_iter().map(|(name, entry)| (name, entry.author)).collect())
    }

    /// The entry that brought each file directly below a directory, as of an entry.
    pub fn bringers(&self, tip: Oid, directory: &str) -> Result<BTreeMap<String, EntryInfo>> {
        let names = |id: Oid| View::at(self.repository, Some(id))?.list(directory);
        let mut bringers = BTreeMap::new();
        let mut seen = BTreeSet::from([tip]);
        let mut waiting = vec![tip];
        while let Some(id) = waiting.pop() {
            let mut new: BTreeSet<String> = names(id)?.into_iter().collect();
            if new.is_empty() {
                continue;
            }
            let entry = entry_info(self.repository, id)?;
            for parent in entry.parents.iter().copied() {
                let before = names(parent)?;
                new.retain(|name| !before.contains(name));
                if seen.insert(parent) {
                    waiting.push(parent);
                }
            }
            bringers.extend(new.into_iter().map(|name| (name, entry.clone())));
        }
        Ok(bringers)
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

/// A way back through the entries. Each is read when it is asked for.
pub struct Walk<'r, 'c> {
    repository: &'r Repository,
    cut: &'c BTreeSet<Oid>,
    seen: BTreeSet<Oid>,
    waiting: Vec<Oid>,
}

impl Iterator for Walk<'_, '_> {
    type Item = Result<EntryInfo>;

    fn next(&mut self) -> Option<Result<EntryInfo>> {
        loop {
            let id = self.waiting.pop()?;
            if self.seen.insert(id) {
                let entry = entry_info(self.repository, id);
                if let Ok(entry) = &entry {
                    self.waiting.extend(entry.parents.iter().rev().filter(|_| !self.cut.contains(&id)));
                }
                return Some(entry);
            }
        }
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
