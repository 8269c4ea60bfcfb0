//! Who keeps the hooks of a repository, and where a hook of ours belongs so that it survives what its keeper does.

use super::{file, lefthook, own_dir};
use crate::diagnostics::Result;
use crate::git::Repository;
use crate::hooks::Moment;
use crate::os::files;
use std::path::{Path, PathBuf};

/// The largest hook that is read, in bytes.
pub(super) const CAP: u64 = 4 << 20;

/// Who keeps a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// Git: a file in its directory of hooks.
    Git,
    /// Git's configuration (2.54 and newer).
    Configuration,
    /// husky: a script that its generated hook runs.
    Husky,
    /// lefthook: a file that its generated hook reads.
    Lefthook,
    /// pre-commit: the hook that it found and runs first.
    PreCommit,
}

impl Keeper {
    /// As `hooks status` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Keeper::Git => "git",
            Keeper::Configuration => "configuration",
            Keeper::Husky => "husky",
            Keeper::Lefthook => "lefthook",
            Keeper::PreCommit => "pre-commit",
        }
    }
}

/// How a hook stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As this version installs it.
    Installed,
    /// Ours, of another version or not to be run.
    Outdated,
    /// Something else is there, and ours is not.
    Foreign,
    /// Nothing is there.
    Missing,
}

impl State {
    /// As `hooks status` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Installed => "installed",
            State::Outdated => "outdated",
            State::Foreign => "foreign",
            State::Missing => "missing",
        }
    }
}

/// A hook and how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The hook.
    pub moment: Moment,
    /// How it stands.
    pub state: State,
    /// Who keeps it.
    pub keeper: Keeper,
    /// Where it lies, or would.
    pub path: PathBuf,
}

/// Where a hook belongs.
pub(super) enum Place {
    /// A file of its own at `path`; what was there goes to `before`.
    File { path: PathBuf, before: PathBuf },
    /// The beginning of a script that husky's hook runs.
    Script { path: PathBuf },
    /// What lefthook's hook `script` reads before it begins.
    Lefthook { script: PathBuf },
    /// Git's configuration.
    Declared,
}

/// Where each of these hooks belongs here.
pub(super) fn of(repository: &Repository, moments: &[Moment]) -> Result<Vec<(Moment, Place)>> {
    if repository.takes_declared_hooks() {
        return Ok(moments.iter().map(|moment| (*moment, Place::Declared)).collect());
    }
    let directory = repository.hooks_dir()?;
    moments.iter().map(|moment| Ok((*moment, one(&directory, *moment)?))).collect()
}

fn one(directory: &Path, moment: Moment) -> Result<Place> {
    let path = directory.join(moment.as_str());
    // husky 9 makes its directory anew whenever packages are installed; the scripts beside it are the project's own.
    if directory.ends_with("_") && files::is_taken(&directory.join("h")) && files::is_taken(&path) {
        return Ok(Place::Script { path: husky_script(directory, moment) });
    }
    let text = files::read_if_there(&path, CAP)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if lefthook::wrote(&text) {
        return Ok(Place::Lefthook { script: path });
    }
    // pre-commit runs the hook that it finds first, and keeps it under this name when it installs itself again.
    let path = if file::is_pre_commits(&text) { directory.join(format!("{moment}.legacy")) } else { path };
    Ok(Place::File { path, before: before(directory, moment) })
}

/// What was there before ours.
pub(super) fn before(directory: &Path, moment: Moment) -> PathBuf {
    directory.join(format!("{moment}.before-rapid"))
}

/// The script that husky's hook runs: beside its generated directory.
pub(super) fn husky_script(directory: &Path, moment: Moment) -> PathBuf {
    directory.parent().unwrap_or(directory).join(moment.as_str())
}

pub(super) fn keeper(place: &Place) -> Keeper {
    match place {
        Place::File { path, .. } if path.extension().is_some_and(|ending| ending == "legacy") => Keeper::PreCommit,
        Place::File { .. } => Keeper::Git,
        Place::Script { .. } => Keeper::Husky,
        Place::Lefthook { .. } => Keeper::Lefthook,
        Place::Declared => Keeper::Configuration,
    }
}

pub(super) fn shown(repository: &Repository, moment: Moment, place: &Place) -> PathBuf {
    match place {
        Place::File { path, .. } | Place::Script { path } => path.clone(),
        Place::Lefthook { script } => script.clone(),
        Place::Declared => own_dir(repository).join(moment.as_str()),
    }
}
