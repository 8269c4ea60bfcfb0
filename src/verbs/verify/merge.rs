//! Merge commits: covered when the commit is exactly what git itself makes of its two sides without a conflict, and each side
//! is covered or was on the protected branch already (design §4.6).

use super::{
    branch::{Branch, OtherTerms},
    coverage::{Covered, Passing},
    strength::CoveringRun,
};
use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::registry::Records;

/// The runs that cover a clean merge; `None` when the commit is none, or a side is not covered. Runs that would cover a side
/// if their terms were those of the branch are added to `other_terms`.
pub(super) fn clean_merge(
    records: &Records<'_>,
    passing: &Passing,
    id: Oid,
    protected: Option<Oid>,
    other_terms: &mut Vec<OtherTerms>,
) -> Result<Option<Vec<CoveringRun>>> {
    let repository = records.view().repository();
    let parents = repository.parents_of(id)?;
    let [first, second] = parents.as_slice() else { return Ok(None) };
    if repository.merge_cleanly(*first, *second)? != Some(repository.tree_of(id)?) {
        return Ok(None);
    }
    let branch = Branch::at(repository, protected.unwrap_or(id));
    let mut runs: Vec<CoveringRun> = Vec::new();
    for side in [*first, *second] {
        let coverage = passing.cover(records, side, &branch)?;
        match coverage.covered {
            Covered::No if side == *first && was_protected(repository, protected, side)? => {}
            Covered::No => {
                other_terms.extend(coverage.other_terms);
                return Ok(None);
            }
            _ => runs.extend(coverage.runs),
        }
    }
    runs.dedup();
    Ok((!runs.is_empty()).then_some(runs))
}

/// Whether `side` was on the protected branch before the merge.
fn was_protected(repository: &Repository, protected: Option<Oid>, side: Oid) -> Result<bool> {
    let known = protected.map_or_else(|| repository.protected_tip(), |tip| Ok(Some(tip)))?;
    known.map_or(Ok(false), |tip| Branch::at(repository, tip).holds(side))
}
