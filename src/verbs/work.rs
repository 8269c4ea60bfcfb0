//! The code that a run is about: its working copy (the run's own worktree, where it has one), and snapshots of it.

use super::rapid::{RULES, Rapid};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    config::Config,
    evidence::{Payload, StandingFile},
    session::Session,
    text::{Producer, RelativePath, Verb},
};
use crate::git::{Keep, Litter, Oid, REST, Repository, Snapshot, SnapshotOptions};
use crate::os::environment::Environment;
use crate::registry::Run;
use std::path::Path;

/// The working copy of a run.
pub struct Work<'a> {
    own: Option<Repository>,
    here: &'a Repository,
    config: Config,
    workspace_path: Option<String>,
}

impl<'a> Work<'a> {
    /// The working copy of the session's run: the run's own worktree, or this one.
    pub fn of(rapid: &'a Rapid, session: Option<&Session>, config: Config) -> Result<Work<'a>> {
        let here = rapid.repository();
        let path = session.and_then(|session| session.workspace_path.clone());
        let elsewhere = path.as_deref().filter(|path| here.workdir() != Some(Path::new(path)));
        let own = match elsewhere {
            None => None,
            Some(path) => {
                let environment = rapid.environment().without_git().in_directory(path);
                let opened = Repository::discover(&environment);
                Some(opened.map_err(|error| {
                    Code::Rapid1305
                        .because(format!("the run's worktree '{path}' does not open: {}", error.message))
                        .hint("bring it back with 'git worktree repair', or cancel the run with 'git rapid abort'")
                })?)
            }
        };
        if let Some(own) = own.as_ref().filter(|own| !same_place(own.common_dir(), here.common_dir())) {
            let place = own.git_dir().display();
            return Err(Code::Rapid1305
                .because(format!("the session names a worktree of another repository ({place})"))
                .hint("forget the session with 'git rapid abort'"));
        }
        Ok(Work { own, here, config, workspace_path: path })
    }

    /// The repository as opened in the run's working copy.
    pub fn repository(&self) -> &Repository {
        self.own.as_ref().unwrap_or(self.here)
    }

    /// The configuration that it is looked at under.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The run's own worktree, where it has one.
    pub fn workspace_path(&self) -> Option<&str> {
        self.workspace_path.as_deref()
    }

    /// Where its commands run: the directory we were called in, or the top of the run's own worktree.
    pub fn environment(&self) -> Result<Environment> {
        match &self.own {
            None => Ok(self.here.environment().clone()),
            Some(own) => Ok(own.environment().clone().in_directory(own.require_workdir()?)),
        }
    }

    /// A snapshot of it.
    pub fn snapshot(&self, keep: Keep) -> Result<Snapshot> {
        snapshot(self.repository(), &self.config, keep)
    }

    /// A snapshot that is kept, and that says which files are not as a checkout of it would write them.
    pub fn compared_snapshot(&self) -> Result<Snapshot> {
        let options = SnapshotOptions { compared: true, ..options(&self.config, Keep::Objects) };
        self.repository().snapshot(&options)
    }
}

/// Whether two paths lead to the same directory.
fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// A snapshot of a repository's working copy.
pub fn snapshot(repository: &Repository, config: &Config, keep: Keep) -> Result<Snapshot> {
    repository.snapshot(&options(config, keep))
}

fn options(config: &Config, keep: Keep) -> SnapshotOptions {
    let litter = Litter { own: config.litter.clone() };
    SnapshotOptions { keep, litter, max_file_size: config.max_file_size, rest: REST, compared: false }
}

/// The untracked files that stood in the working copy when the run began and still stand there unchanged.
pub fn bystanders(repository: &Repository, run: &Run, now: &Snapshot) -> Vec<StandingFile> {
    standing(repository, run, &now.untracked)
}

/// Those of these files that are bystanders of a run: they were untracked when it began, and are neither its base's nor rules. What
/// git was told to forget (`git rm --cached`) is the code of a commit all the same, and nobody may leave it out unseen.
pub fn standing(repository: &Repository, run: &Run, files: &[StandingFile]) -> Vec<StandingFile> {
    let started = run.evidence.iter().find(|item| item.producer == Producer::Rapid(Verb::Start));
    let then = started.and_then(|item| match &item.payload {
        Payload::Workspace { start, .. } => Some(&start.untracked),
        _ => None,
    });
    let then = then.map(Vec::as_slice).unwrap_or_default();
    let base = match &run.contract.base.commit {
        None => Some(Oid::empty_tree(repository.format())),
        Some(commit) => Oid::try_from(commit).ok().and_then(|commit| repository.tree_of(commit).ok()),
    };
    let is_new = |file: &StandingFile| {
        let path = file.path.as_str();
        let is_a_rule = path.split('/').next().is_some_and(|top| top.eq_ignore_ascii_case(RULES));
        !is_a_rule && base.is_some_and(|base| matches!(repository.lookup(base, path), Ok(None)))
    };
    files.iter().filter(|file| then.contains(file) && is_new(file)).cloned().collect()
}

/// The files that a run changed: what differs between its base and the tree, without bystanders.
pub fn changed_files(
    repository: &Repository,
    run: &Run,
    tree: Oid,
    bystanders: &[StandingFile],
) -> Result<Vec<RelativePath>> {
    let base = Oid::try_from(&run.contract.base.tree)?;
    let mut paths = Vec::new();
    for change in repository.tree_changes(base, tree)? {
        if !bystanders.iter().any(|file| file.path.as_str() == change.path) {
            paths.push(RelativePath::parse(&change.path, Code::Rapid1507)?);
        }
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}
