//! What the ledger keeps of a backlog: one record for each turn, with the facts that it brought; the facts of all records in
//! their order are the state.
//!
//! Strict: what is not known is refused, the digest must hold, and a move that the table does not have is a fault, whoever
//! wrote it.

use super::fact::{Fact, Outcome};
use super::id::StoryId;
use super::status::Status;
use super::workflow::{Actor, TABLE, Task, row};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::{Digest, sealed};
use crate::domain::git_id::GitId;
use crate::domain::json::{Fields, Value};

/// One record of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryRecord {
    /// The story under which it is filed.
    pub story: StoryId,
    /// Its number among the story's records, from 1.
    pub ordinal: u32,
    /// Its number among the backlog's records, from 1.
    pub sequence: u32,
    /// The directory of the backlog, relative to the top of the working copy.
    pub backlog: String,
    /// The digest of the story's record before.
    pub predecessor: Option<Digest>,
    /// What happened, in order.
    pub facts: Vec<Fact>,
    /// The turn, when it is the record of one.
    pub turn: Option<TurnRecord>,
}

/// What is known of a turn beside its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRecord {
    /// Its number.
    pub number: u32,
    /// What was asked.
    pub task: Task,
    /// Where the story is now.
    pub to: Option<Status>,
    /// Who worked.
    pub provider: String,
    /// The model, where one was named.
    pub model: Option<String>,
    /// From 1.
    pub attempt: u32,
    /// The strikes of the story in this state afterwards.
    pub strikes: u32,
    /// How the agent's program ended, in a few words.
    pub exit: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Whether its changes were put back.
    pub restored: bool,
    /// The working copy before it, and after it, before anything was put back.
    pub before: Option<GitId>,
    /// See `before`.
    pub after: Option<GitId>,
    /// What is not in those trees: the files that were left out, and other notes for people.
    pub notes: Vec<String>,
    /// The hooks that were run.
    pub hooks: Vec<HookRecord>,
    /// The files that are kept with it.
    pub artifacts: Vec<Kept>,
}

/// A hook as a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRecord {
    /// Which.
    pub hook: String,
    /// The command, without secrets.
    pub command: String,
    /// Its exit status; 124 at the time limit.
    pub exit_code: i64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What its output counts, where it counts tests: passed, failed, skipped.
    pub counts: Option<(u64, u64, u64)>,
}

/// A file that is kept among the attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name below the record's own directory.
    pub name: String,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// How many they are.
    pub size_bytes: u64,
    /// How many bytes were printed, also those that are not kept.
    pub printed: u64,
    /// How many secrets were taken out.
    pub redactions: u64,
}

const CODE: Code = Code::Rapid1720;

impl StoryRecord {
    /// The digest of the record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("story", self.story.as_str().into()),
            ("ordinal", self.ordinal.into()),
            ("sequence", self.sequence.into()),
            ("backlog", self.backlog.as_str().into()),
            ("predecessor", self.predecessor.map_or(Value::Null, Value::from)),
            ("facts", Value::list(self.facts.iter().map(Fact::to_value))),
        ])
        .with_some("turn", self.turn.as_ref().map(TurnRecord::to_value))
    }

    /// Reads a record (RAPID1720).
    pub fn from_value(value: Value) -> Result<StoryRecord> {
        let mut fields = Fields::of(value, CODE, "a story's record")?;
        fields.version()?;
        let stored = Digest::parse(&fields.text("content_digest")?, CODE)?;
        let record = StoryRecord {
            story: StoryId::of(fields.text("story")?),
            ordinal: fields.ordinal("ordinal")?,
            sequence: fields.ordinal("sequence")?,
            backlog: fields.text("backlog")?,
            predecessor: fields.text_or_null("predecessor")?.map(|text| Digest::parse(&text, CODE)).transpose()?,
            facts: fields.list("facts")?.into_iter().map(|fact| Fact::from_value(fact, CODE)).collect::<Result<_>>()?,
            turn: fields.optional("turn").map(TurnRecord::from_value).transpose()?,
        };
        fields.end()?;
        if record.digest() != stored {
            return Err(CODE.because("the digest of the story's record does not hold"));
        }
        record.facts.iter().try_for_each(follows_the_table)?;
        record.turn.iter().try_for_each(|turn| record.has_its_turn(turn))?;
        Ok(record)
    }

    /// The facts hold exactly the turn that the record is about.
    fn has_its_turn(&self, turn: &TurnRecord) -> Result<()> {
        let ends = self.facts.iter().filter_map(|fact| match fact {
            Fact::TurnEnded { turn, story, task, .. } => Some((*turn, story, *task)),
            _ => None,
        });
        match ends.collect::<Vec<_>>().as_slice() {
            [(number, story, task)] if *number == turn.number && **story == self.story && *task == turn.task => Ok(()),
            _ => Err(CODE.because("the facts of the story's record are not those of its turn")),
        }
    }
}

/// A recorded move is one that the table has.
fn follows_the_table(fact: &Fact) -> Result<()> {
    let legal = match fact {
        Fact::TurnEnded { task, outcome: Outcome::Progress { to, row: number }, .. } => {
            row(task.status(), *to, task.role()).is_some_and(|row| row.number == *number)
        }
        Fact::Moved { to, row: number, .. } => TABLE.iter().any(|row| {
            let back = row.number == 13 && !to.is_terminal() && *to != Status::Blocked;
            row.number == *number && row.by == Actor::Orchestrator && (row.to == *to || back)
        }),
        _ => true,
    };
    match legal {
        true => Ok(()),
        false => Err(CODE.because("the story's record has a move that the table does not have")),
    }
}

