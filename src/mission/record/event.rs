//! What happened, as JSON and back. Not here: the record around it, its place and its digest.

use super::{CODE, package};
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::json::{Fields, Value};
use crate::mission::answer::Verdict;
use crate::mission::event::{ChildResult, Dispatcher, Event, Role, Setback, Subject};
use crate::mission::id::{ChildId, PackageId};
use crate::mission::limits::Limits;
use crate::safety::{Action, FailureKind, Signature};

fn stand((commit, tree): &(GitId, GitId)) -> Value {
    Value::object([("commit", commit.as_str().into()), ("tree", tree.as_str().into())])
}

fn read_stand(value: Value) -> Result<(GitId, GitId)> {
    let mut fields = Fields::of(value, CODE, "a place in the code")?;
    let read = (GitId::parse(&fields.text("commit")?, CODE)?, GitId::parse(&fields.text("tree")?, CODE)?);
    fields.end().map(|()| read)
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
            Event::ChildStarted { child, role, package, attempt, run, dispatcher, from, at, deadline } => value
                .with("child", child)
                .with("role", *role)
                .with("work_package", package.as_ref().map_or(Value::Null, Value::from))
                .with("attempt", *attempt)
                .with("run", run)
                .with("dispatcher", *dispatcher)
                .with("from", stand(from))
                .with("at", *at)
                .with_some("deadline", *deadline),
            Event::ChildEnded { child, result, verdict, work, setback, evidence, at } => value
                .with("child", child)
                .with("result", *result)
                .with("verdict", verdict.map_or(Value::Null, Value::from))
                .with("work", work.as_ref().map_or(Value::Null, stand))
                .with("setback", setback.as_ref().map_or(Value::Null, Setback::to_value))
                .with("evidence", Value::list(evidence))
                .with("at", *at),
            Event::Tested { package, attempt, run, tree, green, evidence, setback, fewer } => value
                .with("work_package", package.as_ref().map_or(Value::Null, Value::from))
                .with("attempt", *attempt)
                .with("run", run)
                .with("tree", tree.as_str())
                .with("green", *green)
                .with("evidence", Value::list(evidence))
                .with("setback", setback.as_ref().map_or(Value::Null, Setback::to_value))
                .with_some("fewer", fewer.as_deref()),
            Event::Accepted { package, attempt, tip } => {
                value.with("work_package", package).with("attempt", *attempt).with("tip", stand(tip))
            }
            Event::Refused { package, attempt, setback } => {
                value.with("work_package", package).with("attempt", *attempt).with("setback", setback.to_value())
            }
            Event::Approved { subject, by, reason, signed_at } => value
                .with("subject", subject.to_text())
                .with("by", by.as_str())
                .with("reason", reason.as_str())
                .with_some("signed_at", *signed_at),
            Event::Rejected { subject, by, reason } => {
                value.with("subject", subject.to_text()).with("by", by.as_str()).with("reason", reason.as_str())
            }
            Event::Blocked { reason } => value.with("reason", reason.as_str()),
            Event::Cancelled { reason, by } => value.with("reason", reason.as_str()).with_some("by", by.as_deref()),
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
                deadline: fields.optional_number("deadline", 0)?,
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
                fewer: fields.optional_text("fewer")?,
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
                    "approved" => {
                        Event::Approved { subject, by, reason, signed_at: fields.optional_number("signed_at", 0)? }
                    }
                    _ => Event::Rejected { subject, by, reason },
                }
            }
            "blocked" => Event::Blocked { reason: fields.text("reason")? },
            "cancelled" => Event::Cancelled { reason: fields.text("reason")?, by: fields.optional_text("by")? },
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
    /// As text: `WP-001`, `tests WP-001`, `reopen WP-001`, `final`, `circuit`, `mission`.
    pub fn to_text(&self) -> String {
        match self {
            Subject::Package(id) => id.to_string(),
            Subject::Tests(id) => format!("tests {id}"),
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
            text => match text.split_once(' ') {
                Some(("reopen", id)) => Subject::Reopen(package(id)?),
                Some(("tests", id)) => Subject::Tests(package(id)?),
                _ => Subject::Package(package(text)?),
            },
        })
    }
}
