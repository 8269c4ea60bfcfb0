//! A commit that has the very code of a covered one: an empty commit, a merge that was made again as a squash. Two commits with
//! the same tree get the same answer where neither takes anything back.
//!
//! A tree alone is not enough: an old one on a newer commit would undo what came between. So the covered commit is the newest one
//! of the branch that is asked about, to which the code adds nothing; or it holds every parent of the commit, so that nothing
//! below it is undone. Asked of the commit in question alone, never of a side of a merge, which would be taken for work.

use super::{
    asked::Asked,
    coverage::{Coverage, Covered, Passing},
};
use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::registry::Records;
use std::collections::BTreeSet;

/// How many branches are looked at.
const MOST: usize = 500;

/// How a commit with the same code is covered; `None` where there is none that counts.
pub(super) fn covered_elsewhere(
    records: &Records<'_>,
    passing: &Passing,
    id: Oid,
    asked: &Asked<'_>,
) -> Result<Option<Coverage>> {
    let repository = records.view().repository();
    let tree = repository.tree_of(id)?;
    let parents = repository.parents_of(id)?;
    let mut seen = BTreeSet::from([id]);
    let candidates = asked.tip().into_iter().chain(parents.first().copied()).chain(branches(repository)?);
    for other in candidates.filter(|other| seen.insert(*other)) {
        if !repository.has(other) || repository.tree_of(other)? != tree {
            continue;
        }
        let holds = |parent: &Oid| repository.descends(other, *parent).unwrap_or(false);
        if asked.tip() != Some(other) && (parents.is_empty() || !parents.iter().all(holds)) {
            continue;
        }
        let coverage = passing.judged(records, other, asked)?;
        if coverage.covered != Covered::No {
            return Ok(Some(Coverage { id, ..coverage }));
        }
    }
    Ok(None)
}

/// The newest commits of the branches that this clone knows, its own and those of its remotes.
fn branches(repository: &Repository) -> Result<Vec<Oid>> {
    let mut tips: Vec<Oid> = Vec::new();
    for below in ["refs/heads/", "refs/remotes/"] {
        // A ref that cannot be read names no code.
        let found = repository.refs_below(below).unwrap_or_default();
        tips.extend(found.into_iter().map(|(_, tip)| tip));
    }
    tips.truncate(MOST);
    Ok(tips)
}
