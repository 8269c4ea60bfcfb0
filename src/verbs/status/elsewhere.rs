//! What else is open in this clone: runs in other worktrees, missions, and stories that are being worked. What cannot be read there
//! is that place's trouble and not shown here; `doctor` and `validate` find it.

use crate::diagnostics::{Code, Result};
use crate::domain::{ids::RunId, json::Value, lifecycle::RunStatus, next_action::NextAction};
use crate::git::Repository;
use crate::ledger::Ledger;
use crate::mission::{MissionId, MissionStatus, Subject};
use crate::registry::{Place, Records};
use crate::verbs::story::run::lock::{self, Holder};
use crate::verbs::{next, rapid::Rapid};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How many open runs are named.
const MOST: usize = 10;

/// What is open elsewhere in this clone.
pub struct Elsewhere {
    /// Runs that are the active ones of other worktrees.
    pub runs: Vec<OtherRun>,
    /// Runs of the ledger that are open and active nowhere in this clone; asked for where no run is active.
    pub recorded: Vec<RecordedRun>,
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

/// A run that is open and active nowhere in this clone: somebody else's, or one that was left.
pub struct RecordedRun {
    /// Its id.
    pub id: RunId,
    /// How it stands.
    pub status: RunStatus,
    /// Who recorded the newest of it, as the entry says.
    pub by: String,
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
    let session = rapid.session()?;
    // A run with a worktree of its own is the active one there and where it was begun.
    let mut known = vec![session.as_ref().map(|session| session.active_run_id.clone())];
    let mut runs = runs(rapid);
    runs.retain(|run| {
        let is_new = !known.contains(&run.next.run_id);
        known.push(run.next.run_id.clone());
        is_new
    });
    let recorded = match session {
        Some(_) => Vec::new(),
        None => recorded(&records, &known)?,
    };
    Ok(Elsewhere { runs, recorded, missions, stories: lock::holder(rapid.repository())? })
}

/// The open runs of a ledger that are not among the known ones. Only the newest state of each is read.
fn recorded(records: &Records<'_>, known: &[Option<RunId>]) -> Result<Vec<RecordedRun>> {
    let mut out = Vec::new();
    for id in records.run_ids()?.into_iter().filter(|id| !known.contains(&Some(id.clone()))) {
        let first = Place::State(id.clone(), 1).path();
        let directory = first.rsplit_once('/').map_or("", |(directory, _)| directory);
        let newest = u32::try_from(records.view().list(directory)?.len()).unwrap_or(u32::MAX);
        let Ok(Some(state)) = records.value(&Place::State(id.clone(), newest)) else { continue };
        let word = state.get("status").and_then(Value::as_text).unwrap_or_default();
        let Some(status) = RunStatus::parse(word, Code::Rapid1011).ok().filter(|status| !status.is_terminal()) else {
            continue;
        };
        let entries = match records.view().tip() {
            Some(tip) => Ledger::of(records.view().repository()).writers(tip, directory)?,
            None => BTreeMap::new(),
        };
        let by = entries.into_iter().next_back().map(|(_, by)| by).unwrap_or_default();
        out.push(RecordedRun { id, status, by });
        if out.len() >= MOST {
            break;
        }
    }
    Ok(out)
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
