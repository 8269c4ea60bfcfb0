//! The commit that sets git-rapid up: the first one of a branch with rules, and with nothing else. No run can have begun before it, so
//! none covers it.
//!
//! Only a clone's own push asks; a server decides by what it protects.

use super::harness::Harness;
use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::verbs::rapid::CONFIG_PATH;
use std::collections::BTreeSet;

/// Where set-up writes, beside the files of harnesses.
const PLACES: [&str; 2] = [".rapid/", ".husky/"];

/// Whether `commit` brings the first rules to a branch that has `before`, and nothing that set-up does not write.
pub(super) fn brings_only_them(repository: &Repository, commit: Oid, before: Option<Oid>) -> Result<bool> {
    let parent = || Ok(repository.parents_of(commit)?.first().copied());
    let below = before.filter(|tip| *tip != commit && repository.descends(commit, *tip).unwrap_or(false));
    let below = below.map_or_else(parent, |tip| Ok(Some(tip)))?;
    let base = match below.filter(|id| repository.has(*id)) {
        Some(id) => repository.tree_of(id)?,
        None => Oid::empty_tree(repository.format()),
    };
    let now = repository.tree_of(commit)?;
    if repository.lookup(base, CONFIG_PATH)?.is_some() || repository.lookup(now, CONFIG_PATH)?.is_none() {
        return Ok(false);
    }
    let files: BTreeSet<String> = Harness::ALL.into_iter().flat_map(Harness::files).collect();
    let is_set_up = |path: &str| PLACES.iter().any(|place| path.starts_with(place)) || files.contains(path);
    Ok(repository.tree_changes(base, now)?.iter().all(|change| is_set_up(&change.path)))
}
