//! What this clone holds: how its refs are stored, the ledger, what dead processes left behind, remotes, worktrees and the session.

use super::{Finding, State, finding, wrong};
use crate::diagnostics::{Code, Result};
use crate::git::RefStorage;
use crate::ledger::Damage;
use crate::verbs::{check, init::refspec, rapid::Rapid, sync::refuse_unknown_place, validate, worktrees::worktrees};
use std::path::PathBuf;

pub fn storage(rapid: &Rapid) -> Finding {
    let repository = rapid.repository();
    let format = repository.format().as_str();
    let place = repository.common_dir().display();
    match repository.ref_storage() {
        RefStorage::Files => finding("repository", State::Good, format!("{place}, {format}, refs in files"), None),
        RefStorage::Reftable => finding(
            "repository",
            State::Note,
            format!("{place}, {format}, refs in reftable"),
            Some("refs are read and written through the git executable here, which is slower".to_owned()),
        ),
    }
}

pub fn ledger(rapid: &Rapid) -> Finding {
    let registry = rapid.registry();
    let cut = registry.ledger().cut_at().unwrap_or_default();
    match registry.ledger().existing_view() {
        Ok(_) if !cut.is_empty() => finding(
            "ledger",
            State::Note,
            "this clone is shallow and lacks the older entries: nothing can be proved here",
            Some("git fetch --unshallow, then git rapid fetch".to_owned()),
        ),
        Ok(view) => finding(
            "ledger",
            State::Good,
            format!("newest entry {}", view.tip().map_or_else(String::new, |tip| tip.short())),
            None,
        ),
        Err(error) if error.code == Code::Rapid1510 => {
            finding("ledger", State::Note, error.message.clone(), error.hints.first().cloned())
        }
        Err(error) => wrong("ledger", &error),
    }
}

/// Refs that hold nothing, and locks that a process left behind when it died: git would wait for those for ever.
pub fn damage(rapid: &Rapid) -> Vec<Finding> {
    let damage = rapid.registry().ledger().damage();
    let repair = || Some("git rapid doctor --repair".to_owned());
    let told = damage.into_iter().map(|damage| {
        let mends = damage.can_be_mended();
        match damage {
            Damage::Empty(name) => {
                finding("ref", State::Bad, format!("'{name}' holds nothing, as after a power cut"), repair())
            }
            Damage::Lock { path, age, holders } => {
                let held = match holders {
                    Some(holders) if holders.is_empty() => "no process has it open".to_owned(),
                    Some(holders) => format!("process {} has it open", shown(&holders)),
                    None => "this system does not tell who has it open".to_owned(),
                };
                let by_hand = format!("if no git command is running here: rm '{}'", path.display());
                let hint = if mends { repair() } else { Some(by_hand) };
                finding("lock", State::Bad, format!("'{}' is {age} seconds old; {held}", path.display()), hint)
            }
        }
    });
    told.collect()
}

/// Throw-away worktrees of checks whose process was killed.
pub fn leftovers(rapid: &Rapid) -> Vec<Finding> {
    let found = match check::leftovers(rapid.repository()) {
        Ok(found) => found,
        Err(error) => return vec![wrong("worktree", &error)],
    };
    let words = |path: PathBuf| format!("'{}' was left behind by a check that was killed", path.display());
    let repair = || Some("git rapid doctor --repair".to_owned());
    found.into_iter().map(|path| finding("worktree", State::Note, words(path), repair())).collect()
}

