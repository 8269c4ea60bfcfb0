//! From where a reviewer has to look at a run's code: from the commit that it began at, or from further back, where what was
//! committed before it is neither the branch's own nor covered by another run.
//!
//! A run's evidence speaks of all of its code, and its contract of what came after its base. Without this, whatever was committed
//! just before a run began would pass with it, and nobody would have been shown it.

use super::verify::{Covered, Passing};
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
    /// What a reviewer has to know of how it was found.
    pub doubt: Option<Doubt>,
}

/// Why more, or less, may be shown than what the work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The commit that the run began at is not in this clone.
    NoBase(Oid),
    /// Nothing is known of the default branch of this remote: what was committed before the run is not shown.
    NoBranch(String),
    /// There are more commits before the run than were looked at.
    Farther,
}

/// Where the review of a run begins. The run's base, where no branch of a remote is known as the default one.
pub fn since(records: &Records<'_>, repository: &Repository, run: &Run) -> Result<Since> {
    let at = |commit: Oid, before, doubt| {
        Ok(Since { commit: Some(commit), tree: repository.tree_of(commit)?, before, doubt })
    };
    let nothing = |doubt| Since { commit: None, tree: Oid::empty_tree(repository.format()), before: 0, doubt };
    let tip = repository.protected_tip()?;
    // The contract names the code of its base too, which is only as true as whoever wrote it.
    let commit = match run.contract.base.commit.as_ref().map(Oid::try_from).transpose()? {
        None => return Ok(nothing(None)),
        Some(commit) if repository.has(commit) => commit,
        Some(missing) => {
            let doubt = Some(Doubt::NoBase(missing));
            return match tip {
                None => Ok(nothing(doubt)),
                Some(tip) => at(tip, 0, doubt),
            };
        }
    };
    let Some(tip) = tip else {
        return at(commit, 0, repository.remote_names().into_iter().next().map(Doubt::NoBranch));
    };
    let nobodys = repository.line_beyond(commit, tip, FARTHEST + 1)?;
    let passing = Passing::of(records, None)?;
    // What of the branch is below them. A line that begins without any parent has nothing of it.
    let below = match nobodys.last().filter(|_| nobodys.len() <= FARTHEST) {
        Some(last) => repository.parents_of(*last)?.first().copied().filter(|parent| repository.has(*parent)),
        None => repository.merge_bases(tip, commit)?.into_iter().next(),
    };
    // Somebody has seen it, where it would count for the branch; and not before the branch had what is below, or a person would
    // not be shown that all that came since is undone.
    let is_seen = |id: Oid| -> Result<bool> {
        for contract in passing.ending_with(repository.tree_of(id)?) {
            let began = contract.base.commit.as_ref().and_then(|began| Oid::try_from(began).ok());
            let (Some(began), Some(below)) = (began, below) else { continue };
            if repository.descends(began, below).unwrap_or(false) {
                return Ok(passing.coverage(records, id, Some(tip))?.covered == Covered::Exact);
            }
        }
        Ok(false)
    };
    for (before, id) in nobodys.iter().copied().enumerate().take(FARTHEST) {
        if is_seen(id)? {
            return at(id, before, None);
        }
    }
    match below {
        _ if nobodys.is_empty() => at(commit, 0, None),
        _ if nobodys.len() > FARTHEST => at(below.unwrap_or(tip), FARTHEST, Some(Doubt::Farther)),
        Some(below) => at(below, nobodys.len(), None),
        None => Ok(Since { before: nobodys.len(), ..nothing(None) }),
    }
}
