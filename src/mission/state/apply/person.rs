//! A person said yes or no.

use super::{Followed, must};
use crate::mission::event::{Setback, Subject};
use crate::mission::state::{Mission, Repair};
use crate::mission::table::{AttemptStatus, MissionStatus, PackageStatus};
use crate::safety::{Action, Circuit, Failure, FailureKind, History};

impl Mission {
    pub(super) fn approved(&mut self, subject: &Subject, by: &str, reason: &str) -> Followed {
        must(!by.trim().is_empty(), "nobody decided")?;
        match subject {
            Subject::Package(id) => {
                let package = self.package_mut(id)?;
                let waits = package.status == PackageStatus::ApprovalRequired && package.fewer.is_none();
                must(waits, format!("{id} waits for nobody"))?;
                package.become_(PackageStatus::Ready)
            }
            Subject::Tests(id) => {
                let package = self.package_mut(id)?;
                must(package.fewer.take().is_some(), format!("the tests of {id} wait for nobody"))?;
                let tree = package.work.as_ref().map(|work| work.1.clone()).ok_or("there is no work")?;
                package.tests_count(&tree)
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

    pub(super) fn rejected(&mut self, subject: &Subject, reason: &str) -> Followed {
        match subject {
            Subject::Package(id) => {
                let package = self.package_mut(id)?;
                let waits = package.status == PackageStatus::ApprovalRequired && package.fewer.is_none();
                must(waits, format!("{id} waits for nobody"))?;
                package.become_(PackageStatus::Blocked)
            }
            Subject::Tests(id) => {
                let package = self.package_mut(id)?;
                let fewer = package.fewer.take().ok_or_else(|| format!("the tests of {id} wait for nobody"))?;
                let text = format!("{fewer}; a person said no: {reason}");
                let failure = Failure::new(FailureKind::Rejected, &text);
                // Whoever works it again is told; it is no failure of the loop's.
                package.last = Some(Setback {
                    kind: failure.kind,
                    signature: failure.signature,
                    text,
                    action: Action::Block,
                    reason: "a_person_said_no".to_owned(),
                });
                package.attempt_becomes(AttemptStatus::Failed)?;
                package.become_(PackageStatus::Blocked)
            }
            Subject::Final => {
                must(self.all_done() && self.final_is_passed(), "the mission is not at its end")?;
                self.why = Some(reason.to_owned());
                self.become_(MissionStatus::Escalated)
            }
            Subject::Reopen(_) | Subject::Circuit | Subject::Mission => Err("there is nothing to reject".to_owned()),
        }
    }
}
