//! The branch that a commit is judged for: what it has on its own line, and under which terms a run must have been promised
//! to count there (design §4.6).
//!
//! A tree says what the code is, not by which rules it was judged. Without this, a run that began on a side branch with weak
//! rules of its own would cover the same code for a branch that never had those rules.

use crate::diagnostics::Result;
use crate::domain::{contract::Contract, ids::RunId};
use crate::git::{Oid, Repository};
use crate::verbs::terms;
use std::cell::RefCell;
use std::collections::HashSet;

/// How far a branch's line of first parents is followed.
const FARTHEST: usize = 100_000;

/// How many files are named.
const NAMED: usize = 5;

/// Why research counts for nothing.
const UNCOVERED: &str = "the code that it began at is neither the branch's nor covered by a run with tests";

/// A run that passed on the code, under terms that the branch does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherTerms {
    /// The run.
    pub run_id: RunId,
    /// The terms that are not those of the branch, by name.
    pub differing: Vec<String>,
    /// What research changed beside documents; no terms differ then.
    pub beside_documents: Vec<String>,
    /// Nobody stands for the code that research began at: no branch has it, and no run with tests ended with it.
    pub base_uncovered: bool,
}

impl std::fmt::Display for OtherTerms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.base_uncovered || !self.beside_documents.is_empty() {
            let more = self.beside_documents.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = self.beside_documents.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            let id = &self.run_id;
            write!(f, "run {id} passed on it as research, which speaks for documents only")?;
            return match self.base_uncovered {
                true if self.beside_documents.is_empty() => write!(f, ", and {UNCOVERED}"),
                true => write!(f, ": it also changed {names}{more}; and {UNCOVERED}"),
                false => write!(f, ": it also changed {names}{more}"),
            };
        }
        let names = self.differing.join(", ");
        write!(f, "run {} passed on it, promised under other terms than this branch has: {names}", self.run_id)
    }
}

/// A branch, as it stands at a commit.
pub(super) struct Branch<'r> {
    repository: &'r Repository,
    tip: Oid,
    /// As much of its line as was followed, and where it goes on: asked again and again, walked once.
    line: RefCell<(HashSet<Oid>, Option<Oid>)>,
}

impl<'r> Branch<'r> {
    /// The branch as it stands at `tip`.
    pub(super) fn at(repository: &'r Repository, tip: Oid) -> Branch<'r> {
        Branch { repository, tip, line: RefCell::new((HashSet::new(), Some(tip))) }
    }

    /// Where it is.
    pub(super) fn repository(&self) -> &'r Repository {
        self.repository
    }

    /// What is against counting a run here; nothing when its terms are those of the branch as it stands, or those of the
    /// commit that it began at, which is on the branch's own line.
    pub(super) fn refuses(&self, contract: &Contract) -> Result<Option<OtherTerms>> {
        let Some(other) = self.refuses_now(contract)? else { return Ok(None) };
        if let Some(base) = contract.base.commit.as_ref().and_then(|id| Oid::try_from(id).ok())
            && self.holds(base)?
            && terms::differing(self.repository, base, contract)?.is_empty()
        {
            return Ok(None);
        }
        Ok(Some(other))
    }

    /// What is against counting a run by the branch as it stands, wherever the run began.
    pub(super) fn refuses_now(&self, contract: &Contract) -> Result<Option<OtherTerms>> {
        let differing = terms::differing(self.repository, self.tip, contract)?;
        let run_id = contract.run_id.clone();
        Ok((!differing.is_empty()).then_some(OtherTerms {
            run_id,
            differing,
            beside_documents: Vec::new(),
            base_uncovered: false,
        }))
    }

    /// Whether a commit is on the branch's own line. What came in as another parent of a merge was never what the branch said.
    /// Beyond what this clone has nothing can be told.
    pub(super) fn holds(&self, commit: Oid) -> Result<bool> {
        let (seen, at) = &mut *self.line.borrow_mut();
        while !seen.contains(&commit) {
            let Some(id) = at.filter(|_| seen.len() < FARTHEST) else { return Ok(false) };
            *at = match self.repository.has(id) {
                true => self.repository.parents_of(id)?.first().copied(),
                false => None,
            };
            seen.insert(id);
        }
        Ok(true)
    }
}
