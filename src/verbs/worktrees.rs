//! The worktrees that runs were given: where each lies, how it stands, and one that a start left behind when it died.
//!
//! A worktree of a run is known by where it lies, and by its branch, `rapid/<run>`. Not here: making and removing one (`start`, `abort`); nothing is
//! ever removed that somebody may have written.

use super::rapid::Rapid;
use crate::diagnostics::Result;
use crate::domain::{
    evidence::{Evidence, Payload, WorkspaceMode},
    ids::RunId,
    lifecycle::RunStatus,
    next_action::{Action, ActionKind},
    session::Session,
    typed::typed,
};
use crate::git::Worktree;
use crate::os::{clock, files};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The most files whose sizes are added up.
const FILES: usize = 200_000;
const BRANCHES: &str = "refs/heads/rapid/";

/// The worktree of a run.
pub struct RunWorktree {
    /// The run.
    pub run_id: RunId,
    /// Where it lies.
    pub path: PathBuf,
    /// How the run stands; `None`: it was never recorded, so its start died before it could be.
    pub status: Option<RunStatus>,
    /// What is in the directory; `None`: the directory is gone.
    pub content: Option<Content>,
}

/// What is in a worktree.
pub struct Content {
    /// The files' sizes in bytes, ignored files included.
    pub bytes: u64,
    /// Whether there were more files than were looked at.
    pub more: bool,
    /// Seconds since it was made.
    pub age: u64,
    /// Whether anything in it is not committed.
    pub changed: bool,
}

impl RunWorktree {
    /// Whether the run is not over and its worktree is gone: it has to come back before the run goes on.
    pub fn is_lost(&self) -> bool {
        self.content.is_none() && self.status.is_some_and(|status| !status.is_terminal())
    }

    /// What can be done about it, as a command; `None`: it is in use, or somebody has to look.
    pub fn advice(&self) -> Option<String> {
        let path = self.path.display();
        match (&self.status, &self.content) {
            (Some(status), None) if !status.is_terminal() => Some(typed(&way_back(&path.to_string(), &self.run_id))),
            (_, None) => Some(format!("git worktree remove {path}")),
            (Some(status), Some(content)) if status.is_terminal() && !content.changed => {
                Some(format!("git worktree remove {path}"))
            }
            _ => None,
        }
    }
}

/// The branch of a run's worktree, without `refs/heads/`.
pub fn branch_of(run: &RunId) -> String {
    format!("rapid/{run}")
}

/// Every worktree of a run.
pub fn worktrees(rapid: &Rapid) -> Result<Vec<RunWorktree>> {
    let records = rapid.registry().records()?;
    let mut found = Vec::new();
    for worktree in rapid.repository().worktrees()? {
        let Some(run_id) = run_of(&worktree) else { continue };
        let status = match records.has_run(&run_id)? {
            true => Some(records.run(&run_id)?.state()?.status),
            false => None,
        };
        let content = content(rapid, &worktree.path)?;
        found.push(RunWorktree { run_id, path: worktree.path, status, content });
    }
    Ok(found)
}

/// The registered worktree of this run: the one that lies where it was made, whatever branch it is on now; else the one on its
/// branch.
pub fn worktree_of(rapid: &Rapid, run: &RunId) -> Result<Option<Worktree>> {
    let all = rapid.repository().worktrees()?;
    let is_there = |worktree: &&Worktree| name_of(worktree) == Some(run.as_str());
    let found = all.iter().find(is_there).or_else(|| all.iter().find(|one| run_of(one).as_ref() == Some(run)));
    Ok(found.cloned())
}

/// Whether a session's run works in a worktree of its own that is not there any more.
pub(super) fn is_lost(session: &Session) -> bool {
    session.workspace_path.as_deref().is_some_and(|path| !Path::new(path).exists())
}

/// Says, instead of the next step, that the run's own worktree is gone and how to get it back.
pub(super) fn tell_lost(run: &RunId, session: &Session, action: &mut Action) {
    let Some(path) = session.workspace_path.as_deref().filter(|_| is_lost(session)) else { return };
    let words = format!(
        "The run's own worktree is gone: {path}. Bring it back as it was last committed, or give the run up: git rapid abort."
    );
    *action = Action::new(ActionKind::Blocked, words).command(way_back(path, run));
}

/// What brings a run's own worktree back where it lay. The run is active in it again: [`session_of_place`].
fn way_back(path: &str, run: &RunId) -> [String; 6] {
    ["git", "worktree", "add", "--force", path, &branch_of(run)].map(str::to_owned)
}

/// The session of a run's own worktree that has none: it lay in the directory that git removed with the worktree, and the place
/// and the ledger still say which run works here. `None` where they do not, or where the run is over.
pub(super) fn session_of_place(rapid: &Rapid) -> Result<Option<Session>> {
    let repository = rapid.repository();
    let Some(place) = repository.workdir().filter(|_| repository.git_dir() != repository.common_dir()) else {
        return Ok(None);
    };
    let Some(run_id) = name_at(place).and_then(|name| RunId::parse(name).ok()) else { return Ok(None) };
    let records = rapid.registry().records()?;
    // What cannot be read is for the commands that name the run to say.
    let Ok(run) = records.run(&run_id) else { return Ok(None) };
    let isolated = |item: &Evidence| matches!(&item.payload, Payload::Workspace { mode: WorkspaceMode::Isolated, .. });
    if run.state()?.status.is_terminal() || !run.evidence.iter().any(isolated) {
        return Ok(None);
    }
    Ok(Some(Session {
        active_run_id: run_id,
        mode: run.contract.mode,
        harness: run.contract.harness.clone(),
        start_head: run.contract.base.commit.clone(),
        workspace_path: Some(place.display().to_string()),
    }))
}

/// The name under which a worktree was made beside the repository, in a directory that ends with `.rapid`; whichever worktree of
/// the user it was made from.
pub fn name_of(worktree: &Worktree) -> Option<&str> {
    name_at(&worktree.path)
}

fn name_at(place: &Path) -> Option<&str> {
    let beside = place.parent()?.file_name()?.to_str()?;
    place.file_name()?.to_str().filter(|_| beside.ends_with(".rapid"))
}

fn run_of(worktree: &Worktree) -> Option<RunId> {
    let name = worktree.branch.as_deref()?.strip_prefix(BRANCHES)?;
    RunId::parse(name).ok()
}

fn content(rapid: &Rapid, path: &Path) -> Result<Option<Content>> {
    let Some(made) = files::stamp(&path.join(".git"))? else { return Ok(None) };
    let made = made.modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let now = u64::try_from(clock::now_seconds()).unwrap_or(0);
    let (bytes, whole) = files::size_below(path, FILES);
    let changed = rapid.repository().has_changes(path)?;
    Ok(Some(Content { bytes, more: !whole, age: now.saturating_sub(made), changed }))
}
