//! A step begins: what is done at once is done, and what goes on beside is given back.

use super::{Driver, Job, unknown};
use crate::diagnostics::{Code, Result};
use crate::mission::{Child, ChildId, Dispatcher, Event, PackageId, PackageStatus, Role, Step};
use crate::os::{clock, fault};
use crate::safety::FailureKind;
use crate::verbs::mission::{child, child_name, ground, run_name, tests};

impl Driver<'_> {
    /// Takes a step that is done at once, or begins one that is not.
    pub(super) fn begin(&mut self, step: &Step, dispatcher: Dispatcher) -> Result<Option<Job>> {
        self.budget.spend(match step {
            Step::Make(id) => Some(id),
            _ => None,
        });
        match step {
            Step::Activate => {
                self.record(&Event::Activated)?;
                ground::bring_branch(self.site, self.mission(), self.journal.events())?;
            }
            Step::Make(id) | Step::Check(id) => {
                let (id, child) = self.start(Some(id), matches!(step, Step::Check(_)), dispatcher)?;
                return Ok(Some(Job::Child(id, child)));
            }
            Step::FinalCheck => {
                let (id, child) = self.start(None, true, dispatcher)?;
                return Ok(Some(Job::Child(id, child)));
            }
            Step::Test(id) => {
                let package = self.mission().package(id).ok_or_else(|| unknown(id))?;
                let attempt = package.attempt();
                let run = run_name(self.mission().id(), Some(id), attempt)?;
                return Ok(Some(Job::Tests(Some(id.clone()), attempt, run)));
            }
            Step::FinalTest => {
                let attempt = self.mission().finals().0.saturating_add(1);
                return Ok(Some(Job::Tests(None, attempt, run_name(self.mission().id(), None, attempt)?)));
            }
            Step::Take(id) => self.take(id)?,
            Step::Complete => {
                if let Some(run) = self.mission().finals().1.cloned() {
                    child::finish(self.site, &run, &self.mission().tip().0)?;
                }
                self.record(&Event::Completed { tip: self.mission().tip().clone() })?;
                self.sweep()?;
            }
            Step::Block => {
                let blocked = self.mission().in_order();
                let blocked = blocked.filter(|one| one.status() == PackageStatus::Blocked);
                let names: Vec<&str> = blocked.map(|one| one.id().as_str()).collect();
                self.record(&Event::Blocked { reason: format!("{} cannot go on by itself", names.join(", ")) })?;
            }
        }
        Ok(None)
    }

    /// Records that a child begins.
    pub fn start(
        &mut self,
        package: Option<&PackageId>,
        is_checker: bool,
        dispatcher: Dispatcher,
    ) -> Result<(ChildId, Child)> {
        let mission = self.mission();
        let found = package.map(|id| mission.package(id).ok_or_else(|| unknown(id))).transpose()?;
        let (role, attempt, from) = match (found, is_checker) {
            (Some(found), false) => (found.next_role(), found.attempt().saturating_add(1), mission.tip().clone()),
            (Some(found), true) => {
                let work = found.work().cloned().ok_or_else(|| unknown(found.id()))?;
                (Role::Checker, found.attempt(), work)
            }
            (None, _) => (Role::Checker, mission.finals().0, mission.tip().clone()),
        };
        let run = run_name(mission.id(), package, attempt)?;
        let child = child_name(mission, &run, package, attempt, role)?;
        let package = package.cloned();
        let at = clock::now_seconds();
        let event = Event::ChildStarted { child: child.clone(), role, package, attempt, run, dispatcher, from, at };
        self.record(&event)?;
        let begun = self.mission().child(&child).cloned();
        begun.map(|begun| (child, begun)).ok_or_else(|| Code::Rapid003.because("a child that begins is not there"))
    }

    /// The work of a package goes onto the mission's branch, or is a failed attempt.
    pub(super) fn take(&mut self, id: &PackageId) -> Result<()> {
        let package = self.mission().package(id).ok_or_else(|| unknown(id))?;
        let attempt = package.attempt();
        let run = run_name(self.mission().id(), Some(id), attempt)?;
        let tip = match package.is_green() {
            false => Err((FailureKind::Check, "it has no green check on its final tree".to_owned())),
            true => {
                let work = package.work().ok_or_else(|| unknown(id))?;
                child::finish(self.site, &run, &work.0)?;
                let merged = ground::merged(self.site, self.mission(), package)?;
                let conflict = || (FailureKind::Rejected, "it conflicts with what was done meanwhile".to_owned());
                match merged.ok_or_else(conflict) {
                    Ok(tip) if tip.1 != work.1 => {
                        let left = self.left();
                        let red = tests::of_the_merged(self.site, self.mission(), package, &run, &tip, left)?;
                        red.map_or(Ok(tip), |text| Err((FailureKind::Check, text)))
                    }
                    tip => tip,
                }
            }
        };
        match tip {
            Ok(tip) => {
                self.record(&Event::Accepted { package: id.clone(), attempt, tip })?;
                fault::point("mission-accepted");
                ground::bring_branch(self.site, self.mission(), self.journal.events())?;
            }
            Err((kind, text)) => {
                let setback = self.charged(id, kind, &text);
                self.record(&Event::Refused { package: id.clone(), attempt, setback })?;
            }
        }
        self.sweep()
    }
}
