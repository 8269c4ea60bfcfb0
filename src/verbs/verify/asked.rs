//! What a commit is judged for: the branch, what is known of its line, and what would come onto it below the commit.
//!
//! Not here: whether the commit is covered (`coverage`), and which terms count (`branch`).

use super::{branch::Branch, elsewhere::Lean};
use crate::diagnostics::Result;
use crate::domain::contract::Contract;
use crate::git::{Addition, Oid, Repository};
use crate::verbs::rapid::RULES;
use std::cell::{Cell, RefCell};

/// What a commit is judged for.
pub(super) struct Asked<'r> {
    /// The branch whose terms count.
    pub(super) branch: Branch<'r>,
    /// The newest commit that the branch is known to have, and its line; `None` where no branch is known.
    line: Option<(Oid, Branch<'r>)>,
    /// The code of the commit that was asked about: a re-run of other code says nothing of it.
    pub(super) code: Oid,
    /// What code the answer rests on beside the commit's own history.
    leans: RefCell<Vec<Lean>>,
    /// How many more commits are looked at, that git made something of.
    left: Cell<u32>,
}

/// How many commits are looked at to say what a chain of merges and squashes is made of.
const MOST: u32 = 64;

/// How far the rules of the commits between are looked at; what is further is not known to be harmless.
const FARTHEST: usize = 100_000;

impl<'r> Asked<'r> {
    /// A commit `id` for a branch: `protected` is its newest commit where one was named, `line` what is known of it at all.
    pub(super) fn of(
        repository: &'r Repository,
        id: Oid,
        protected: Option<Oid>,
        line: Option<Oid>,
    ) -> Result<Asked<'r>> {
        Ok(Asked {
            branch: Branch::at(repository, protected.unwrap_or(id)),
            line: line.map(|tip| (tip, Branch::at(repository, tip))),
            code: repository.tree_of(id)?,
            leans: RefCell::default(),
            left: Cell::new(MOST),
        })
    }

    /// Whether a commit is on the branch's own line.
    pub(super) fn on_the_line(&self, commit: Oid) -> Result<bool> {
        self.line.as_ref().map_or(Ok(false), |(_, line)| line.holds(commit))
    }

    /// Remembers code that the answer rests on, which nobody has to have who has the commit.
    pub(super) fn lean(&self, run: &Contract, tree: Oid) {
        let began = run.base.commit.as_ref().and_then(|id| Oid::try_from(id).ok());
        self.leans.borrow_mut().push(Lean { run_id: run.run_id.clone(), tree, began });
    }

    /// All of that code.
    pub(super) fn leans(&self) -> Vec<Lean> {
        self.leans.borrow().clone()
    }

    /// Whether one more commit may be looked at.
    pub(super) fn goes_on(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// A commit that would come onto the branch's line below `id`, with rules that neither the branch nor `id` has and no run
    /// covers. What was once on the line counts as the branch's terms, so nobody may put them there in passing.
    pub(super) fn detour(&self, covers: impl Fn(Oid) -> Result<bool>, id: Oid) -> Result<Option<Oid>> {
        let Some((tip, _)) = &self.line else { return Ok(None) };
        let repository = self.branch.repository();
        let usual = [self.rules(*tip)?, self.rules(id)?];
        let mut at = id;
        for _ in 0..FARTHEST {
            let Some(parent) = repository.parents_of(at)?.first().copied().filter(|parent| repository.has(*parent))
            else {
                return Ok(None);
            };
            if self.on_the_line(parent)? {
                return Ok(None);
            }
            if !usual.contains(&self.rules(parent)?) && !covers(parent)? {
                return Ok(Some(parent));
            }
            at = parent;
        }
        Ok(Some(at))
    }

    /// The branch as it stands, where `id` would follow its newest commit with other rules than that one has.
    pub(super) fn with_other_rules(&self, id: Oid) -> Result<Option<&Branch<'r>>> {
        let Some((tip, line)) = self.line.as_ref().filter(|(tip, _)| *tip != id) else { return Ok(None) };
        let follows = || self.branch.repository().descends(id, *tip).unwrap_or(false);
        Ok((self.rules(*tip)? != self.rules(id)? && follows()).then_some(line))
    }

    /// The rules that a commit has.
    fn rules(&self, commit: Oid) -> Result<Option<Addition>> {
        let repository = self.branch.repository();
        repository.lookup(repository.tree_of(commit)?, RULES)
    }

    /// The newest commit that the branch is known to have.
    pub(super) fn tip(&self) -> Option<Oid> {
        self.line.as_ref().map(|(tip, _)| *tip)
    }
}
