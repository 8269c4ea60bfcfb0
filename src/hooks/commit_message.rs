//! prepare-commit-msg: names the run in a `Rapid-Run:` trailer, once. For people who read the history; nothing reads meaning
//! from it.
//!
//! A hook that fails stops the commit, so nothing here is worth failing for.

use super::answer::Answer;
use crate::diagnostics::{Code, Result};
use crate::domain::ids::RunId;
use crate::git::Oid;
use crate::os::{environment::Environment, files};
use crate::registry::Run;
use crate::verbs::{rapid::Rapid, verify::finish_of};
use std::path::Path;

/// The trailer.
const TRAILER: &str = "Rapid-Run";

/// Adds the trailer to the message in `file`; `source` is where git has it from.
pub fn prepare_commit_msg(rapid: &Rapid, file: &Path, source: Option<&str>, hook: &Environment) -> Result<Answer> {
    // A merge, a squash or an amended commit has a message already, which names what it names.
    if matches!(source, Some("merge" | "squash" | "commit")) {
        return Ok(Answer::quiet());
    }
    let path = hook.cwd().join(file);
    let text = files::read_text(&path, 16 << 20)?;
    let Some(first) = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')) else {
        // An empty message aborts the commit, also after an editor; a trailer would keep it from being empty.
        return Ok(Answer::quiet());
    };
    if ["fixup! ", "squash! ", "amend! "].iter().any(|start| first.starts_with(start)) {
        return Ok(Answer::quiet());
    }
    if text.lines().any(|line| line.starts_with("Rapid-Run:")) || rapid.session()?.is_none() {
        return Ok(Answer::quiet());
    }
    let (_, run) = rapid.run(None)?;
    if speaks_for(rapid, &run, hook)? {
        add(rapid, &path, run.id())?;
    }
    Ok(Answer::quiet())
}

/// Whether this commit is part of the run: while it goes on, and afterwards when the commit is exactly its final code.
fn speaks_for(rapid: &Rapid, run: &Run, hook: &Environment) -> Result<bool> {
    if !run.state()?.status.is_terminal() {
        return Ok(true);
    }
    let Some(tree) = finish_of(run).and_then(|finish| finish.tree).and_then(|id| Oid::try_from(&id).ok()) else {
        return Ok(false);
    };
    // The index of this very commit, which git names to its hooks; with `commit -a` it is not the usual one.
    let git = rapid.repository().git();
    let git = match hook.path("GIT_INDEX_FILE") {
        Some(index) => git.with("GIT_INDEX_FILE", hook.cwd().join(index)),
        None => git,
    };
    let written = git.argument("write-tree").run()?;
    Ok(Oid::from_hex(written.text().trim())? == tree)
}

fn add(rapid: &Rapid, path: &Path, run: &RunId) -> Result<()> {
    let git = rapid.repository().git().arguments([
        "interpret-trailers",
        "--in-place",
        "--where=end",
        "--if-exists=doNothing",
    ]);
    let done = git.argument(format!("--trailer={TRAILER}: {run}")).argument(path).try_run()?;
    match done.code {
        0 => Ok(()),
        _ => Err(Code::Rapid1503.because(format!("the message could not be changed: {}", done.complaint()))),
    }
}
