//! Code that an answer about a commit rests on and that the commit does not bring along: the final code of a run whose work was
//! squashed or rebased onto a branch that moved on. A clone that lacks it cannot tell what was made of it.
//!
//! Not here: whether a commit is covered (`coverage`, `merge`).

use super::{
    coverage::{Coverage, Passing},
    merge,
};
use crate::diagnostics::Result;
use crate::domain::{evidence::Payload, ids::RunId, typed::typed};
use crate::git::{Oid, Repository};
use crate::registry::Run;
use std::collections::BTreeSet;

/// How many runs that were built on each other are followed back.
const DEEPEST: usize = 100;

/// The code of a run that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lean {
    /// The run.
    pub run_id: RunId,
    /// Its code.
    pub tree: Oid,
    /// Where the run began.
    pub began: Option<Oid>,
}

/// A passing run whose final code is not in this clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// The run.
    pub run_id: RunId,
    /// Its final code.
    pub tree: Oid,
    /// It, with the runs that it was built on, changed every file that the commit brings: this may be its work.
    pub fits: bool,
}

/// Those of `trees` that nobody has who has only `tips` and the commits below them.
pub fn lacking(repository: &Repository, leans: &[Lean], tips: &[Oid]) -> Result<Vec<Lean>> {
    let mut out = Vec::new();
    for lean in leans {
        let has = repository.commits_with_tree(lean.tree, tips, lean.began)?;
        if has.is_empty() && !out.contains(lean) {
            out.push(lean.clone());
        }
    }
    Ok(out)
}

/// The command that sends a run's code to a remote, in the clone where it was finished: its branch, the commit by its id where the
/// branch is gone, else the code alone.
pub fn sending(repository: &Repository, lean: &Lean, remote: &str) -> Result<String> {
    let commits = repository.commits_with_tree(lean.tree, &[], lean.began)?;
    let branches = repository.refs_below("refs/heads/")?;
    let branch = branches.iter().find(|(_, tip)| commits.contains(tip));
    Ok(match (branch, commits.first()) {
        (Some((name, _)), _) => {
            let name = name.strip_prefix("refs/heads/").unwrap_or(name);
            typed(&["git", "push", remote, name])
        }
        (None, Some(commit)) => typed(&["git", "push", remote, &format!("{commit}:refs/heads/{}", lean.run_id)]),
        (None, None) => sending_code(&lean.run_id, lean.tree, remote),
    })
}

/// The command that sends a run's code wherever it is, whatever commit has it.
pub fn sending_code(run: &RunId, tree: Oid, remote: &str) -> String {
    let remote = typed(&[remote]);
    format!("git push {remote} $(git commit-tree {tree} -m {run}):refs/heads/{run}")
}

/// Finds out whose work a commit may be among the runs whose final code is not here; the others have nothing to do with it.
pub(super) fn fit(passing: &Passing, repository: &Repository, coverage: &mut Coverage, tip: Option<Oid>) -> Result<()> {
    if coverage.unseen.is_empty() {
        return Ok(());
    }
    let parents = repository.parents_of(coverage.id)?;
    let below = |onto: &Oid| *onto != coverage.id && repository.descends(coverage.id, *onto).unwrap_or(false);
    let mut brought = Vec::new();
    for onto in parents.first().copied().into_iter().chain(tip.filter(below)).filter(|onto| repository.has(*onto)) {
        brought.push(merge::paths(repository.tree_changes(repository.tree_of(onto)?, coverage.tree)?));
    }
    for unseen in &mut coverage.unseen {
        let run = passing.ends().map(|(run, _)| run).find(|run| *run.id() == unseen.run_id);
        let changed = run.map(|run| changed(passing, run)).unwrap_or_default();
        unseen.fits = brought.iter().any(|paths| !paths.is_empty() && paths.is_subset(&changed));
    }
    if coverage.unseen.iter().any(|unseen| unseen.fits) {
        coverage.unseen.retain(|unseen| unseen.fits);
    }
    Ok(())
}

/// The files that a run changed, with the runs that it was built on.
pub(super) fn changed(passing: &Passing, run: &Run) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut at = run;
    for _ in 0..DEEPEST {
        let paths = at.evidence.iter().filter_map(|item| match &item.payload {
            Payload::FileChange { paths, .. } => Some(paths),
            _ => None,
        });
        out.extend(paths.flatten().map(ToString::to_string));
        let Ok(base) = Oid::try_from(&at.contract.base.tree) else { break };
        match passing.ends().find(|(other, end)| *end == base && other.id() != at.id()) {
            Some((before, _)) => at = before,
            None => break,
        }
    }
    out
}