fn shown(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What waits in the spool; nothing where none does.
pub fn spool(rapid: &Rapid) -> Option<Finding> {
    match rapid.registry().waiting() {
        Ok(waiting) if waiting.is_empty() => None,
        Ok(waiting) => {
            let (words, hint) = rapid.registry().told_of_waiting(waiting.len()).ok()?;
            let apart = rapid.registry().ledger().waits_apart().unwrap_or(false);
            let words = format!("{words} ('{}')", rapid.repository().spool_dir().display());
            Some(finding("spool", if apart { State::Bad } else { State::Note }, words, Some(hint)))
        }
        Err(error) => Some(finding("spool", State::Bad, error.to_string(), error.hints.last().cloned())),
    }
}

/// Where the code stands, when a run cannot begin there or its commits would be on no branch.
pub fn head(rapid: &Rapid) -> Option<Finding> {
    rapid.repository().workdir()?;
    let head = match rapid.repository().head() {
        Ok(head) => head,
        Err(error) => return Some(wrong("head", &error)),
    };
    match (head.commit, head.branch) {
        (None, _) => Some(finding(
            "head",
            State::Note,
            "there is no commit yet, and a run begins at one",
            Some("git commit --allow-empty -m 'Begin'".to_owned()),
        )),
        (Some(at), None) => Some(finding(
            "head",
            State::Note,
            format!("no branch is checked out (detached at {}): what is committed here is on none", at.short()),
            Some("git switch -c NAME".to_owned()),
        )),
        _ => None,
    }
}

/// Remotes whose ledger would not come, or would come over ours.
pub fn remotes(rapid: &Rapid) -> Vec<Finding> {
    let repository = rapid.repository();
    let names = repository.remote_names();
    let mut found = Vec::new();
    let asked = ["rapid.remote", "rapid.ref"].iter().any(|key| repository.config_text(key).is_some());
    if asked && let Err(error) = refuse_unknown_place(rapid) {
        found.push(wrong("remote", &error));
    }
    // A mirror is meant to be what its remote is.
    for remote in names.iter().filter(|_| repository.workdir().is_some()) {
        let key = format!("remote.{remote}.fetch");
        let refspecs = repository.config_texts(&key);
        let over = |refspec: &&String| {
            let target = refspec.rsplit(':').next().unwrap_or_default();
            target == "refs/*" || target.starts_with("refs/rapid/")
        };
        if let Some(over) = refspecs.iter().find(over) {
            found.push(finding(
                "remote",
                State::Bad,
                format!("'git fetch {remote}' writes over this clone's ledger: it has the refspec '{over}'"),
                Some(format!("git config --fixed-value --unset {key} '{over}'")),
            ));
        } else if !refspecs.contains(&refspec(remote)) {
            found.push(finding(
                "remote",
                State::Note,
                format!("'git fetch {remote}' leaves its ledger there: the refspec for it is missing"),
                Some("git rapid init".to_owned()),
            ));
        }
    }
    found
}

/// Worktrees of runs that nobody needs any more, or whose directory is gone.
pub fn worktrees_of_runs(rapid: &Rapid) -> Vec<Finding> {
    let all = match worktrees(rapid) {
        Ok(all) => all,
        Err(error) => return vec![wrong("worktree", &error)],
    };
    let told = all.into_iter().filter_map(|worktree| {
        let advice = worktree.advice()?;
        let (run, path) = (&worktree.run_id, worktree.path.display());
        let words = match &worktree.content {
            None => format!("the worktree of run {run} is gone from '{path}', and git still counts with it"),
            Some(_) => format!("the worktree of run {run}, which is over, still lies in '{path}'"),
        };
        Some(finding("worktree", State::Note, words, Some(advice)))
    });
    told.collect()
}

/// The run that is active here.
pub fn session(rapid: &Rapid) -> Finding {
    let look = || -> Result<String> {
        let Some(session) = rapid.session()? else { return Ok("no run is active here".to_owned()) };
        let (_, run) = rapid.run(None)?;
        validate::session(rapid)?;
        Ok(format!("run {} is {}", session.active_run_id, run.state()?.status))
    };
    match look() {
        Ok(words) => finding("session", State::Good, words, None),
        // Whatever is wrong with it, forgetting it is always possible and loses nothing that is recorded.
        Err(error) if matches!(error.code, Code::Rapid1304 | Code::Rapid1305) => {
            finding("session", State::Bad, error.to_string(), Some("git rapid abort".to_owned()))
        }
        Err(error) => wrong("session", &error),
    }
}
