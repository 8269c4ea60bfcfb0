//! A work package as it stands, and the only two ways in which its status moves: along the tables.

use super::apply::{Followed, must};
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::policy::Risk;
use crate::mission::event::{Role, Setback};
use crate::mission::id::PackageId;
use crate::mission::plan::WorkPackage;
use crate::mission::table::{AttemptStatus, PackageStatus};
use crate::safety::History;

/// A repair cycle of a work package. There is no fourth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// The first attempt stands, or has not begun.
    #[default]
    None,
    /// The first.
    First,
    /// The second.
    Second,
    /// The last.
    Third,
}

impl Repair {
    /// The next one; `None` after the last.
    pub fn next(self) -> Option<Repair> {
        match self {
            Repair::None => Some(Repair::First),
            Repair::First => Some(Repair::Second),
            Repair::Second => Some(Repair::Third),
            Repair::Third => None,
        }
    }

    /// How many that were.
    pub fn count(self) -> u32 {
        self as u32
    }
}

/// One attempt at a work package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its run.
    pub run: RunId,
    /// Who makes it.
    pub role: Role,
    /// Where it stands.
    pub status: AttemptStatus,
}

/// A work package as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub(super) plan: WorkPackage,
    risk: Risk,
    targets: Vec<String>,
    needs: Vec<usize>,
    pub(super) status: PackageStatus,
    pub(super) attempts: Vec<Attempt>,
    pub(super) repair: Repair,
    pub(super) history: History,
    /// The commit and tree of the newest work.
    pub(super) work: Option<(GitId, GitId)>,
    /// The tree that its tests passed on.
    pub(super) green: Option<GitId>,
    /// The tree that a fresh checker passed.
    pub(super) passed: Option<GitId>,
    /// The evidence of its newest tests.
    pub(super) tested: Vec<String>,
    /// What is less in its tests than before, while a person has not said whether that may be.
    pub(super) fewer: Option<String>,
    pub(super) debug: bool,
    pub(super) last: Option<Setback>,
}

impl Package {
    pub(super) fn planned(plan: WorkPackage, risk: Risk, targets: Vec<String>, needs: Vec<usize>) -> Package {
        Package {
            plan,
            risk,
            targets,
            needs,
            status: PackageStatus::Planned,
            attempts: Vec::new(),
            repair: Repair::None,
            history: History::default(),
            work: None,
            green: None,
            passed: None,
            tested: Vec::new(),
            fewer: None,
            debug: false,
            last: None,
        }
    }

    /// Its id.
    pub fn id(&self) -> &PackageId {
        &self.plan.id
    }

    /// What the plan says.
    pub fn plan(&self) -> &WorkPackage {
        &self.plan
    }

    /// Its risk, the highest of all grounds.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// The approval targets that it touches.
    pub fn targets(&self) -> &[String] {
        &self.targets
    }

    /// Whether a person has to allow it.
    pub fn needs_approval(&self) -> bool {
        self.risk == Risk::Critical || !self.targets.is_empty()
    }

    /// Where it stands.
    pub fn status(&self) -> PackageStatus {
        self.status
    }

    /// Whether an attempt is under way, also one that waits for a person.
    pub fn is_at_work(&self) -> bool {
        self.status.is_at_work() || self.fewer.is_some()
    }

    /// What is less in the tests of its work than before: a person has to say whether that may be.
    pub fn fewer_tests(&self) -> Option<&str> {
        self.fewer.as_deref()
    }

    /// What was tried.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The number of the newest attempt.
    pub fn attempt(&self) -> u32 {
        u32::try_from(self.attempts.len()).unwrap_or(u32::MAX)
    }

    /// The repair cycles that were spent.
    pub fn repair(&self) -> Repair {
        self.repair
    }

    /// The commit and tree of the newest work.
    pub fn work(&self) -> Option<&(GitId, GitId)> {
        self.work.as_ref()
    }

    /// The evidence of its newest tests.
    pub fn tested(&self) -> &[String] {
        &self.tested
    }

    /// Whether its tests passed on the tree of its work.
    pub fn is_green(&self) -> bool {
        self.work.as_ref().is_some_and(|work| self.green.as_ref() == Some(&work.1))
    }

    /// Whether a fresh checker passed the tree of its work.
    pub fn is_passed(&self) -> bool {
        self.work.as_ref().is_some_and(|work| self.passed.as_ref() == Some(&work.1))
    }

    /// What went wrong last.
    pub fn last(&self) -> Option<&Setback> {
        self.last.as_ref()
    }

    /// Who makes the next attempt.
    pub fn next_role(&self) -> Role {
        if self.debug { Role::Debugger } else { Role::Maker }
    }

    pub(in crate::mission) fn needs(&self) -> &[usize] {
        &self.needs
    }

    /// Its tests are green on this tree, and count.
    pub(super) fn tests_count(&mut self, tree: &GitId) -> Followed {
        self.green = Some(tree.clone());
        self.attempt_becomes(AttemptStatus::Checking)?;
        self.become_(PackageStatus::Checking)
    }

    pub(super) fn become_(&mut self, to: PackageStatus) -> Followed {
        must(self.status.may_become(to), format!("{} is {} and does not become {to}", self.plan.id, self.status))?;
        self.status = to;
        Ok(())
    }

    pub(super) fn attempt_becomes(&mut self, to: AttemptStatus) -> Followed {
        let attempt = self.attempts.last_mut().ok_or("there was no attempt")?;
        must(attempt.status.may_become(to), format!("an attempt that is {} is not {to} next", attempt.status))?;
        attempt.status = to;
        Ok(())
    }
}
