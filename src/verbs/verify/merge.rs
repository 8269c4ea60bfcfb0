//! Merge commits: covered when the commit is exactly what git itself makes of its two sides without a conflict, and each side
//! is covered or was on the protected branch already (design §4.6).

use super::{
    coverage::{Covered, Passing},
    strength::CoveringRun,
};
use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::registry::Records;

/// How far the first-parent history of the protected branch is followed.
const FARTHEST: usize = 100_000;

/// The runs that cover a clean merge; `None` when the commit is none, or a side is not covered.
pub(super) fn clean_merge(
    records: &Records<'_>,
    passing: &Passing,
    id: Oid,
    protected: Option<Oid>,
) -> Result<Option<Vec<CoveringRun>>> {
    let repository = records.view().repository();
    let parents = repository.parents_of(id)?;
    let [first, second] = parents.as_slice() else { return Ok(None) };
    if repository.merge_cleanly(*first, *second)? != Some(repository.tree_of(id)?) {
        return Ok(None);
    }
    let mut runs: Vec<CoveringRun> = Vec::new();
    for side in [*first, *second] {
        let coverage = passing.cover(records, side)?;
        match coverage.covered {
            Covered::No if side == *first && was_protected(repository, protected, id, side)? => {}
            Covered::No => return Ok(None),
            _ => runs.extend(coverage.runs),
        }
    }
    runs.dedup();
    Ok((!runs.is_empty()).then_some(runs))
}

/// Whether `side` was on the protected branch before `merge`: the branch's own line (its first parents) holds it, and holds
/// `merge`, if at all, only directly above it.
fn was_protected(repository: &Repository, protected: Option<Oid>, merge: Oid, side: Oid) -> Result<bool> {
    let known = protected.map_or_else(|| repository.protected_tip(), |tip| Ok(Some(tip)));
    let Some(tip) = known? else { return Ok(false) };
    let mut at = Some(tip);
    for _ in 0..FARTHEST {
        match at {
            Some(id) if id == side => return Ok(true),
            Some(id) => at = repository.parents_of(id)?.first().copied(),
            None => return Ok(false),
        }
        if at == Some(merge) {
            return Ok(repository.parents_of(merge)?.first() == Some(&side));
        }
    }
    Ok(false)
}
