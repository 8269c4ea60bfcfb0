//! What is next. Deterministic: the order of the plan, then the id; what is begun is brought to its end first.

use super::event::Subject;
use super::id::PackageId;
use super::limits::Budget;
use super::state::{Mission, Package};
use super::table::{MissionStatus, PackageStatus};
use crate::domain::word::words;
use crate::safety::Circuit;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The mission becomes active.
    Activate,
    /// A maker, or a debugger, works on a package.
    Make(PackageId),
    /// Its tests run.
    Test(PackageId),
    /// A fresh checker judges it.
    Check(PackageId),
    /// Its work is put on the mission's branch.
    Take(PackageId),
    /// Every test runs on the whole.
    FinalTest,
    /// A fresh checker judges the whole.
    FinalCheck,
    /// The mission is done.
    Complete,
    /// Nothing can go on.
    Block,
}

words! {
    /// Why `run` ended.
    Stop, "a reason to stop" {
        /// It is done.
        MissionCompleted = "mission_completed",
        /// Nothing can go on by itself.
        Blocked = "blocked",
        /// A person ended it for good.
        Cancelled = "cancelled",
        /// The final review said no.
        Escalated = "escalated",
        /// Something happened after which nothing may go on.
        CircuitOpen = "circuit_open",
        /// Everything that could run waits for something.
        NoRunnableWp = "no_runnable_wp",
        /// The run has spent what it may spend.
        RunBudgetReached = "run_budget_reached",
        /// A person has to allow it.
        ApprovalRequired = "approval_required",
        /// It cannot go on because of the world.
        Error = "error",
    }
}

/// What may be started now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The steps, the first first. Steps of different packages may be taken at the same time.
    pub steps: Vec<Step>,
    /// How many packages and dependencies were looked at.
    pub looked_at: usize,
    /// Whether a package was passed over because the budget has no room for one more.
    pub over_budget: bool,
}

/// What may be started now, with so many children at most.
pub fn ready(mission: &Mission, budget: &Budget) -> Ready {
    let mut ready = Ready::default();
    if mission.status() == MissionStatus::Planned {
        ready.steps.push(Step::Activate);
        return ready;
    }
    if mission.status() != MissionStatus::Active || *mission.circuit() != Circuit::Closed {
        return ready;
    }
    let mut children = mission.limits().children().saturating_sub(mission.active_children().count());
    let begun = mission.in_order().filter(|package| package.is_at_work());
    let mut busy: Vec<&Package> = Vec::new();
    // What is given out here is begun together.
    let mut budget = budget.clone();
    for package in begun {
        busy.push(package);
        let id = package.id().clone();
        match package.status() {
            PackageStatus::Testing => ready.steps.push(Step::Test(id)),
            PackageStatus::Checking if package.is_passed() => ready.steps.push(Step::Take(id)),
            PackageStatus::Checking if children > 0 && !mission.has_child(&id) => {
                children -= 1;
                ready.steps.push(Step::Check(id));
            }
            _ => {}
        }
    }
    for package in mission.in_order() {
        ready.looked_at += 1;
        if children == 0 {
            break;
        }
        if package.status() != PackageStatus::Ready {
            continue;
        }
        ready.looked_at += package.needs().len();
        if !mission.needs_are_done(package) || busy.iter().any(|other| mission.meet(package, other)) {
            continue;
        }
        if !budget.may_begin(package.id()) {
            ready.over_budget = true;
            continue;
        }
        children -= 1;
        budget.spend(Some(package.id()));
        busy.push(package);
        ready.steps.push(Step::Make(package.id().clone()));
    }
    if !ready.steps.is_empty() || mission.active_children().next().is_some() {
        return ready;
    }
    ready.steps.extend(match () {
        () if mission.all_done() => final_step(mission),
        () if ready.over_budget || !mission.waits_for().is_empty() => None,
        () => Some(Step::Block),
    });
    ready
}

/// The step towards the end, once every package is done; `None` while a person has to say yes.
fn final_step(mission: &Mission) -> Option<Step> {
    match () {
        () if !mission.final_is_green() => Some(Step::FinalTest),
        () if !mission.final_is_passed() => Some(Step::FinalCheck),
        () if mission.needs_final_approval() => None,
        () => Some(Step::Complete),
    }
}

/// Why nothing more can be started, when nothing is ready and no child of ours is at work.
pub fn stop_reason(mission: &Mission, over_budget: bool) -> Stop {
    match mission.status() {
        MissionStatus::Completed => Stop::MissionCompleted,
        MissionStatus::Escalated => Stop::Escalated,
        MissionStatus::Blocked => Stop::Blocked,
        MissionStatus::Cancelled => Stop::Cancelled,
        _ if *mission.circuit() != Circuit::Closed => Stop::CircuitOpen,
        _ if over_budget => Stop::RunBudgetReached,
        _ if mission.active_children().next().is_some() => Stop::NoRunnableWp,
        _ if !mission.waits_for().is_empty() => Stop::ApprovalRequired,
        _ => Stop::NoRunnableWp,
    }
}

impl Mission {
    /// What a person has to allow before anything more can happen.
    pub fn waits_for(&self) -> Vec<Subject> {
        let packages = self.in_order().filter(|package| package.status() == PackageStatus::ApprovalRequired);
        let subject = |package: &Package| match package.fewer_tests() {
            Some(_) => Subject::Tests(package.id().clone()),
            None => Subject::Package(package.id().clone()),
        };
        let mut all: Vec<Subject> = packages.map(subject).collect();
        if self.all_done() && self.final_is_passed() && self.needs_final_approval() {
            all.push(Subject::Final);
        }
        all
    }

    /// Everything that a person may decide now: what it waits for, and what lets go on what cannot go on by itself.
    pub fn decisions(&self) -> Vec<Subject> {
        if self.status().is_terminal() {
            return Vec::new();
        }
        let circuit = (*self.circuit() != Circuit::Closed).then_some(Subject::Circuit);
        let blocked = self.in_order().filter(|package| package.status() == PackageStatus::Blocked);
        let mut all: Vec<Subject> = circuit.into_iter().chain(self.waits_for()).collect();
        all.extend(blocked.map(|package| Subject::Reopen(package.id().clone())));
        let is_held = matches!(self.status(), MissionStatus::Blocked | MissionStatus::Escalated);
        if is_held && !all.iter().any(|subject| matches!(subject, Subject::Reopen(_))) {
            all.push(Subject::Mission);
        }
        all
    }
}
