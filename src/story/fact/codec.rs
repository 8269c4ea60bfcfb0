//! Facts as JSON and back; each the other's inverse. Strict: what is not known is refused.

use super::{Fact, Outcome, StopReason, Told};
use crate::diagnostics::{Code, Result};
use crate::domain::json::{Fields, Value};
use crate::safety::{FailureKind, ProviderFault, Signature};
use crate::story::id::StoryId;
use crate::story::status::Status;
use crate::story::workflow::Task;

impl Fact {
    /// The name of this kind of fact.
    pub fn name(&self) -> &'static str {
        match self {
            Fact::Begun { .. } => "begun",
            Fact::Taken { .. } => "taken",
            Fact::Moved { .. } => "moved",
            Fact::TurnBegun { .. } => "turn_begun",
            Fact::TurnEnded { .. } => "turn_ended",
            Fact::Lost { .. } => "lost",
            Fact::Forgiven { .. } => "forgiven",
            Fact::Ended { .. } => "ended",
        }
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        let value = Value::object([("fact", self.name().into())]);
        match self {
            Fact::Begun { allowance } => value.with("allowance", *allowance),
            Fact::Taken { story, status } => value.with("story", story.as_str()).with("status", *status),
            Fact::Moved { story, from, to, row, reason } => value
                .with("story", story.as_str())
                .with("from", *from)
                .with("to", *to)
                .with("row", u32::from(*row))
                .with("reason", reason.as_str()),
            Fact::TurnBegun { turn, story, task } => {
                value.with("turn", *turn).with("story", story.as_str()).with("task", task.as_str())
            }
            Fact::TurnEnded { turn, story, task, outcome, told } => value
                .with("turn", *turn)
                .with("story", story.as_str())
                .with("task", task.as_str())
                .with("outcome", outcome.to_value())
                .with_some("feedback", told.feedback.as_deref())
                .with_some("note", told.note.as_deref())
                .with("files", Value::list(told.files.iter().map(String::as_str)))
                .with_some(
                    "dependencies",
                    told.dependencies.as_ref().map(|all| Value::list(all.iter().map(String::as_str))),
                ),
            Fact::Lost { story, reason } => value.with("story", story.as_str()).with("reason", reason.as_str()),
            Fact::Forgiven { strikes } => {
                let strike = |(story, status): &(StoryId, Status)| {
                    Value::object([("story", story.as_str().into()), ("status", (*status).into())])
                };
                value.with("strikes", Value::list(strikes.iter().map(strike)))
            }
            Fact::Ended { reason } => value.with("reason", reason.to_value()),
        }
    }

    /// Reads a fact; a fault has the code of the record that holds it.
    pub fn from_value(value: Value, code: Code) -> Result<Fact> {
        let mut fields = Fields::of(value, code, "a fact of a story")?;
        let name = fields.text("fact")?;
        let fact = match name.as_str() {
            "begun" => Fact::Begun { allowance: number(&mut fields, "allowance")? },
            "taken" => Fact::Taken { story: story(&mut fields)?, status: status(&mut fields, "status", code)? },
            "moved" => Fact::Moved {
                story: story(&mut fields)?,
                from: status(&mut fields, "from", code)?,
                to: status(&mut fields, "to", code)?,
                row: row(&mut fields)?,
                reason: fields.text("reason")?,
            },
            "turn_begun" => Fact::TurnBegun {
                turn: number(&mut fields, "turn")?,
                story: story(&mut fields)?,
                task: task(&mut fields)?,
            },
            "turn_ended" => Fact::TurnEnded {
                turn: number(&mut fields, "turn")?,
                story: story(&mut fields)?,
                task: task(&mut fields)?,
                outcome: Outcome::from_value(fields.required("outcome")?, code)?,
                told: Told {
                    feedback: fields.optional_text("feedback")?,
                    note: fields.optional_text("note")?,
                    files: fields.texts("files")?,
                    dependencies: fields.optional_texts("dependencies")?,
                },
            },
            "lost" => Fact::Lost { story: story(&mut fields)?, reason: fields.text("reason")? },
            "forgiven" => {
                let strike = |value| {
                    let mut fields = Fields::of(value, code, "a strike of a story")?;
                    let strike = (story(&mut fields)?, status(&mut fields, "status", code)?);
                    fields.end().map(|()| strike)
                };
                Fact::Forgiven { strikes: fields.list("strikes")?.into_iter().map(strike).collect::<Result<_>>()? }
            }
            "ended" => Fact::Ended { reason: StopReason::from_value(fields.required("reason")?, code)? },
            _ => return Err(fields.fault(format_args!("'{}' is not known", name.escape_debug()))),
        };
        fields.end().map(|()| fact)
    }
}

