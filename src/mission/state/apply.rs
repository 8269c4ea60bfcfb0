//! One event after the other. Each arm says what must hold before it changes anything.

use super::{Attempt, Child, Mission, Package, Repair};
use crate::domain::git_id::GitId;
use crate::mission::answer::Verdict;
use crate::mission::event::{ChildResult, Event, Role, Setback, Subject};
use crate::mission::id::{ChildId, PackageId};
use crate::mission::table::{AttemptStatus, MissionStatus, PackageStatus};
use crate::safety::{Action, Circuit, Decision, History};

type Followed = Result<(), String>;

fn must(holds: bool, what: impl Into<String>) -> Followed {
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
            Event::ChildStarted { child, role, package, attempt, run, dispatcher, from, at } => {
                let begun = Child {
                    role: *role,
                    package: package.clone(),
                    attempt: *attempt,
                    run: run.clone(),
                    dispatcher: *dispatcher,
                    from: from.clone(),
                    since: *at,
                    result: None,
                };
                self.child_started(child, begun)?;
            }
            Event::ChildEnded { child, result, verdict, work, setback, .. } => {
                self.child_ended(child, *result, *verdict, work.as_ref(), setback.as_ref())?;
            }
            Event::Tested { package: Some(id), attempt, tree, green, setback, evidence, .. } => {
                self.may_go_on()?;
                let package = self.package_mut(id)?;
                must(package.status == PackageStatus::Testing, format!("{id} is {}, not testing", package.status))?;
                must(package.attempt() == *attempt, format!("{id} is at attempt {}", package.attempt()))?;
                must(package.work.as_ref().is_some_and(|work| work.1 == *tree), "the tests ran on another tree")?;
                must(*green == setback.is_none(), "tests are green, or something went wrong")?;
                package.tested.clone_from(evidence);
                match setback {
                    None => {
                        package.green = Some(tree.clone());
                        package.attempt_becomes(AttemptStatus::Checking)?;
                        package.become_(PackageStatus::Checking)?;
                    }
                    Some(setback) => self.charge(id, setback)?,
                }
            }
            Event::Tested { package: None, attempt, run, tree, green, setback, evidence } => {
                self.may_go_on()?;
                must(self.all_done(), "the final test comes after the last package")?;
                must(*tree == self.tip.1, "the final test ran on another tree")?;
                must(
                    *attempt == self.final_attempts.saturating_add(1),
                    "the number of the final test is not the next",
                )?;
                must(setback.is_none(), "the final test is no package's failure")?;
                self.final_attempts = *attempt;
                self.final_run = Some(run.clone());
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
            Event::Approved { subject, by, reason } => self.approved(subject, by, reason)?,
            Event::Rejected { subject, reason, .. } => match subject {
                Subject::Package(id) => {
                    let package = self.package_mut(id)?;
                    must(package.status == PackageStatus::ApprovalRequired, format!("{id} waits for nobody"))?;
                    package.become_(PackageStatus::Blocked)?;
                }
                Subject::Final => {
                    must(self.all_done() && self.final_is_passed(), "the mission is not at its end")?;
                    self.why = Some(reason.clone());
                    self.become_(MissionStatus::Escalated)?;
                }
                _ => return Err("there is nothing to reject".to_owned()),
            },
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
            Event::Cancelled { reason } => {
                self.why = Some(reason.clone());
                self.become_(MissionStatus::Cancelled)?;
            }
        }
        self.events = self.events.saturating_add(1);
        Ok(())
    }

    fn child_started(&mut self, id: &ChildId, child: Child) -> Followed {
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
        let at_work = self.packages.iter().filter(|other| other.status.is_at_work());
        must(
            !at_work.into_iter().any(|other| self.meet(found, other)),
            format!("the scope of {id} is being worked on"),
        )?;
        must(child.from == self.tip, format!("the attempt at {id} begins elsewhere"))?;
        let package = self.package_mut(id)?;
        package.attempts.push(Attempt { run: child.run.clone(), role: child.role, status: AttemptStatus::Making });
        package.debug = false;
        package.work = None;
        package.green = None;
        package.passed = None;
        package.tested.clear();
        package.become_(PackageStatus::Making)
    }

    fn child_ended(
        &mut self,
        id: &ChildId,
        result: ChildResult,
        verdict: Option<Verdict>,
        work: Option<&(GitId, GitId)>,
        setback: Option<&Setback>,
    ) -> Followed {
        let child = self.children.get_mut(id).ok_or_else(|| format!("there is no child '{id}'"))?;
        must(child.result.is_none(), format!("the child '{id}' is over already"))?;
        child.result = Some(result);
        let (role, package) = (child.role, child.package.clone());
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
    fn charge(&mut self, id: &PackageId, setback: &Setback) -> Followed {
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

    fn approved(&mut self, subject: &Subject, by: &str, reason: &str) -> Followed {
        must(!by.trim().is_empty(), "nobody decided")?;
        match subject {
            Subject::Package(id) => {
                let package = self.package_mut(id)?;
                must(package.status == PackageStatus::ApprovalRequired, format!("{id} waits for nobody"))?;
                package.become_(PackageStatus::Ready)
            }
            Subject::Reopen(id) => {
                must(!reason.trim().is_empty(), "reopening needs a reason")?;
                let is_red =
                    matches!(self.status, MissionStatus::Blocked | MissionStatus::Escalated) && self.all_done();
                let package = self.package_mut(id)?;
                let may = package.status == PackageStatus::Blocked || (is_red && package.status == PackageStatus::Done);
                must(may, format!("{id} is {}, not blocked", package.status))?;
                package.history = History::default();
                package.repair = Repair::None;
                package.debug = false;
                package.become_(PackageStatus::Ready)?;
                match self.status {
                    _ if is_red => {
                        self.final_green = None;
                        self.final_passed = None;
                        self.become_(MissionStatus::Active)
                    }
                    MissionStatus::Blocked => self.become_(MissionStatus::Active),
                    _ => Ok(()),
                }
            }
            Subject::Final => {
                must(
                    self.all_done() && self.final_is_green() && self.final_is_passed(),
                    "the mission is not at its end",
                )?;
                self.final_approved = Some(self.tip.1.clone());
                Ok(())
            }
            Subject::Circuit => {
                must(!reason.trim().is_empty(), "closing the circuit needs a reason")?;
                must(self.circuit != Circuit::Closed, "the circuit is closed")?;
                self.circuit = Circuit::Closed;
                Ok(())
            }
            Subject::Mission => {
                must(!reason.trim().is_empty(), "reopening needs a reason")?;
                must(self.status != MissionStatus::Active, "the mission is active")?;
                self.final_green = None;
                self.final_passed = None;
                self.become_(MissionStatus::Active)
            }
        }
    }

    /// Nothing but the circuit's own record changes while it is open, and nothing at all when the mission is over.
    fn may_go_on(&self) -> Followed {
        must(self.status == MissionStatus::Active, format!("the mission is {}", self.status))?;
        must(self.circuit == Circuit::Closed, "the circuit is open")
    }

    fn become_(&mut self, to: MissionStatus) -> Followed {
        must(self.status.may_become(to), format!("a mission that is {} does not become {to}", self.status))?;
        self.status = to;
        Ok(())
    }

    fn package_mut(&mut self, id: &PackageId) -> Result<&mut Package, String> {
        let at = self.place.get(id).copied();
        at.and_then(|at| self.packages.get_mut(at)).ok_or_else(|| format!("there is no work package '{id}'"))
    }
}

impl Package {
    fn become_(&mut self, to: PackageStatus) -> Followed {
        must(self.status.may_become(to), format!("{} is {} and does not become {to}", self.plan.id, self.status))?;
        self.status = to;
        Ok(())
    }

    fn attempt_becomes(&mut self, to: AttemptStatus) -> Followed {
        let attempt = self.attempts.last_mut().ok_or("there was no attempt")?;
        must(attempt.status.may_become(to), format!("an attempt that is {} is not {to} next", attempt.status))?;
        attempt.status = to;
        Ok(())
    }
}
