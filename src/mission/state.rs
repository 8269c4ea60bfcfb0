//! A mission as its events made it. [`Mission::apply`] is the only thing that changes one, and the consistency gate: what does
//! not follow from the state is refused, whoever says it, and never mended.

mod apply;
mod package;
mod scope;

pub use package::{Attempt, Package, Repair};
pub use scope::{scope_allows, scopes_meet};

use super::answer::Verdict;
use super::event::{ChildResult, Dispatcher, Event, Role, Setback};
use super::id::{ChildId, MissionId, PackageId};
use super::limits::Limits;
use super::record::PlanRecord;
use super::table::{MissionStatus, PackageStatus};
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::policy::Risk;
use crate::safety::{Circuit, Decision, Failure, evaluate_next_action};
use std::collections::BTreeMap;

/// A child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// What it is for.
    pub role: Role,
    /// Its work package; `None` for the final review.
    pub package: Option<PackageId>,
    /// Which attempt.
    pub attempt: u32,
    /// The governed run.
    pub run: RunId,
    /// Who started it.
    pub dispatcher: Dispatcher,
    /// The commit and tree that it saw first.
    pub from: (GitId, GitId),
    /// When it began.
    pub since: i64,
    /// When an agent outside has to have answered.
    pub deadline: Option<i64>,
    /// How it ended; `None` while it is at work.
    pub result: Option<ChildResult>,
    /// When it ended.
    pub until: Option<i64>,
    /// What a checker said.
    pub verdict: Option<Verdict>,
    /// The commit and tree that it left: a maker's work, or what a checker saw.
    pub left: Option<(GitId, GitId)>,
}

/// A mission as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mission {
    id: MissionId,
    objective: String,
    limits: Limits,
    status: MissionStatus,
    circuit: Circuit,
    packages: Vec<Package>,
    place: BTreeMap<PackageId, usize>,
    order: Vec<usize>,
    children: BTreeMap<ChildId, Child>,
    tip: (GitId, GitId),
    base: (GitId, GitId),
    final_attempts: u32,
    final_runs: Vec<RunId>,
    final_green: Option<GitId>,
    final_tested: Vec<String>,
    final_passed: Option<GitId>,
    final_approved: Option<GitId>,
    events: u32,
    why: Option<String>,
}