impl Outcome {
    fn to_value(&self) -> Value {
        let kind = |name: &str| Value::object([("kind", name.into())]);
        match self {
            Outcome::Progress { to, row } => kind("progress").with("to", *to).with("row", u32::from(*row)),
            Outcome::CycleBroken => kind("cycle_broken"),
            Outcome::Strike { kind: failure, signature, reason } => kind("strike")
                .with("failure", *failure)
                .with("signature", signature.as_str())
                .with("reason", reason.as_str()),
            Outcome::Provider(fault) => kind("provider").with("fault", *fault),
            Outcome::Interrupted => kind("interrupted"),
        }
    }

    fn from_value(value: Value, code: Code) -> Result<Outcome> {
        let mut fields = Fields::of(value, code, "the outcome of a turn")?;
        let kind = fields.text("kind")?;
        let outcome = match kind.as_str() {
            "progress" => Outcome::Progress { to: status(&mut fields, "to", code)?, row: row(&mut fields)? },
            "cycle_broken" => Outcome::CycleBroken,
            "strike" => Outcome::Strike {
                kind: FailureKind::parse(&fields.text("failure")?, code)?,
                signature: signature(&mut fields)?,
                reason: fields.text("reason")?,
            },
            "provider" => Outcome::Provider(ProviderFault::parse(&fields.text("fault")?, code)?),
            "interrupted" => Outcome::Interrupted,
            _ => return Err(fields.fault(format_args!("'{}' is not known", kind.escape_debug()))),
        };
        fields.end().map(|()| outcome)
    }
}

impl StopReason {
    fn to_value(&self) -> Value {
        let kind = |name: &str| Value::object([("kind", name.into())]);
        match self {
            StopReason::Complete => kind("complete"),
            StopReason::Iterations(limit) => kind("iterations").with("limit", *limit),
            StopReason::WallTime(limit) => kind("wall_time").with("limit", *limit),
            StopReason::Provider(fault) => kind("provider").with("fault", *fault),
            StopReason::Circuit(signature) => kind("circuit").with("signature", signature.as_str()),
            StopReason::Interrupted => kind("interrupted"),
            StopReason::Once(progress) => kind("once").with("progress", *progress),
        }
    }

    fn from_value(value: Value, code: Code) -> Result<StopReason> {
        let mut fields = Fields::of(value, code, "the end of a run")?;
        let kind = fields.text("kind")?;
        let reason = match kind.as_str() {
            "complete" => StopReason::Complete,
            "iterations" => StopReason::Iterations(number(&mut fields, "limit")?),
            "wall_time" => StopReason::WallTime(fields.number("limit", 0)?.unsigned_abs()),
            "provider" => StopReason::Provider(ProviderFault::parse(&fields.text("fault")?, code)?),
            "circuit" => StopReason::Circuit(signature(&mut fields)?),
            "interrupted" => StopReason::Interrupted,
            "once" => StopReason::Once(fields.flag("progress")?),
            _ => return Err(fields.fault(format_args!("'{}' is not known", kind.escape_debug()))),
        };
        fields.end().map(|()| reason)
    }
}

fn story(fields: &mut Fields) -> Result<StoryId> {
    fields.text("story").map(StoryId::of)
}

fn status(fields: &mut Fields, key: &'static str, code: Code) -> Result<Status> {
    Status::parse(&fields.text(key)?, code)
}

fn task(fields: &mut Fields) -> Result<Task> {
    let name = fields.text("task")?;
    Task::parse(&name).ok_or_else(|| fields.fault(format_args!("'{}' is no task", name.escape_debug())))
}

fn signature(fields: &mut Fields) -> Result<Signature> {
    let text = fields.text("signature")?;
    Signature::parse(&text).ok_or_else(|| fields.fault(format_args!("'{}' is no signature", text.escape_debug())))
}

fn number(fields: &mut Fields, key: &'static str) -> Result<u32> {
    let number = fields.number(key, 0)?;
    u32::try_from(number).map_err(|_| fields.fault(format_args!("'{key}' is too large")))
}

fn row(fields: &mut Fields) -> Result<u8> {
    let number = fields.number("row", 1)?;
    u8::try_from(number).ok().filter(|row| *row <= 14).ok_or_else(|| fields.fault("'row' is no row of the table"))
}
