//! From where a reviewer has to look at a run's code: from the commit that it began at, or from further back, where what was
//! committed before it is neither the branch's own nor covered by another run.
//!
//! A run's evidence speaks of all of its code, and its contract of what came after its base. Without this, whatever was committed
//! just before a run began would pass with it, and nobody would have been shown it.

use super::verify::Passing;
use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::registry::{Records, Run};

/// How far a line of first parents is followed.
const FARTHEST: usize = 1000;

/// Where the review of a run begins.
pub struct Since {
    /// The commit; `None` in a repository that had none.
    pub commit: Option<Oid>,
    /// Its code.
    pub tree: Oid,
    /// How many commits lie between it and the run's base.
    pub before: usize,
}

/// Where the review of a run begins. The run's base, where no branch of a remote is known as the default one.
pub fn since(records: &Records<'_>, repository: &Repository, run: &Run) -> Result<Since> {
    let base = Since {
        commit: run.contract.base.commit.as_ref().map(Oid::try_from).transpose()?,
        tree: Oid::try_from(&run.contract.base.tree)?,
        before: 0,
    };
    let (Some(commit), Some(tip)) = (base.commit, repository.protected_tip()?) else { return Ok(base) };
    if !repository.has(commit) {
        return Ok(base);
    }
    let nobodys = repository.line_beyond(commit, tip, FARTHEST)?;
    let Some(last) = nobodys.last() else { return Ok(base) };
    let passing = Passing::of(records, None)?;
    let branchs = repository.parents_of(*last)?.first().copied().filter(|parent| repository.has(*parent));
    for (before, at) in nobodys.iter().copied().enumerate() {
        let tree = repository.tree_of(at)?;
        if passing.ends_with(tree) {
            return Ok(Since { commit: Some(at), tree, before });
        }
    }
    match branchs {
        Some(at) => Ok(Since { commit: Some(at), tree: repository.tree_of(at)?, before: nobodys.len() }),
        None => Ok(base),
    }
}
