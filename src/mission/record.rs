//! A mission as the ledger keeps it: the plan once, and one record for each event, chained by digest.
//!
//! Strict, as every record: what is not known is refused, and the digest must hold. Whether an event follows from those before
//! it is `state`'s.

use super::answer::Verdict;
use super::event::{ChildResult, Dispatcher, Event, Role, Setback, Subject};
use super::id::{ChildId, MissionId, PackageId};
use super::limits::Limits;
use super::plan::{Plan, read};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::json::{Fields, Value};
use crate::domain::policy::Risk;
use crate::safety::{Action, FailureKind, Signature};
use std::collections::BTreeMap;

const CODE: Code = Code::Rapid1902;

/// The plan as it was taken, with the risk of each package as it was found then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRecord {
    /// The mission.
    pub mission: MissionId,
    /// The plan.
    pub plan: Plan,
    /// The risk of each package, and the approval targets that it touches.
    pub risks: BTreeMap<PackageId, (Risk, Vec<String>)>,
}

/// An event in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// The mission.
    pub mission: MissionId,
    /// Its number, from 1.
    pub ordinal: u32,
    /// The digest of the record before.
    pub predecessor: Option<Digest>,
    /// What happened.
    pub event: Event,
}

impl PlanRecord {
    /// The digest of the record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        let body = self.body();
        let digest = Digest::of_value(&body);
        body.with("content_digest", digest)
    }

    fn body(&self) -> Value {
        let risks = self.risks.iter().map(|(id, (risk, targets))| {
            let found = Value::object([("risk", (*risk).into()), ("approval_targets", Value::list(targets))]);
            (id.as_str().to_owned(), found)
        });
        Value::object([
            ("schema_version", 1.into()),
            ("mission", (&self.mission).into()),
            ("plan", self.plan.to_value()),
            ("risks", Value::Object(risks.collect())),
        ])
    }

    /// Reads a record (RAPID1902).
    pub fn from_value(value: Value) -> Result<PlanRecord> {
        let mut fields = Fields::of(value, CODE, "a mission's plan")?;
        fields.version()?;
        let stored = Digest::parse(&fields.text("content_digest")?, CODE)?;
        let mission = MissionId::parse(&fields.text("mission")?)?;
        let plan = read(fields.required("plan")?).map_err(|problems| {
            let first = problems.first().map(|problem| problem.message.as_str()).unwrap_or_default();
            CODE.because(format!("a mission's plan does not hold: {first}"))
        })?;
        let Value::Object(listed) = fields.required("risks")? else {
            return Err(fields.fault("'risks' must be an object"));
        };
        let mut risks = BTreeMap::new();
        for (id, found) in listed {
            let id = package(&id)?;
            let mut found = Fields::of(found, CODE, "the risk of a work package")?;
            let risk = Risk::parse(&found.text("risk")?, CODE)?;
            risks.insert(id, (risk, found.texts("approval_targets")?));
            found.end()?;
        }
        fields.end()?;
        let record = PlanRecord { mission, plan, risks };
        let known = |id: &PackageId| record.risks.contains_key(id);
        if record.risks.len() != record.plan.packages.len() || !record.plan.order.iter().all(known) {
            return Err(CODE.because("a mission's plan has no risk for each of its work packages"));
        }
        match record.digest() == stored {
            true => Ok(record),
            false => Err(CODE.because("the digest of the mission's plan does not hold")),
        }
    }
}

impl EventRecord {
    /// The digest of the record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        let body = self.body();
        let digest = Digest::of_value(&body);
        body.with("content_digest", digest)
    }

    fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("mission", (&self.mission).into()),
            ("ordinal", self.ordinal.into()),
            ("predecessor", self.predecessor.map_or(Value::Null, Value::from)),
            ("event", self.event.to_value()),
        ])
    }

    /// Reads a record (RAPID1902).
    pub fn from_value(value: Value) -> Result<EventRecord> {
        let mut fields = Fields::of(value, CODE, "a mission's event")?;
        fields.version()?;
        let stored = Digest::parse(&fields.text("content_digest")?, CODE)?;
        let record = EventRecord {
            mission: MissionId::parse(&fields.text("mission")?)?,
            ordinal: fields.ordinal("ordinal")?,
            predecessor: fields.text_or_null("predecessor")?.map(|text| Digest::parse(&text, CODE)).transpose()?,
            event: Event::from_value(fields.required("event")?)?,
        };
        fields.end()?;
        match record.digest() == stored {
            true => Ok(record),
            false => Err(CODE.because("the digest of the mission's event does not hold")),
        }
    }
}

