//! One event after the other. Each arm says what must hold before it changes anything.

mod child;
mod person;

use super::{Child, Mission, Package};
use crate::mission::event::{ChildResult, Event};
use crate::mission::id::PackageId;
use crate::mission::table::{AttemptStatus, MissionStatus, PackageStatus};
use crate::safety::Circuit;

pub(super) type Followed = Result<(), String>;

pub(super) fn must(holds: bool, what: impl Into<String>) -> Followed {
    if holds { Ok(()) } else { Err(what.into()) }
}

impl Mission {
    /// Takes in an event; the text says what does not follow. Then nothing has changed that counts: whoever gets it drops this.
    pub fn apply(&mut self, event: &Event) -> Followed {
        let cut_off = matches!(event, Event::ChildEnded { result: ChildResult::Interrupted, .. });
        must(!self.status.is_terminal() || cut_off, format!("the mission is {}", self.status))?;
        match event {
            Event::Planned { .. } => return Err("a mission is planned once".to_owned()),
            Event::Activated => {
                self.become_(MissionStatus::Active)?;
                for package in &mut self.packages {
                    package.become_(match package.needs_approval() {
                        true => PackageStatus::ApprovalRequired,
                        false => PackageStatus::Ready,
                    })?;
                }
            }
            Event::ChildStarted { child, role, package, attempt, run, dispatcher, from, at, deadline } => {
                let begun = Child {
                    role: *role,
                    package: package.clone(),
                    attempt: *attempt,
                    run: run.clone(),
                    dispatcher: *dispatcher,
                    from: from.clone(),
                    since: *at,
                    deadline: *deadline,
                    result: None,
                    until: None,
                    verdict: None,
                    left: None,
                };
                self.child_started(child, begun)?;
            }
            Event::ChildEnded { child, result, verdict, work, setback, at, .. } => {
                let ended = self.children.get_mut(child).ok_or_else(|| format!("there is no child '{child}'"))?;
                must(ended.result.is_none(), format!("the child '{child}' is over already"))?;
                (ended.result, ended.until) = (Some(*result), Some(*at));
                (ended.verdict, ended.left) = (*verdict, work.clone());
                let ended = ended.clone();
                self.child_ended(&ended, *result, setback.as_ref())?;
            }
            Event::Tested { package: Some(id), attempt, tree, green, setback, fewer, evidence, .. } => {
                self.may_go_on()?;
                let package = self.package_mut(id)?;
                must(package.status == PackageStatus::Testing, format!("{id} is {}, not testing", package.status))?;
                must(package.attempt() == *attempt, format!("{id} is at attempt {}", package.attempt()))?;
                must(package.work.as_ref().is_some_and(|work| work.1 == *tree), "the tests ran on another tree")?;
                must(*green == setback.is_none(), "tests are green, or something went wrong")?;
                must(*green || fewer.is_none(), "only green tests can be too few")?;
                package.tested.clone_from(evidence);
                match (setback, fewer) {
                    (None, None) => package.tests_count(tree)?,
                    (None, Some(fewer)) => {
                        package.fewer = Some(fewer.clone());
                        package.become_(PackageStatus::ApprovalRequired)?;
                    }
                    (Some(setback), _) => self.charge(id, setback)?,
                }
            }
            Event::Tested { package: None, attempt, run, tree, green, setback, fewer, evidence } => {
                self.may_go_on()?;
                must(self.all_done(), "the final test comes after the last package")?;
                must(*tree == self.tip.1, "the final test ran on another tree")?;
                must(
                    *attempt == self.final_attempts.saturating_add(1),
                    "the number of the final test is not the next",
                )?;
                must(setback.is_none() && fewer.is_none(), "the final test is no package's failure")?;
                self.final_attempts = *attempt;
                self.final_runs.push(run.clone());
                self.final_tested.clone_from(evidence);
                match green {
                    true => self.final_green = Some(tree.clone()),
                    false => {
                        self.why = Some("the tests fail on the mission's branch".to_owned());
                        self.become_(MissionStatus::Blocked)?;
                    }
                }
            }
            Event::Accepted { package: id, attempt, tip } => {
                self.may_go_on()?;
                let package = self.package_mut(id)?;
                must(package.attempt() == *attempt, format!("{id} is at attempt {}", package.attempt()))?;
                must(package.is_green(), format!("{id} has no green check on its final tree"))?;
                must(package.is_passed(), format!("{id} was not passed by a fresh checker"))?;
                package.attempt_becomes(AttemptStatus::Accepted)?;
                package.become_(PackageStatus::Done)?;
                self.tip = tip.clone();
            }
            Event::Refused { package: id, attempt, setback } => {
                self.may_go_on()?;
                let package = self.package_mut(id)?;
                must(package.status == PackageStatus::Checking && package.is_passed(), format!("{id} is not judged"))?;
                must(package.attempt() == *attempt, format!("{id} is at attempt {}", package.attempt()))?;
                self.charge(id, setback)?;
            }
            Event::Approved { subject, by, reason, .. } => self.approved(subject, by, reason)?,
            Event::Rejected { subject, reason, .. } => self.rejected(subject, reason)?,
            Event::Blocked { reason } => {
                must(self.active_children().next().is_none(), "a child is at work")?;
                self.why = Some(reason.clone());
                self.become_(MissionStatus::Blocked)?;
            }
            Event::Completed { tip } => {
                self.may_go_on()?;
                must(self.all_done(), "a work package is not done")?;
                must(*tip == self.tip, "the mission's branch stands elsewhere")?;
                must(self.final_is_green(), "the tests are not green on the mission's branch")?;
                must(self.final_is_passed(), "no fresh checker passed the mission's branch")?;
                must(!self.needs_final_approval(), "a person has to approve the end")?;
                self.become_(MissionStatus::Completed)?;
            }
            Event::Cancelled { reason, by } => {
                self.why = Some(match by {
                    Some(by) => format!("{reason} ({by})"),
                    None => reason.clone(),
                });
                self.become_(MissionStatus::Cancelled)?;
            }
        }
        self.events = self.events.saturating_add(1);
        Ok(())
    }

    /// Nothing but the circuit's own record changes while it is open, and nothing at all when the mission is over.
    fn may_go_on(&self) -> Followed {
        must(self.status == MissionStatus::Active, format!("the mission is {}", self.status))?;
        must(self.circuit == Circuit::Closed, "the circuit is open")
    }

    fn become_(&mut self, to: MissionStatus) -> Followed {
        must(self.status.may_become(to), format!("a mission that is {} does not become {to}", self.status))?;
        self.status = to;
        // What held it up is over.
        if matches!(to, MissionStatus::Active | MissionStatus::Completed) {
            self.why = None;
        }
        Ok(())
    }

    fn package_mut(&mut self, id: &PackageId) -> Result<&mut Package, String> {
        let at = self.place.get(id).copied();
        at.and_then(|at| self.packages.get_mut(at)).ok_or_else(|| format!("there is no work package '{id}'"))
    }
}
