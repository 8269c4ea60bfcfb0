//! The branch, `HEAD` and the index before a turn: whose doing it is that they moved, and putting them back.
//!
//! Not here: files.

use super::{CAP, Standing, index_file};
use crate::agent;
use crate::diagnostics::{Code, Result};
use crate::git::{Oid, RefEdit, RefUpdate, Repository};
use crate::os::clock;
use crate::os::files;

/// What was committed since, and a sentence on it, where somebody else than this turn moved `HEAD`. The log of `HEAD` says
/// so: whatever a turn's processes do carries its mark. Where the log does not tell, nobody's commit is taken away.
pub(super) fn moved_by_others(
    repository: &Repository,
    standing: &Standing,
    mark: &str,
) -> Result<Option<(Vec<String>, String)>> {
    let (was, now) = (&standing.head, repository.head()?);
    if (was.commit, &was.branch) == (now.commit, &now.branch) {
        return Ok(None);
    }
    let moves = standing.head_log.and_then(|end| repository.head_moves_since(end)).unwrap_or_default();
    let of_the_turn = agent::turn::reflog_action(mark);
    if !moves.is_empty() && moves.iter().all(|why| why.starts_with(&of_the_turn)) {
        return Ok(None);
    }
    let tree = |commit: Option<Oid>| match commit {
        Some(commit) => repository.tree_of(commit),
        None => Ok(Oid::empty_tree(repository.format())),
    };
    let changes = repository.tree_changes(tree(was.commit)?, tree(now.commit)?)?;
    let mut paths: Vec<String> = changes.into_iter().map(|change| change.path).collect();
    paths.sort();
    let place = now.branch.as_deref().unwrap_or("HEAD");
    let said =
        format!("'{place}' was moved meanwhile by somebody else: it, its commits and the index stay as they are");
    Ok(Some((paths, said)))
}

/// The index and `HEAD` as they were: what an agent staged or committed is not on the user's branch.
pub(super) fn put_back(repository: &Repository, standing: &Standing) -> Result<()> {
    let now = repository.head()?;
    let was = &standing.head;
    if now.branch != was.branch {
        match (&was.branch, was.commit) {
            (Some(branch), _) => {
                repository.git().arguments(["symbolic-ref", "HEAD"]).argument(format!("refs/heads/{branch}")).run()?;
            }
            (None, Some(commit)) => {
                repository.git().arguments(["update-ref", "--no-deref", "HEAD"]).argument(commit.to_string()).run()?;
            }
            (None, None) => {}
        }
    }
    let now = repository.head()?;
    if now.commit != was.commit {
        match (was.commit, &was.branch) {
            // In this process: it works also while we are asked to end.
            (Some(new), Some(branch)) => {
                let edit = RefEdit { name: format!("refs/heads/{branch}"), old: now.commit, new };
                let (who, seconds) = (repository.identity(), clock::now_seconds());
                if repository.update_refs(&[edit], "rapid: a turn was put back", &who, seconds, &|_| {})?
                    == RefUpdate::Lost
                {
                    return Err(Code::Rapid1724.because(format!("the branch '{branch}' moved meanwhile")));
                }
            }
            (Some(commit), None) => {
                repository.git().arguments(["update-ref", "--no-deref", "HEAD"]).argument(commit.to_string()).run()?;
            }
            (None, _) => drop(repository.git().arguments(["update-ref", "-d", "HEAD"]).run()?),
        }
    }
    let path = index_file(repository);
    match (&standing.index, files::read_if_there(&path, CAP)?) {
        (Some(was), now) if now.as_ref() != Some(was) => files::write_atomically(&path, was),
        (None, Some(_)) => files::remove(&path).map(drop),
        _ => Ok(()),
    }
}