impl TurnRecord {
    fn to_value(&self) -> Value {
        let hooks = self.hooks.iter().map(|hook| {
            let counts = hook.counts.map(|(passed, failed, skipped)| {
                Value::object([("passed", passed.into()), ("failed", failed.into()), ("skipped", skipped.into())])
            });
            Value::object([
                ("hook", hook.hook.as_str().into()),
                ("command", hook.command.as_str().into()),
                ("exit_code", hook.exit_code.into()),
                ("duration_ms", hook.duration_ms.into()),
            ])
            .with_some("counts", counts)
        });
        let artifacts = self.artifacts.iter().map(|kept| {
            Value::object([
                ("name", kept.name.as_str().into()),
                ("sha256", kept.sha256.into()),
                ("size_bytes", kept.size_bytes.into()),
                ("printed", kept.printed.into()),
                ("redactions", kept.redactions.into()),
            ])
        });
        Value::object([
            ("number", self.number.into()),
            ("task", self.task.as_str().into()),
            ("role", self.task.role().as_str().into()),
            ("from", self.task.status().into()),
            ("to", self.to.map_or(Value::Null, Value::from)),
            ("provider", self.provider.as_str().into()),
            ("attempt", self.attempt.into()),
            ("strikes", self.strikes.into()),
            ("exit", self.exit.as_str().into()),
            ("duration_ms", self.duration_ms.into()),
            ("restored", self.restored.into()),
            ("tree_before", self.before.as_ref().map_or(Value::Null, |id| id.as_str().into())),
            ("tree_after", self.after.as_ref().map_or(Value::Null, |id| id.as_str().into())),
            ("notes", Value::list(self.notes.iter().map(String::as_str))),
            ("hooks", Value::list(hooks)),
            ("artifacts", Value::list(artifacts)),
        ])
        .with_some("model", self.model.as_deref())
    }

    fn from_value(value: Value) -> Result<TurnRecord> {
        let mut fields = Fields::of(value, CODE, "a turn of a story")?;
        let name = fields.text("task")?;
        let task =
            Task::parse(&name).ok_or_else(|| fields.fault(format_args!("'{}' is no task", name.escape_debug())))?;
        if fields.text("role")? != task.role().as_str() || fields.text("from")? != task.status().as_str() {
            return Err(fields.fault("role and state are not those of the task"));
        }
        let status = |text: Option<String>| text.map(|text| Status::parse(&text, CODE)).transpose();
        let tree = |text: Option<String>| text.map(|text| GitId::parse(&text, CODE)).transpose();
        let turn = TurnRecord {
            number: fields.ordinal("number")?,
            task,
            to: status(fields.text_or_null("to")?)?,
            provider: fields.text("provider")?,
            model: fields.optional_text("model")?,
            attempt: fields.ordinal("attempt")?,
            strikes: small(&mut fields, "strikes")?,
            exit: fields.text("exit")?,
            duration_ms: count(&mut fields, "duration_ms")?,
            restored: fields.flag("restored")?,
            before: tree(fields.text_or_null("tree_before")?)?,
            after: tree(fields.text_or_null("tree_after")?)?,
            notes: fields.texts("notes")?,
            hooks: fields.list("hooks")?.into_iter().map(hook).collect::<Result<_>>()?,
            artifacts: fields.list("artifacts")?.into_iter().map(kept).collect::<Result<_>>()?,
        };
        fields.end().map(|()| turn)
    }
}

fn hook(value: Value) -> Result<HookRecord> {
    let mut fields = Fields::of(value, CODE, "a hook of a story")?;
    let counts = |value: Value| {
        let mut fields = Fields::of(value, CODE, "the counts of a hook")?;
        let counts = (count(&mut fields, "passed")?, count(&mut fields, "failed")?, count(&mut fields, "skipped")?);
        fields.end().map(|()| counts)
    };
    let hook = HookRecord {
        hook: fields.text("hook")?,
        command: fields.text("command")?,
        exit_code: fields.number("exit_code", i64::MIN)?,
        duration_ms: count(&mut fields, "duration_ms")?,
        counts: fields.optional("counts").map(counts).transpose()?,
    };
    fields.end().map(|()| hook)
}

fn kept(value: Value) -> Result<Kept> {
    let mut fields = Fields::of(value, CODE, "a file of a story's turn")?;
    let kept = Kept {
        name: fields.text("name")?,
        sha256: Digest::parse(&fields.text("sha256")?, CODE)?,
        size_bytes: count(&mut fields, "size_bytes")?,
        printed: count(&mut fields, "printed")?,
        redactions: count(&mut fields, "redactions")?,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if kept.name.is_empty() || !kept.name.chars().all(plain) || kept.name == "tree" {
        return Err(fields.fault("the name of a kept file is none"));
    }
    fields.end().map(|()| kept)
}

fn count(fields: &mut Fields, key: &'static str) -> Result<u64> {
    fields.number(key, 0).map(i64::unsigned_abs)
}

fn small(fields: &mut Fields, key: &'static str) -> Result<u32> {
    let number = fields.number(key, 0)?;
    u32::try_from(number).map_err(|_| fields.fault(format_args!("'{key}' is too large")))
}