impl Mission {
    /// The mission that a plan and its events make; the text says what does not follow.
    pub fn fold<'e>(plan: &PlanRecord, events: impl IntoIterator<Item = &'e Event>) -> Result<Mission, String> {
        let mut events = events.into_iter();
        let mut mission = match events.next() {
            Some(Event::Planned { plan: digest, base, limits }) if *digest == plan.digest() => {
                Mission::planned(plan, base.clone(), *limits)
            }
            Some(Event::Planned { .. }) => return Err("it was made for another plan".to_owned()),
            _ => return Err("its first event does not record the plan".to_owned()),
        };
        for event in events {
            mission.apply(event)?;
        }
        Ok(mission)
    }

    fn planned(record: &PlanRecord, base: (GitId, GitId), limits: Limits) -> Mission {
        let plan = &record.plan;
        let place: BTreeMap<PackageId, usize> =
            plan.packages.iter().enumerate().map(|(at, package)| (package.id.clone(), at)).collect();
        let packages = plan.packages.iter().map(|package| {
            let risk = record.risks.get(&package.id);
            let needs = package.depends_on.iter().filter_map(|id| place.get(id).copied()).collect();
            let (risk, targets) = risk.cloned().unwrap_or((Risk::Critical, Vec::new()));
            Package::planned(package.clone(), risk, targets, needs)
        });
        Mission {
            id: record.mission.clone(),
            objective: plan.objective.clone(),
            limits,
            status: MissionStatus::Planned,
            circuit: Circuit::Closed,
            packages: packages.collect(),
            order: plan.order.iter().filter_map(|id| place.get(id).copied()).collect(),
            place,
            children: BTreeMap::new(),
            tip: base.clone(),
            base,
            final_attempts: 0,
            final_runs: Vec::new(),
            final_green: None,
            final_tested: Vec::new(),
            final_passed: None,
            final_approved: None,
            events: 1,
            why: None,
        }
    }

    /// Its name.
    pub fn id(&self) -> &MissionId {
        &self.id
    }

    /// What it is for.
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// Its limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Where it stands.
    pub fn status(&self) -> MissionStatus {
        self.status
    }

    /// Why it stands there, where that was said.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Whether anything may be started.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// How many events it has.
    pub fn events(&self) -> u32 {
        self.events
    }

    /// The commit and tree of its branch.
    pub fn tip(&self) -> &(GitId, GitId) {
        &self.tip
    }

    /// The commit and tree that it began at.
    pub fn base(&self) -> &(GitId, GitId) {
        &self.base
    }

    /// A work package.
    pub fn package(&self, id: &PackageId) -> Option<&Package> {
        self.packages.get(*self.place.get(id)?)
    }

    /// The work packages in the plan's order.
    pub fn in_order(&self) -> impl Iterator<Item = &Package> {
        self.order.iter().filter_map(|at| self.packages.get(*at))
    }

    /// A child, at work or not.
    pub fn child(&self, id: &ChildId) -> Option<&Child> {
        self.children.get(id)
    }

    /// How many children there ever were for this package, or for the final review, in this attempt and role.
    pub fn children_of(&self, package: Option<&PackageId>, attempt: u32, role: Role) -> usize {
        let is_one =
            |child: &&Child| child.package.as_ref() == package && child.attempt == attempt && child.role == role;
        self.children.values().filter(is_one).count()
    }

    /// Every child there ever was.
    pub fn children(&self) -> impl Iterator<Item = (&ChildId, &Child)> {
        self.children.iter()
    }

    /// The children at work.
    pub fn active_children(&self) -> impl Iterator<Item = (&ChildId, &Child)> {
        self.children.iter().filter(|(_, child)| child.result.is_none())
    }

    /// Whether a child works on this package.
    pub fn has_child(&self, package: &PackageId) -> bool {
        self.active_children().any(|(_, child)| child.package.as_ref() == Some(package))
    }

    /// Whether every package is done.
    pub fn all_done(&self) -> bool {
        self.packages.iter().all(|package| package.status() == PackageStatus::Done)
    }

    /// How many attempts at the final test and review there were, and the run of the last one.
    pub fn finals(&self) -> (u32, Option<&RunId>) {
        (self.final_attempts, self.final_runs.last())
    }

    /// The runs of all final tests, in order.
    pub fn final_runs(&self) -> &[RunId] {
        &self.final_runs
    }

    /// The evidence of the final test.
    pub fn final_tested(&self) -> &[String] {
        &self.final_tested
    }

    /// Whether every test passed on the branch as it is.
    pub fn final_is_green(&self) -> bool {
        self.final_green.as_ref() == Some(&self.tip.1)
    }

    /// Whether a fresh checker passed the branch as it is.
    pub fn final_is_passed(&self) -> bool {
        self.final_passed.as_ref() == Some(&self.tip.1)
    }

    /// Whether a person still has to allow the end: something in it was critical.
    pub fn needs_final_approval(&self) -> bool {
        self.packages.iter().any(Package::needs_approval) && self.final_approved.as_ref() != Some(&self.tip.1)
    }

    /// What may be done after this failure of a package. The decision is binding: no event with another is taken.
    pub fn decide(&self, package: &PackageId, failure: Option<&Failure>) -> Decision {
        let history = self.package(package).map(|package| package.history.clone()).unwrap_or_default();
        evaluate_next_action(&history.with_circuit(self.circuit.clone()), failure, self.limits.safety())
    }

    /// The same with the event that it makes.
    pub fn setback(&self, package: &PackageId, failure: &Failure, text: String) -> Setback {
        Setback::new(failure, text, self.decide(package, Some(failure)))
    }

    pub(super) fn needs_are_done(&self, package: &Package) -> bool {
        let is_done = |at: &usize| self.packages.get(*at).is_some_and(|one| one.status() == PackageStatus::Done);
        package.needs().iter().all(is_done)
    }

    /// Whether two packages may change the same path.
    pub(super) fn meet(&self, one: &Package, other: &Package) -> bool {
        one.id() != other.id() && scopes_meet(&one.plan().scope, &other.plan().scope)
    }
}
