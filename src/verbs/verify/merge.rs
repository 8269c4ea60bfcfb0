//! Code that was brought together by git: a merge commit that is exactly what git itself makes of its two sides without a
//! conflict, and a squash or rebase of a run's work onto a branch that had moved on (design §4.6).
//!
//! A merge is made of three commits, not of two: what counts as old decides which side's lines are taken. So the commits that
//! git takes for the merge base have to be the branch's own, or covered, or what a covering run began at.

use super::{
    branch::{Branch, OtherTerms},
    coverage::{Asked, Covered, Passing},
    strength::CoveringRun,
};
use crate::diagnostics::Result;
use crate::domain::contract::Contract;
use crate::git::{Oid, Repository, TreeChange};
use crate::registry::Records;
use std::collections::BTreeSet;

/// How many runs that were built on each other are followed back.
const DEEPEST: usize = 100;

/// The runs that cover a clean merge; `None` when the commit is none, or a side is not covered. Runs that would cover a side
/// if their terms were those of the branch are added to `other_terms`.
pub(super) fn clean_merge(
    records: &Records<'_>,
    passing: &Passing,
    id: Oid,
    asked: &Asked<'_>,
    other_terms: &mut Vec<OtherTerms>,
) -> Result<Option<Vec<CoveringRun>>> {
    let repository = records.view().repository();
    let parents = repository.parents_of(id)?;
    let [first, second] = parents.as_slice() else { return Ok(None) };
    if repository.merge_cleanly(*first, *second)? != Some(repository.tree_of(id)?) {
        return Ok(None);
    }
    let mut runs: Vec<CoveringRun> = Vec::new();
    for side in [*first, *second] {
        let coverage = passing.cover(records, side, asked)?;
        match coverage.covered {
            Covered::No if side == *first && asked.on_the_line(side)? => {}
            Covered::No => {
                other_terms.extend(coverage.other_terms);
                return Ok(None);
            }
            _ => runs.extend(coverage.runs),
        }
    }
    runs.dedup();
    let began: BTreeSet<Oid> =
        runs.iter().filter_map(|run| passing.contract(&run.run_id)).filter_map(began_at).collect();
    for base in repository.merge_bases(*first, *second)? {
        let known = began.contains(&base)
            || asked.on_the_line(base)?
            || passing.cover(records, base, asked)?.covered != Covered::No;
        if !known {
            return Ok(None);
        }
    }
    Ok((!runs.is_empty()).then_some(runs))
}

/// The runs whose work, from where the branch had it to their final code, is all that a commit adds to the branch: what a squash
/// or rebase onto a branch that moved on makes of a run. As for any clean merge, nobody has run the tests on what came of it.
pub(super) fn brought_over(
    records: &Records<'_>,
    passing: &Passing,
    id: Oid,
    asked: &Asked<'_>,
) -> Result<Option<Vec<CoveringRun>>> {
    let repository = records.view().repository();
    let parents = repository.parents_of(id)?;
    let [parent] = parents.as_slice() else { return Ok(None) };
    let mut onto = vec![*parent];
    // A rebase of several commits: only the newest has the code, and the branch's tip is further back.
    onto.extend(asked.tip().filter(|tip| tip != parent && *tip != id));
    let tree = repository.tree_of(id)?;
    for before in onto {
        if !asked.on_the_line(before)? {
            continue;
        }
        let branch = Branch::at(repository, before);
        let added = paths(repository.tree_changes(repository.tree_of(before)?, tree)?);
        for (run, end) in passing.ends() {
            let Some(base) = start_on(repository, passing, &run.contract, &branch)? else { continue };
            let Ok(work) = repository.tree_changes(base, end) else { continue };
            if passing.beside_documents(run, end, asked)?.is_some() {
                continue;
            }
            if added.is_empty() || !added.is_subset(&paths(work)) || asked.branch.refuses(&run.contract)?.is_some() {
                continue;
            }
            if repository.merge_trees_cleanly(base, repository.tree_of(before)?, end)? == Some(tree) {
                return passing.describe(records, run.id(), tree).map(|run| run.map(|run| vec![run]));
            }
        }
    }
    Ok(None)
}

fn paths(changes: Vec<TreeChange>) -> BTreeSet<String> {
    changes.into_iter().map(|change| change.path).collect()
}

fn began_at(contract: &Contract) -> Option<Oid> {
    contract.base.commit.as_ref().and_then(|id| Oid::try_from(id).ok())
}

/// The code that the branch had when a run began, or the first of those that it was built on.
fn start_on(
    repository: &Repository,
    passing: &Passing,
    contract: &Contract,
    branch: &Branch<'_>,
) -> Result<Option<Oid>> {
    let mut contract = contract;
    for _ in 0..DEEPEST {
        let Some(commit) = began_at(contract) else { return Ok(None) };
        if branch.holds(commit)? {
            return Ok(repository.tree_of(commit).ok());
        }
        let Ok(base) = Oid::try_from(&contract.base.tree) else { return Ok(None) };
        match passing.ends().find(|(run, end)| *end == base && run.contract.run_id != contract.run_id) {
            Some((run, _)) => contract = &run.contract,
            None => return Ok(None),
        }
    }
    Ok(None)
}
