//! What else is open in this clone: runs in other worktrees, missions, and stories that are being worked. What cannot be read there
//! is that place's trouble and not shown here; `doctor` and `validate` find it.

use crate::diagnostics::Result;
use crate::domain::next_action::NextAction;
use crate::git::Repository;
use crate::mission::{MissionId, MissionStatus, Subject};
use crate::verbs::story::run::lock::{self, Holder};
use crate::verbs::{next, rapid::Rapid};
use std::path::PathBuf;

/// What is open elsewhere in this clone.
pub struct Elsewhere {
    /// Runs that are the active ones of other worktrees.
    pub runs: Vec<OtherRun>,
    /// Missions that are not over.
    pub missions: Vec<OpenMission>,
    /// The process that works stories.
    pub stories: Option<Holder>,
}

/// The active run of another worktree.
pub struct OtherRun {
    /// The worktree.
    pub path: PathBuf,
    /// What is to be done there.
    pub next: NextAction,
}

/// A mission that is not over.
pub struct OpenMission {
    /// Its id.
    pub id: MissionId,
    /// How it stands.
    pub status: MissionStatus,
    /// What a person has to decide.
    pub waits_for: Vec<Subject>,
}

/// Looks.
pub fn elsewhere(rapid: &Rapid) -> Result<Elsewhere> {
    let records = rapid.registry().records()?;
    let mut missions = Vec::new();
    for id in records.mission_ids()? {
        let Ok(recorded) = records.mission(&id) else { continue };
        let (status, waits_for) = (recorded.mission.status(), recorded.mission.decisions());
        if !status.is_terminal() {
            missions.push(OpenMission { id, status, waits_for });
        }
    }
    // A run with a worktree of its own is the active one there and where it was begun.
    let mut known = vec![rapid.session()?.map(|session| session.active_run_id)];
    let mut runs = runs(rapid);
    runs.retain(|run| {
        let is_new = !known.contains(&run.next.run_id);
        known.push(run.next.run_id.clone());
        is_new
    });
    Ok(Elsewhere { runs, missions, stories: lock::holder(rapid.repository())? })
}

fn runs(rapid: &Rapid) -> Vec<OtherRun> {
    let repository = rapid.repository();
    // Asking git costs a process, and most clones have one worktree.
    if !repository.has_linked_worktrees() {
        return Vec::new();
    }
    let own = repository.git_dir();
    let look = |path: PathBuf| {
        let environment = rapid.environment().without_git().in_directory(&path);
        let there = Repository::discover(&environment).ok().filter(|there| there.git_dir() != own).map(Rapid::of)?;
        there.session().ok()??;
        let next = next::next(&there, None).ok()?.action;
        Some(OtherRun { path, next })
    };
    let all = repository.worktrees().unwrap_or_default();
    all.into_iter().filter_map(|worktree| look(worktree.path)).collect()
}
