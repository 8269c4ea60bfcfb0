//! The walk over all entries, from the newest back to the first.

use super::{Finding, trees::Trees};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Commit, Kind, Oid, Repository};
use crate::ledger::genesis;
use std::collections::{BTreeMap, BTreeSet};

/// The largest entry that is read, in bytes.
const ENTRY_CAP: u64 = 64 << 10;

/// What a walk saw.
#[derive(Default)]
pub struct Walk {
    /// How many entries there are.
    pub entries: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Which entry brought in which path.
    pub introduced: BTreeMap<String, Oid>,
}

/// What the caller says about one new record: its path and bytes.
pub type Check<'a> = &'a dyn Fn(&str, &[u8]) -> Result<()>;

/// Proves every entry up to `tip`.
pub fn walk(repository: &Repository, tip: Oid, check: Check<'_>) -> Result<Walk> {
    let first = genesis::id_of(repository, genesis::FORMAT)?;
    let shallow: BTreeSet<Oid> = repository.shallow_commits()?.into_iter().collect();
    let mut walk = Walk::default();
    let mut trees = Trees::new(repository);
    let mut seen = BTreeSet::from([tip]);
    let mut waiting = vec![tip];
    let mut rooted = false;
    while let Some(id) = waiting.pop() {
        walk.entries += 1;
        let entry = match read_entry(repository, id) {
            Ok(entry) => entry,
            Err((parents, diagnostic)) => {
                walk.findings.push(Finding::of(id, diagnostic));
                waiting.extend(parents.into_iter().filter(|parent| seen.insert(*parent)));
                continue;
            }
        };
        if shallow.contains(&id) {
            let cut =
                Code::Rapid1519.because(format!("history ends at entry {}: this clone is shallow there", id.short()));
            walk.findings.push(Finding::of(id, cut.hint("run 'git fetch --unshallow', then 'git rapid fetch'")));
            continue;
        }
        rooted |= id == first;
        for diagnostic in shape(id, first, &entry) {
            walk.findings.push(Finding::of(id, diagnostic));
        }
        let parents: Vec<Option<Oid>> = entry.parents.iter().map(|parent| commit_tree(repository, *parent)).collect();
        trees.compare(id, entry.tree, &parents, check, &mut walk);
        waiting.extend(entry.parents.iter().copied().filter(|parent| seen.insert(*parent)));
    }
    if !rooted && !walk.findings.iter().any(Finding::is_absence) {
        let diagnostic = Code::Rapid1524.because("the ledger does not begin with git-rapid's first entry");
        walk.findings.push(Finding { diagnostic, entry: None });
    }
    Ok(walk)
}

fn commit_tree(repository: &Repository, id: Oid) -> Option<Oid> {
    read_entry(repository, id).ok().map(|commit| commit.tree)
}

/// An entry, or what is wrong with it and the parents that can still be followed.
fn read_entry(repository: &Repository, id: Oid) -> std::result::Result<Commit, (Vec<Oid>, Diagnostic)> {
    let data = repository.read_verified(id, Kind::Commit, ENTRY_CAP);
    let data = data.map_err(|diagnostic| (repository.parents_of(id).unwrap_or_default(), diagnostic))?;
    Commit::decode(&data).map_err(|fault| {
        let parents = repository.parents_of(id).unwrap_or_default();
        (parents, Code::Rapid1516.because(format!("entry {}: {fault}", id.short())))
    })
}

/// What is wrong with how an entry hangs on the others.
fn shape(id: Oid, first: Oid, entry: &Commit) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut wrong = |why: String| out.push(Code::Rapid1516.because(format!("entry {}: {why}", id.short())));
    match entry.parents.as_slice() {
        [] if id != first => out.push(
            Code::Rapid1524.because(format!("entry {} has no parent and is not git-rapid's first entry", id.short())),
        ),
        [] | [_] => {}
        [a, b] if a < b => {}
        [a, b] if a == b => wrong("it has the same parent twice".to_owned()),
        [_, _] => wrong("its parents are not in order".to_owned()),
        more => wrong(format!("it has {} parents", more.len())),
    }
    out
}
