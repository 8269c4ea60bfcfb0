//! A step begins: what is done at once is done, and what goes on beside is given back.

use super::{Driver, Job, unknown};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::ids::RunId;
use crate::mission::{Child, ChildId, Dispatcher, Event, Package, PackageId, PackageStatus, Role, Step};
use crate::os::{clock, fault};
use crate::safety::FailureKind;
use crate::verbs::mission::{attempt, child, child_name, ground, tests};

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
                return Ok(Some(Job::Tests(Some(id.clone()), package.attempt(), run_of(package)?)));
            }
            Step::FinalTest => {
                let attempt = self.mission().finals().0.saturating_add(1);
                let spec = ground::spec_of_the_end(self.mission())?;
                let run = attempt::next_run(self.site, self.mission(), None, attempt, Some(&spec))?;
                return Ok(Some(Job::Tests(None, attempt, run)));
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
        let run = match (found, is_checker) {
            (Some(found), true) => run_of(found)?,
            (None, true) => mission.finals().1.cloned().ok_or_else(no_run)?,
            (_, false) => attempt::next_run(self.site, mission, package, attempt, None)?,
        };
        let child = child_name(mission, &run, package, attempt, role)?;
        let (child, package, at) = (child, package.cloned(), clock::now_seconds());
        let deadline = match dispatcher {
            Dispatcher::External => Some(at.saturating_add(self.site.missions.answer_within)),
            Dispatcher::Provider => None,
        };
        let name = child.clone();
        let event = Event::ChildStarted { child: name, role, package, attempt, run, dispatcher, from, at, deadline };
        self.record(&event)?;
        let begun = self.mission().child(&child).cloned();
        begun.map(|begun| (child, begun)).ok_or_else(|| Code::Rapid003.because("a child that begins is not there"))
    }

    /// The work of a package goes onto the mission's branch, or is a failed attempt.
    pub(super) fn take(&mut self, id: &PackageId) -> Result<()> {
        let package = self.mission().package(id).ok_or_else(|| unknown(id))?;
        let attempt = package.attempt();
        let run = run_of(package)?;
        let tip = match package.is_green() {
            false => Err((FailureKind::Check, "it has no green check on its final tree".to_owned())),
            true => {
                let work = package.work().ok_or_else(|| unknown(id))?;
                child::finish(self.site, &run, &work.0)?;
                match ground::merged(self.site, self.mission(), package, work)? {
                    Err(conflict) => Err((FailureKind::Rejected, conflict)),
                    Ok(tip) if tip.1 != work.1 => {
                        let left = self.left();
                        let red = tests::of_the_merged(self.site, self.mission(), package, &run, &tip, left)?;
                        red.map_or(Ok(tip), |text| Err((FailureKind::Check, text)))
                    }
                    Ok(tip) => Ok(tip),
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

/// The run of the attempt that is under way.
fn run_of(package: &Package) -> Result<RunId> {
    package.attempts().last().map(|attempt| attempt.run.clone()).ok_or_else(no_run)
}

fn no_run() -> Diagnostic {
    Code::Rapid003.because("what is under way has no run")
}
