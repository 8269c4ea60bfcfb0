//! The turn in flight, noted beside the lock before its agent is started: what a start after `kill -9` has to end, put back
//! and record.

use super::lock;
use super::standing::Standing;
use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use crate::git::Repository;
use crate::os::files;
use crate::story::{Fact, StoryId, Task};
use std::path::{Path, PathBuf};

const CODE: Code = Code::Rapid1725;
const CAP: u64 = 256 << 20;

/// What is noted of a turn.
pub struct Flight {
    /// Its number.
    pub number: u32,
    /// Its story.
    pub story: StoryId,
    /// What was asked.
    pub task: Task,
    /// From 1.
    pub attempt: u32,
    /// Who works.
    pub provider: String,
    /// The model, where one was named.
    pub model: Option<String>,
    /// The mark of its processes.
    pub mark: String,
    /// The top of the working copy.
    pub top: String,
    /// The project below it; empty for the whole of it, else ending in `/`.
    pub prefix: String,
    /// The directory of the backlog, relative to the top.
    pub backlog: String,
    /// What belongs to the same entry and is not written yet.
    pub facts: Vec<Fact>,
}

fn note(directory: &Path) -> PathBuf {
    directory.join("flight.json")
}

/// Notes a turn.
pub fn write(repository: &Repository, flight: &Flight, standing: &Standing) -> Result<()> {
    let directory = lock::directory(repository);
    files::create_dir_all(&directory)?;
    match standing.index() {
        Some(bytes) => files::write_atomically(&directory.join("index"), bytes)?,
        None => drop(files::remove(&directory.join("index"))?),
    }
    let value = Value::object([
        ("schema_version", 1.into()),
        ("turn", flight.number.into()),
        ("story", flight.story.as_str().into()),
        ("task", flight.task.as_str().into()),
        ("attempt", flight.attempt.into()),
        ("provider", flight.provider.as_str().into()),
        ("mark", flight.mark.as_str().into()),
        ("top", flight.top.as_str().into()),
        ("prefix", flight.prefix.as_str().into()),
        ("backlog", flight.backlog.as_str().into()),
        ("facts", Value::list(flight.facts.iter().map(Fact::to_value))),
        ("standing", standing.to_value()),
    ])
    .with_some("model", flight.model.as_deref());
    files::write_atomically(&note(&directory), value.pretty().as_bytes())
}

/// The turn that an orchestrator left in flight (RAPID1725 when the note cannot be read).
pub fn read(repository: &Repository) -> Result<Option<(Flight, Standing)>> {
    let directory = lock::directory(repository);
    let path = note(&directory);
    let Some(bytes) = files::read_if_there(&path, CAP)? else { return Ok(None) };
    let index = files::read_if_there(&directory.join("index"), CAP)?;
    let read = || -> Result<(Flight, Standing)> {
        let value = json::parse(&bytes).map_err(|fault| CODE.because(format!("the note is not JSON: {fault}")))?;
        let mut fields = Fields::of(value, CODE, "the note of a turn in flight")?;
        fields.version()?;
        let task = fields.text("task")?;
        let flight = Flight {
            number: fields.ordinal("turn")?,
            story: StoryId::of(fields.text("story")?),
            task: Task::parse(&task).ok_or_else(|| fields.fault("its task is not known"))?,
            attempt: fields.ordinal("attempt")?,
            provider: fields.text("provider")?,
            model: fields.optional_text("model")?,
            mark: fields.text("mark")?,
            top: fields.text("top")?,
            prefix: fields.text("prefix")?,
            backlog: fields.text("backlog")?,
            facts: fields.list("facts")?.into_iter().map(|fact| Fact::from_value(fact, CODE)).collect::<Result<_>>()?,
        };
        let standing = Standing::from_value(fields.required("standing")?, index, repository)?;
        fields.end().map(|()| (flight, standing))
    };
    let place = path.display().to_string();
    let remove = format!("look at 'git status', put back what is not yours, then remove '{place}'");
    read().map(Some).map_err(|error| CODE.because(error.message).at(place).hint(remove))
}

/// The turn is over and recorded.
pub fn clear(repository: &Repository) -> Result<()> {
    let directory = lock::directory(repository);
    files::remove(&note(&directory))?;
    files::remove(&directory.join("index")).map(drop)
}
