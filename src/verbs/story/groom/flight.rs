//! A groom that is going on, noted beside the lock: what a start after `kill -9` has to end, and where what it replaced is kept.

use super::super::run::{lock, log::Log};
use crate::agent;
use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use crate::git::Repository;
use crate::os::files;
use std::path::{Path, PathBuf};

fn note(repository: &Repository) -> PathBuf {
    lock::directory(repository).join("groom.json")
}

/// Notes it.
pub(super) fn write(repository: &Repository, mark: &str, kept: Option<&Path>) -> Result<()> {
    let value = Value::object([("schema_version", 1.into()), ("mark", mark.into())]);
    let kept = kept.map(|path| path.display().to_string());
    files::write_atomically(&note(repository), value.with_some("kept", kept.as_deref()).pretty().as_bytes())
}

/// It is over.
pub(super) fn clear(repository: &Repository) -> Result<()> {
    files::remove(&note(repository)).map(drop)
}

/// Ends what a groom left running whose process died, and says what became of it. What it had written stays: it is new, and
/// nobody took it for good.
pub(in super::super) fn settle(repository: &Repository, log: &mut Log<'_>) -> Result<()> {
    let path = note(repository);
    let Some(bytes) = files::read_if_there(&path, 1 << 20)? else { return Ok(()) };
    let code = Code::Rapid1725;
    let value = json::parse(&bytes).map_err(|fault| code.because(format!("the note is not JSON: {fault}")))?;
    let mut fields = Fields::of(value, code, "the note of a groom")?;
    fields.version()?;
    let (mark, kept) = (fields.text("mark")?, fields.optional_text("kept")?);
    fields.end()?;
    let ended = agent::turn::end(&mark);
    log.line(&format!(
        "a groom was interrupted: {ended} processes of it are ended; the stories that it had made are there"
    ));
    if let Some(kept) = kept {
        log.line(&format!("what it replaced is kept in '{kept}'"));
    }
    files::remove(&path).map(drop)
}
