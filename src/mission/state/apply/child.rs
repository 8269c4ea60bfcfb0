//! A child begins or is over, and a failure is charged to its package.

use super::{Followed, must};
use crate::mission::answer::Verdict;
use crate::mission::event::{ChildResult, Role, Setback};
use crate::mission::id::{ChildId, PackageId};
use crate::mission::state::{Attempt, Child, Mission};
use crate::mission::table::{AttemptStatus, MissionStatus, PackageStatus};
use crate::safety::{Action, Circuit, Decision};

impl Mission {
    pub(super) fn child_started(&mut self, id: &ChildId, child: Child) -> Followed {
        self.may_go_on()?;
        must(!self.children.contains_key(id), format!("the child '{id}' was there before"))?;
        must(self.active_children().count() < self.limits.children(), "as many children as may be are at work")?;
        match (&child.package, child.role) {
            (None, Role::Checker) => {
                must(self.all_done() && self.final_is_green(), "the final review comes after the final test")?;
                must(child.from == self.tip, "the final review is of another tree")?;
                must(child.attempt == self.final_attempts, "the number of the final review is not that of its test")?;
                must(self.active_children().next().is_none(), "another child is at work")?;
            }
            (None, role) => return Err(format!("there is no final {role}")),
            (Some(package), role) => {
                must(!self.has_child(package), format!("a child works on {package} already"))?;
                match role {
                    Role::Checker => {
                        let package = self.package_mut(package)?;
                        must(package.status == PackageStatus::Checking, "nothing is there to be checked")?;
                        must(child.attempt == package.attempt(), "the checker is of another attempt")?;
                        must(package.work.as_ref() == Some(&child.from), "the checker sees another tree")?;
                        must(!package.is_passed(), "it was passed already")?;
                    }
                    Role::Maker | Role::Debugger => self.maker_started(package, &child)?,
                }
            }
        }
        self.children.insert(id.clone(), child);
        Ok(())
    }

    fn maker_started(&mut self, id: &PackageId, child: &Child) -> Followed {
        let found = self.package(id).ok_or_else(|| format!("there is no work package '{id}'"))?;
        must(found.status == PackageStatus::Ready, format!("{id} is {}, not ready", found.status))?;
        must(child.attempt == found.attempt().saturating_add(1), format!("{id} is at attempt {}", found.attempt()))?;
        must(child.role == found.next_role(), format!("the next attempt at {id} is a {}'s", found.next_role()))?;
        must(self.needs_are_done(found), format!("what {id} depends on is not done"))?;
        let at_work = self.packages.iter().filter(|other| other.is_at_work());
        must(
            !at_work.into_iter().any(|other| self.meet(found, other)),
            format!("the scope of {id} is being worked on"),
        )?;
        must(child.from == self.tip, format!("the attempt at {id} begins elsewhere"))?;
        let package = self.package_mut(id)?;
        package.attempts.push(Attempt { run: child.run.clone(), role: child.role, status: AttemptStatus::Making });
        package.debug = false;
        package.fewer = None;
        package.work = None;
        package.green = None;
        package.passed = None;
        package.tested.clear();
        package.become_(PackageStatus::Making)
    }

    /// `child` as it is now that it is over.
    pub(super) fn child_ended(&mut self, child: &Child, result: ChildResult, setback: Option<&Setback>) -> Followed {
        let (role, package) = (child.role, child.package.clone());
        let (verdict, work) = (child.verdict, child.left.as_ref());
        if result == ChildResult::Interrupted {
            must(verdict.is_none() && setback.is_none() && work.is_none(), "a child that was cut off says nothing")?;
            if let Some(package) = package.filter(|_| role != Role::Checker) {
                let package = self.package_mut(&package)?;
                package.debug = role == Role::Debugger;
                package.attempt_becomes(AttemptStatus::Interrupted)?;
                package.become_(PackageStatus::Ready)?;
            }
            return Ok(());
        }
        must(result == ChildResult::Answered || setback.is_some() || package.is_none(), "a failure says what it was")?;
        match (package, role) {
            (None, _) => {
                match (result, verdict) {
                    (ChildResult::Answered, Some(Verdict::Pass)) => self.final_passed = Some(self.tip.1.clone()),
                    _ => {
                        self.why = Some("the final review did not pass".to_owned());
                        self.become_(MissionStatus::Escalated)?;
                    }
                }
                Ok(())
            }
            (Some(id), Role::Checker) => {
                must(
                    (verdict == Some(Verdict::Pass)) == setback.is_none(),
                    "a checker passes, or something went wrong",
                )?;
                match setback {
                    Some(setback) => self.charge(&id, setback),
                    None => {
                        let package = self.package_mut(&id)?;
                        package.passed = package.work.as_ref().map(|work| work.1.clone());
                        Ok(())
                    }
                }
            }
            (Some(id), Role::Maker | Role::Debugger) => {
                must(verdict.is_none(), "a maker has no verdict")?;
                must(work.is_some(), "a maker leaves a tree")?;
                let package = self.package_mut(&id)?;
                package.work = work.cloned();
                match setback {
                    Some(setback) => self.charge(&id, setback),
                    None => {
                        package.attempt_becomes(AttemptStatus::Testing)?;
                        package.become_(PackageStatus::Testing)
                    }
                }
            }
        }
    }

    /// A failure of a package: what was decided must be what follows from its history, and is done.
    pub(super) fn charge(&mut self, id: &PackageId, setback: &Setback) -> Followed {
        let failure = setback.failure();
        let decision: Decision = self.decide(id, Some(&failure));
        must(
            (decision.action, decision.reason) == (setback.action, setback.reason.as_str()),
            format!("the decision about {id} is {} ({})", decision.action, decision.reason),
        )?;
        let package = self.package_mut(id)?;
        package.history.record(&failure, decision);
        package.last = Some(setback.clone());
        package.passed = None;
        match setback.action {
            Action::Continue => return Err("a failure is no reason to go on".to_owned()),
            Action::Retry | Action::Debug => {
                package.repair = package.repair.next().ok_or("there is no fourth repair cycle")?;
                package.debug = setback.action == Action::Debug;
                package.attempt_becomes(AttemptStatus::Failed)?;
                package.become_(PackageStatus::Ready)?;
            }
            Action::SecondOpinion => {
                if package.status != PackageStatus::Checking {
                    package.attempt_becomes(AttemptStatus::Checking)?;
                    package.become_(PackageStatus::Checking)?;
                }
            }
            Action::Block | Action::CircuitBreak => {
                package.attempt_becomes(AttemptStatus::Failed)?;
                package.become_(PackageStatus::Blocked)?;
                if setback.action == Action::CircuitBreak {
                    self.circuit = Circuit::Open(setback.reason.clone());
                }
            }
        }
        Ok(())
    }
}
