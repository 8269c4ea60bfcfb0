//! `abort`: cancels the run, forgets the session, removes the run's own worktree when nothing would be lost.

use super::{rapid::Rapid, worktrees::worktree_of};
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::RunId, lifecycle::RunStatus, run::Change};
use crate::registry::{Draft, Sessions};
use std::path::Path;

/// What came of it.
pub struct Outcome {
    /// The run, when there was one.
    pub run_id: Option<RunId>,
    /// It was cancelled now.
    pub cancelled: bool,
    /// The run's own worktree that was kept, and why.
    pub kept_worktree: Option<(String, String)>,
    /// The run's own worktree that is gone now. Its branch stays.
    pub removed_worktree: Option<String>,
    /// The run's own worktree that was gone before, and that git knows nothing of any more. Its branch stays.
    pub gone_worktree: Option<String>,
}

impl Outcome {
    fn of(run_id: Option<RunId>, cancelled: bool) -> Outcome {
        Outcome { run_id, cancelled, kept_worktree: None, removed_worktree: None, gone_worktree: None }
    }
}

/// Cancels.
pub fn abort(rapid: &Rapid, named: Option<&RunId>, reason: &str) -> Result<Outcome> {
    let session = match rapid.session() {
        // A session that cannot be read must not keep anybody from forgetting it; its run stays as it is.
        Err(error) if named.is_none() && error.code == Code::Rapid1304 => {
            rapid.sessions().forget()?;
            return Ok(Outcome::of(None, false));
        }
        session => session?,
    };
    let id = match (named, &session) {
        (Some(id), _) => id.clone(),
        (None, Some(session)) => session.active_run_id.clone(),
        (None, None) => {
            return Err(Code::Rapid1300
                .because("no run is active here: there is nothing to abort")
                .hint("name one with --run, of those that 'git rapid run list --status active' lists"));
        }
    };
    let records = rapid.registry().records()?;
    let id = if named.is_some() { records.meant(&id)? } else { id };
    let known = records.has_run(&id)?;
    let mut cancelled = false;
    if known && !records.run(&id)?.state()?.status.is_terminal() {
        let said = rapid.said(&records, &id, reason)?;
        let reason = if said.trim().is_empty() { "aborted" } else { &said };
        rapid.registry().append(|records| {
            let run = records.run(&id)?;
            let state = run.state()?.step(&Change::Status(RunStatus::Cancelled), reason)?;
            let mut draft = Draft::new("abort", &id, format!("abort {id}: {reason}"));
            draft.state(&state)?;
            Ok((draft, ()))
        })?;
        cancelled = true;
    }
    let mut outcome = Outcome::of(Some(id.clone()), cancelled);
    let session = session.filter(|session| session.active_run_id == id);
    if session.is_some() {
        rapid.sessions().forget()?;
    }
    if rapid.repository().workdir().is_some() {
        // Also where the session is lost: a run's worktree is known by its branch.
        let known =
            worktree_of(rapid, &id)?.filter(|worktree| Some(worktree.path.as_path()) != rapid.repository().workdir());
        let path =
            session.and_then(|session| session.workspace_path).or(known.map(|own| own.path.display().to_string()));
        if let Some(path) = path {
            let there = rapid.environment().clone().without_git().in_directory(&path);
            if let Ok(own) = crate::git::Repository::discover(&there) {
                Sessions::of(&own).forget()?;
            }
            let was_there = Path::new(&path).exists();
            match removed(rapid, Path::new(&path)) {
                Ok(()) if !was_there => outcome.gone_worktree = Some(path),
                Ok(()) => outcome.removed_worktree = Some(path),
                Err(error) => outcome.kept_worktree = Some((path, error.message)),
            }
        }
    }
    Ok(outcome)
}

/// How many ignored files a message names.
const NAMED: usize = 3;

/// Removes a worktree in which nothing would be lost: git itself looks at what it tracks and what it does not know, and would take
/// along what it ignores, be it a build or the only copy of a key.
fn removed(rapid: &Rapid, path: &Path) -> Result<()> {
    let ignored = if path.is_dir() { rapid.repository().ignored_in(path)? } else { Vec::new() };
    if let Some(named) = ignored.get(..NAMED.min(ignored.len())).filter(|named| !named.is_empty()) {
        let more = ignored.len().saturating_sub(named.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Err(Code::Rapid1309.because(format!(
            "the worktree '{}' was kept: it holds what git ignores, which would be lost: {}{more}",
            path.display(),
            named.join(", ")
        )));
    }
    rapid.repository().remove_worktree(path)
}
