//! Code that was brought together by git: a merge commit that is exactly what git itself makes of its two sides without a
//! conflict, and a squash or rebase of a run's work onto a branch that had moved on (design §4.6).
//!
//! A merge is made of three commits, not of two: what counts as old decides which side's lines are taken. So the commits that
//! git takes for the merge base have to be the branch's own, or covered, or what a covering run began at, and no newer than that.

use super::{
    asked::Asked,
    branch::OtherTerms,
    coverage::{Covered, Passing},
    research::beside_documents,
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
    let tree = repository.tree_of(id)?;
    if repository.merge_cleanly(*first, *second)? != Some(tree) {
        return Ok(None);
    }
    let bases = repository.merge_bases(*first, *second)?;
    let (ours, theirs) = (repository.tree_of(*first)?, repository.tree_of(*second)?);
    let mut runs: Vec<CoveringRun> = Vec::new();
    let mut known: BTreeSet<Oid> = BTreeSet::new();
    for side in [*first, *second] {
        let coverage = passing.judged(records, side, asked)?;
        match coverage.covered {
            Covered::No if side == *first && asked.on_the_line(side)? => continue,
            Covered::No => {
                other_terms.extend(coverage.other_terms);
                return Ok(None);
            }
            Covered::Exact | Covered::Extras(_) => {
                // The code of a run may be old, and its commit forged onto newer ones: then all that came between would be
                // undone. So the bases are no newer than where the run began, or the merge is the same from there.
                let mut fits = false;
                for contract in coverage.runs.iter().filter_map(|run| passing.contract(&run.run_id)) {
                    let Some(began) = began_at(contract) else { continue };
                    let older = bases.iter().all(|base| repository.descends(began, *base).unwrap_or(false));
                    fits = older
                        || repository.tree_of(began).is_ok_and(|base| {
                            asked.lean(contract, base);
                            repository.merge_trees_cleanly(base, ours, theirs).ok().flatten() == Some(tree)
                        });
                    known.insert(began);
                    if fits {
                        break;
                    }
                }
                if !fits {
                    return Ok(None);
                }
            }
            Covered::Merge => {}
        }
        runs.extend(coverage.runs);
    }
    runs.dedup();
    for base in bases {
        let stands = known.contains(&base)
            || asked.on_the_line(base)?
            || passing.cover(records, base, asked)?.covered != Covered::No;
        if !stands {
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
        let added = paths(repository.tree_changes(repository.tree_of(before)?, tree)?);
        if added.is_empty() {
            continue;
        }
        // Judged once, and only when some run's work is all that was added.
        let mut stands = None;
        for (run, end) in passing.ends() {
            let Some((began, base)) = start_on(repository, passing, &run.contract, asked)? else { continue };
            let Ok(work) = repository.tree_changes(base, end) else { continue };
            if !added.is_subset(&paths(work))
                || beside_documents(passing, run, end, asked)?.is_some()
                || asked.branch.refuses(&run.contract)?.is_some()
                || !repository.descends(before, began).unwrap_or(false)
                || repository.merge_trees_cleanly(base, repository.tree_of(before)?, end)? != Some(tree)
            {
                continue;
            }
            let stands = match stands {
                Some(stands) => stands,
                None => {
                    let on_it =
                        asked.on_the_line(before)? || passing.judged(records, before, asked)?.covered != Covered::No;
                    *stands.insert(on_it)
                }
            };
            if !stands {
                break;
            }
            asked.lean(&run.contract, end);
            return passing.describe(records, run.id(), tree).map(|run| run.map(|run| vec![run]));
        }
    }
    Ok(None)
}

pub(super) fn paths(changes: Vec<TreeChange>) -> BTreeSet<String> {
    changes.into_iter().map(|change| change.path).collect()
}

fn began_at(contract: &Contract) -> Option<Oid> {
    contract.base.commit.as_ref().and_then(|id| Oid::try_from(id).ok())
}

/// The commit of the branch that a run began at, or the first of those runs that it was built on, and its code.
fn start_on(
    repository: &Repository,
    passing: &Passing,
    contract: &Contract,
    asked: &Asked<'_>,
) -> Result<Option<(Oid, Oid)>> {
    let mut contract = contract;
    for _ in 0..DEEPEST {
        let Some(commit) = began_at(contract) else { return Ok(None) };
        if asked.on_the_line(commit)? {
            return Ok(repository.tree_of(commit).ok().map(|tree| (commit, tree)));
        }
        let Ok(base) = Oid::try_from(&contract.base.tree) else { return Ok(None) };
        match passing.ends().find(|(run, end)| *end == base && run.contract.run_id != contract.run_id) {
            Some((run, _)) => contract = &run.contract,
            None => return Ok(None),
        }
    }
    Ok(None)
}
