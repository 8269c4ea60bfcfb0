//! A throw-away worktree of exactly one tree, with its submodules where they are to be had without a network; and what is left
//! of those whose process was killed.

use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::os::{
    environment::Environment,
    owned::{self, OwnedDirectory},
    signals,
};
use std::path::{Path, PathBuf};

/// How the directories' names begin.
const PREFIX: &str = "rapid-clean-";
/// The worktree in the directory.
const TREE: &str = "tree";

/// A throw-away worktree; gone with this value, also when this process was asked to end.
pub(super) struct Fresh<'a> {
    repository: &'a Repository,
    path: PathBuf,
    /// Submodules that are empty in it, because their commit is not to be had here.
    pub(super) unfilled: Vec<String>,
    _directory: OwnedDirectory,
}

impl<'a> Fresh<'a> {
    pub(super) fn of(repository: &'a Repository, tree: Oid) -> Result<Fresh<'a>> {
        // From here on a signal is counted, so that what is begun is also taken away.
        signals::watch()?;
        // What cannot be swept is in nobody's way; 'doctor' says why.
        let _ = sweep(repository);
        let note = format!("a worktree of git-rapid check --clean\nrepository {}", repository.common_dir().display());
        let directory = OwnedDirectory::new(PREFIX, &note)?;
        let path = directory.path().join(TREE);
        let commit = repository.write_commit_of(tree, "a snapshot for a clean check")?;
        let mut fresh = Fresh { repository, path, unfilled: Vec::new(), _directory: directory };
        repository.add_detached_worktree(&fresh.path, &commit.to_string())?;
        fresh.unfilled = repository.fill_submodules(tree, &fresh.path)?;
        Ok(fresh)
    }

    /// Its top.
    pub(super) fn top(&self) -> &Path {
        &self.path
    }

    /// An environment moved from the working copy to the same directory in here.
    pub(super) fn environment(&self, environment: &Environment) -> Environment {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let top = self.repository.workdir().map(real);
        let cwd = real(environment.cwd());
        let below = top.and_then(|top| cwd.strip_prefix(top).map(Path::to_owned).ok()).unwrap_or_default();
        // Joined with nothing, a path would end in a slash.
        let place = if below.as_os_str().is_empty() { self.path.clone() } else { self.path.join(below) };
        moved(environment, &place)
    }
}

impl Drop for Fresh<'_> {
    fn drop(&mut self) {
        // What the check left there is of no use to anybody; the registration must not stay behind.
        let _ = self.repository.discard_worktree(&self.path);
    }
}

/// An environment in another directory, without what a shell says of the one before.
pub(super) fn moved(environment: &Environment, place: &Path) -> Environment {
    environment.clone().in_directory(place).without("OLDPWD").with("PWD", place)
}

/// What throw-away worktrees of this repository were left behind by processes that are gone.
pub fn leftovers(repository: &Repository) -> Result<Vec<PathBuf>> {
    let ours = |path: &Path| {
        let named = |directory: &Path| {
            directory.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX))
        };
        path.file_name().is_some_and(|name| name == TREE) && path.parent().is_some_and(named)
    };
    let abandoned = |path: &Path| path.parent().is_some_and(|parent| !parent.exists() || owned::is_left_behind(parent));
    let registered = repository.worktrees()?.into_iter().map(|worktree| worktree.path);
    Ok(registered.filter(|path| ours(path) && abandoned(path)).collect())
}

/// Removes what [`leftovers`] finds, and directories of ours without a worktree; says which.
pub fn sweep(repository: &Repository) -> Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    for path in leftovers(repository)? {
        repository.discard_worktree(&path)?;
        if let Some(parent) = path.parent() {
            owned::remove_left_behind(parent)?;
        }
        removed.push(path);
    }
    // Those of other repositories are for them to find: their registration is there.
    for directory in owned::left_behind(PREFIX).into_iter().filter(|directory| !directory.join(TREE).exists()) {
        owned::remove_left_behind(&directory)?;
        removed.push(directory);
    }
    Ok(removed)
}
