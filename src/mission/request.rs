//! What a person is asked: a page of its own, the same for a terminal and for JSON.

use super::event::Subject;
use super::state::Mission;
use super::table::PackageStatus;
use crate::domain::json::Value;
use crate::domain::policy::Risk;
use crate::safety::Circuit;

/// A request for approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRequest {
    /// About what.
    pub subject: Subject,
    /// What it is.
    pub what: String,
    /// Why a person has to decide.
    pub why: String,
    /// What it may change.
    pub scope: Vec<String>,
    /// Its risk.
    pub risk: Option<Risk>,
    /// What was tried so far.
    pub tried: Vec<String>,
    /// What is asked.
    pub asked: String,
}

/// The request about a subject; `None` where there is no such thing.
pub fn request(mission: &Mission, subject: &Subject) -> Option<ApprovalRequest> {
    let blank = |what: String, why: String, asked: &str| ApprovalRequest {
        subject: subject.clone(),
        what,
        why,
        scope: Vec::new(),
        risk: None,
        tried: Vec::new(),
        asked: asked.to_owned(),
    };
    Some(match subject {
        Subject::Package(id) | Subject::Tests(id) | Subject::Reopen(id) => {
            let package = mission.package(id)?;
            let why = match (subject, package.targets()) {
                (Subject::Reopen(_), _) if package.status() == PackageStatus::Done => {
                    "it is done, and the whole does not pass; it is worked again from the mission's branch".to_owned()
                }
                (Subject::Reopen(_), _) => {
                    "it was blocked, and may be tried again with all its repair cycles".to_owned()
                }
                (Subject::Tests(_), _) => package.fewer_tests()?.to_owned(),
                (_, []) => "its risk is critical".to_owned(),
                (_, targets) => format!("it touches {}", targets.join(", ")),
            };
            let asked = match subject {
                Subject::Reopen(_) => "may it be worked again?",
                Subject::Tests(_) => "may its tests be these?",
                _ => "may it be worked?",
            };
            let failed = package.last().map(|last| format!("{}: {}", last.kind, last.text));
            let tried = package.attempts().iter().zip(1..);
            let tried =
                tried.map(|(attempt, number)| format!("attempt {number} ({}): {}", attempt.role, attempt.status));
            ApprovalRequest {
                scope: package.plan().scope.clone(),
                risk: Some(package.risk()),
                tried: tried.chain(failed).collect(),
                ..blank(format!("{id}: {}", package.plan().title), why, asked)
            }
        }
        Subject::Final => {
            let critical = mission.in_order().filter(|package| package.needs_approval());
            let critical: Vec<&str> = critical.map(|package| package.id().as_str()).collect();
            blank(
                mission.objective().to_owned(),
                format!("it had something critical in it: {}", critical.join(", ")),
                "is the mission done?",
            )
        }
        Subject::Circuit => match mission.circuit() {
            Circuit::Closed => return None,
            Circuit::Open(reason) => {
                blank("the circuit".to_owned(), format!("it is open: {reason}"), "may work go on?")
            }
        },
        Subject::Mission => blank(
            mission.objective().to_owned(),
            mission.why().unwrap_or("it stopped").to_owned(),
            "may the mission go on?",
        ),
    })
}

/// Everything that a person may decide now.
pub fn requests(mission: &Mission) -> Vec<ApprovalRequest> {
    mission.decisions().iter().filter_map(|subject| request(mission, subject)).collect()
}

impl Subject {
    /// What a person types behind `git rapid mission approve`.
    pub fn argument(&self) -> String {
        match self {
            Subject::Package(id) | Subject::Tests(id) => id.to_string(),
            Subject::Reopen(id) => format!("{id} --reopen --reason '…'"),
            Subject::Final => "--final".to_owned(),
            Subject::Circuit => "--circuit --reason '…'".to_owned(),
            Subject::Mission => "--resume --reason '…'".to_owned(),
        }
    }
}

impl ApprovalRequest {
    /// What a person types to decide.
    pub fn command(&self) -> String {
        format!("git rapid mission approve {}", self.subject.argument())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("subject", self.subject.to_text().into()),
            ("what", self.what.as_str().into()),
            ("why", self.why.as_str().into()),
            ("scope", Value::list(&self.scope)),
            ("risk", self.risk.map_or(Value::Null, Value::from)),
            ("tried", Value::list(&self.tried)),
            ("asked", self.asked.as_str().into()),
            ("command", self.command().into()),
        ])
    }

    /// What must be typed to say yes, or no.
    pub fn sentence(&self, yes: bool) -> String {
        format!("{} {}", if yes { "approve" } else { "reject" }, self.subject.to_text())
    }
}
