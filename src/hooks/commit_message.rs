//! prepare-commit-msg: names the run in a `Rapid-Run:` trailer, once. For people who read the history; nothing reads meaning
//! from it.
//!
//! A hook that fails stops the commit, so nothing here is worth failing for.

use super::answer::Answer;
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::RunId, session::Session};
use crate::git::{Oid, Repository};
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
    if text.lines().any(|line| line.starts_with("Rapid-Run:")) {
        return Ok(Answer::quiet());
    }
    let Some(session) = rapid.session()? else { return Ok(Answer::quiet()) };
    let (_, run) = rapid.run(None)?;
    // A commit that is written down again has a message too.
    if speaks_for(rapid, &session, &run, hook)? && !rapid.repository().replays_commits()? {
        add(rapid, &path, run.id())?;
    }
    Ok(Answer::quiet())
}

/// Whether this commit is part of the run: while it goes on, where it works and on what it began at; and afterwards when the
/// commit is exactly its final code.
fn speaks_for(rapid: &Rapid, session: &Session, run: &Run, hook: &Environment) -> Result<bool> {
    let repository = rapid.repository();
    if !run.state()?.status.is_terminal() {
        return Ok(session.works_in(repository.workdir()) && goes_on_from(repository, session)?);
    }
    let Some(tree) = finish_of(run).and_then(|finish| finish.tree).and_then(|id| Oid::try_from(&id).ok()) else {
        return Ok(false);
    };
    // The index of this very commit, which git names to its hooks; with `commit -a` it is not the usual one.
    let git = repository.git();
    let git = match hook.path("GIT_INDEX_FILE") {
        Some(index) => git.with("GIT_INDEX_FILE", hook.cwd().join(index)),
        None => git,
    };
    let written = git.argument("write-tree").run()?;
    Ok(Oid::from_hex(written.text().trim())? == tree)
}

/// Whether `HEAD` has the commit that the run began at: a branch is known by its history, since people rename branches and
/// make others of them in the middle of a run.
fn goes_on_from(repository: &Repository, session: &Session) -> Result<bool> {
    let Some(start) = session.start_head.as_ref().and_then(|id| Oid::try_from(id).ok()) else { return Ok(true) };
    match repository.head()?.commit {
        Some(head) => Ok(head == start || repository.descends(head, start)?),
        None => Ok(false),
    }
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