fn stand((commit, tree): &(GitId, GitId)) -> Value {
    Value::object([("commit", commit.as_str().into()), ("tree", tree.as_str().into())])
}

fn read_stand(value: Value) -> Result<(GitId, GitId)> {
    let mut fields = Fields::of(value, CODE, "a place in the code")?;
    let read = (GitId::parse(&fields.text("commit")?, CODE)?, GitId::parse(&fields.text("tree")?, CODE)?);
    fields.end().map(|()| read)
}

fn package(text: &str) -> Result<PackageId> {
    PackageId::parse(text).ok_or_else(|| CODE.because(format!("'{}' is no work package", text.escape_debug())))
}

impl Event {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        let value = Value::object([("type", self.name().into())]);
        match self {
            Event::Planned { plan, base, limits } => {
                value.with("plan", *plan).with("base", stand(base)).with("limits", limits.to_value())
            }
            Event::Activated => value,
            Event::ChildStarted { child, role, package, attempt, run, dispatcher, from, at } => value
                .with("child", child)
                .with("role", *role)
                .with("work_package", package.as_ref().map_or(Value::Null, Value::from))
                .with("attempt", *attempt)
                .with("run", run)
                .with("dispatcher", *dispatcher)
                .with("from", stand(from))
                .with("at", *at),
            Event::ChildEnded { child, result, verdict, work, setback, evidence, at } => value
                .with("child", child)
                .with("result", *result)
                .with("verdict", verdict.map_or(Value::Null, Value::from))
                .with("work", work.as_ref().map_or(Value::Null, stand))
                .with("setback", setback.as_ref().map_or(Value::Null, Setback::to_value))
                .with("evidence", Value::list(evidence))
                .with("at", *at),
            Event::Tested { package, attempt, run, tree, green, evidence, setback } => value
                .with("work_package", package.as_ref().map_or(Value::Null, Value::from))
                .with("attempt", *attempt)
                .with("run", run)
                .with("tree", tree.as_str())
                .with("green", *green)
                .with("evidence", Value::list(evidence))
                .with("setback", setback.as_ref().map_or(Value::Null, Setback::to_value)),
            Event::Accepted { package, attempt, tip } => {
                value.with("work_package", package).with("attempt", *attempt).with("tip", stand(tip))
            }
            Event::Refused { package, attempt, setback } => {
                value.with("work_package", package).with("attempt", *attempt).with("setback", setback.to_value())
            }
            Event::Approved { subject, by, reason } | Event::Rejected { subject, by, reason } => {
                value.with("subject", subject.to_text()).with("by", by.as_str()).with("reason", reason.as_str())
            }
            Event::Blocked { reason } | Event::Cancelled { reason } => value.with("reason", reason.as_str()),
            Event::Completed { tip } => value.with("tip", stand(tip)),
        }
    }

    /// Reads an event.
    pub fn from_value(value: Value) -> Result<Event> {
        let mut fields = Fields::of(value, CODE, "a mission's event")?;
        let name = fields.text("type")?;
        let event = match name.as_str() {
            "planned" => Event::Planned {
                plan: Digest::parse(&fields.text("plan")?, CODE)?,
                base: read_stand(fields.required("base")?)?,
                limits: Limits::from_value(fields.required("limits")?, CODE)?,
            },
            "activated" => Event::Activated,
            "child_started" => Event::ChildStarted {
                child: ChildId::parse(&fields.text("child")?)?,
                role: Role::parse(&fields.text("role")?, CODE)?,
                package: optional_package(&mut fields)?,
                attempt: fields.ordinal("attempt")?,
                run: RunId::parse(&fields.text("run")?)?,
                dispatcher: Dispatcher::parse(&fields.text("dispatcher")?, CODE)?,
                from: read_stand(fields.required("from")?)?,
                at: fields.number("at", 0)?,
            },
            "child_ended" => Event::ChildEnded {
                child: ChildId::parse(&fields.text("child")?)?,
                result: ChildResult::parse(&fields.text("result")?, CODE)?,
                verdict: fields.text_or_null("verdict")?.map(|text| Verdict::parse(&text, CODE)).transpose()?,
                work: not_null(fields.required("work")?).map(read_stand).transpose()?,
                setback: not_null(fields.required("setback")?).map(Setback::from_value).transpose()?,
                evidence: fields.texts("evidence")?,
                at: fields.number("at", 0)?,
            },
            "tested" => Event::Tested {
                package: optional_package(&mut fields)?,
                attempt: fields.ordinal("attempt")?,
                run: RunId::parse(&fields.text("run")?)?,
                tree: GitId::parse(&fields.text("tree")?, CODE)?,
                green: fields.flag("green")?,
                evidence: fields.texts("evidence")?,
                setback: not_null(fields.required("setback")?).map(Setback::from_value).transpose()?,
            },
            "accepted" => Event::Accepted {
                package: package(&fields.text("work_package")?)?,
                attempt: fields.ordinal("attempt")?,
                tip: read_stand(fields.required("tip")?)?,
            },
            "refused" => Event::Refused {
                package: package(&fields.text("work_package")?)?,
                attempt: fields.ordinal("attempt")?,
                setback: Setback::from_value(fields.required("setback")?)?,
            },
            "approved" | "rejected" => {
                let subject = Subject::parse(&fields.text("subject")?)?;
                let (by, reason) = (fields.text("by")?, fields.text("reason")?);
                match name.as_str() {
                    "approved" => Event::Approved { subject, by, reason },
                    _ => Event::Rejected { subject, by, reason },
                }
            }
            "blocked" => Event::Blocked { reason: fields.text("reason")? },
            "cancelled" => Event::Cancelled { reason: fields.text("reason")? },
            "completed" => Event::Completed { tip: read_stand(fields.required("tip")?)? },
            other => return Err(fields.fault(format_args!("'{}' is no event", other.escape_debug()))),
        };
        fields.end().map(|()| event)
    }
}

fn not_null(value: Value) -> Option<Value> {
    (value != Value::Null).then_some(value)
}

fn optional_package(fields: &mut Fields) -> Result<Option<PackageId>> {
    fields.text_or_null("work_package")?.map(|text| package(&text)).transpose()
}

impl Setback {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("kind", self.kind.into()),
            ("signature", self.signature.as_str().into()),
            ("text", self.text.as_str().into()),
            ("decision", self.action.into()),
            ("reason", self.reason.as_str().into()),
        ])
    }

    fn from_value(value: Value) -> Result<Setback> {
        let mut fields = Fields::of(value, CODE, "a failure of a mission")?;
        let signature = fields.text("signature")?;
        let setback = Setback {
            kind: FailureKind::parse(&fields.text("kind")?, CODE)?,
            signature: Signature::parse(&signature).ok_or_else(|| fields.fault("the signature is none"))?,
            text: fields.text("text")?,
            action: Action::parse(&fields.text("decision")?, CODE)?,
            reason: fields.text("reason")?,
        };
        fields.end().map(|()| setback)
    }
}

impl Subject {
    /// As text: `WP-001`, `reopen WP-001`, `final`, `circuit`, `mission`.
    pub fn to_text(&self) -> String {
        match self {
            Subject::Package(id) => id.to_string(),
            Subject::Reopen(id) => format!("reopen {id}"),
            Subject::Final => "final".to_owned(),
            Subject::Circuit => "circuit".to_owned(),
            Subject::Mission => "mission".to_owned(),
        }
    }

    fn parse(text: &str) -> Result<Subject> {
        Ok(match text {
            "final" => Subject::Final,
            "circuit" => Subject::Circuit,
            "mission" => Subject::Mission,
            text => match text.strip_prefix("reopen ") {
                Some(id) => Subject::Reopen(package(id)?),
                None => Subject::Package(package(text)?),
            },
        })
    }
}
