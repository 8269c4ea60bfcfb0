//! Linked worktrees, made and removed by the git executable: it knows hooks, locks, submodules and every store of refs.
//!
//! Git gives a new worktree the sparse checkout of the one that it is made from. Ours hold all of their tree: what is run in one
//! is to be what a fresh clone would run.

use super::{GitOutput, Oid, Repository};
use crate::diagnostics::{Code, Result};
use std::path::{Path, PathBuf};

/// A worktree as git has it registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// Where it lies.
    pub path: PathBuf,
    /// The commit that it has checked out; `None` on a branch without one.
    pub head: Option<Oid>,
    /// The full name of its branch; `None` when it is on none.
    pub branch: Option<String>,
}

const NO_HOOKS: [&str; 2] = ["-c", "core.hooksPath="];
const WHOLE: [&str; 2] = ["-c", "core.sparseCheckout=false"];

impl Repository {
    /// Makes a worktree at `path` on a new branch that starts at `HEAD`.
    pub fn add_worktree(&self, path: &Path, branch: &str) -> Result<()> {
        let git = self.git().arguments(WHOLE).arguments(["worktree", "add", "--quiet", "-b", branch]);
        self.made(path, &git.argument(path).argument("HEAD").try_run()?)
    }

    /// Makes a worktree at `path` on a branch that begins at this commit; a branch that a start which died left behind is
    /// taken. No hook of the user is called.
    pub fn add_worktree_at(&self, path: &Path, branch: &str, commit: &str) -> Result<()> {
        let git = self.git_at_common_dir().arguments(WHOLE).arguments(NO_HOOKS);
        let git = git.arguments(["worktree", "add", "--quiet", "-B", branch]);
        self.made(path, &git.argument(path).argument(commit).try_run()?)
    }

    /// Makes a worktree at `path` of exactly this commit, on no branch.
    pub fn add_detached_worktree(&self, path: &Path, commit: &str) -> Result<()> {
        let git = self.git().arguments(WHOLE).arguments(NO_HOOKS);
        let git = git.arguments(["worktree", "add", "--quiet", "--detach"]);
        self.made(path, &git.argument(path).argument(commit).try_run()?)
    }

    /// Removes a worktree that has no changes; anything else is kept (RAPID1309). What a person may have put there is never forced away.
    pub fn remove_worktree(&self, path: &Path) -> Result<()> {
        let done = self.git_at_common_dir().arguments(["worktree", "remove"]).argument(path).try_run()?;
        match done.code {
            0 => Ok(()),
            _ => Err(Code::Rapid1309.because(format!(
                "the worktree '{}' was kept: {}",
                path.display(),
                done.complaint()
            ))),
        }
    }

    /// Removes a worktree of ours with whatever is in it, also when this process was asked to end.
    pub fn discard_worktree(&self, path: &Path) -> Result<()> {
        let git = self.git_at_common_dir().arguments(["worktree", "remove", "--force"]);
        git.argument(path).whatever_interrupts().run().map(drop)
    }

    fn git_at_common_dir(&self) -> super::Git {
        self.git_in(self.common_dir()).with("GIT_DIR", self.common_dir())
    }

    /// Whether there is any worktree beside the main one.
    pub fn has_linked_worktrees(&self) -> bool {
        std::fs::read_dir(self.common_dir().join("worktrees")).is_ok_and(|mut names| names.next().is_some())
    }

    /// All worktrees of this repository, the main one first; also those whose directory is gone.
    pub fn worktrees(&self) -> Result<Vec<Worktree>> {
        let list = self
            .git_at_common_dir()
            .arguments(["worktree", "list", "--porcelain", "-z"])
            .whatever_interrupts()
            .run()?;
        let mut found: Vec<Worktree> = Vec::new();
        for line in list.stdout.split(|byte| *byte == 0).map(String::from_utf8_lossy) {
            match (line.split_once(' '), found.last_mut()) {
                (Some(("worktree", path)), _) => {
                    found.push(Worktree { path: PathBuf::from(path), head: None, branch: None });
                }
                (Some(("HEAD", id)), Some(last)) => last.head = Oid::from_hex(id).ok(),
                (Some(("branch", name)), Some(last)) => last.branch = Some(name.to_owned()),
                _ => {}
            }
        }
        Ok(found)
    }

    /// The files of a worktree that are not as its commit has them, untracked ones too, by path. Ignored files are not looked at.
    pub fn changed_in(&self, worktree: &Path) -> Result<Vec<String>> {
        let git =
            self.git_in(worktree).arguments(["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames"]);
        let done = git.argument("--untracked-files=all").run()?;
        let names = done.stdout.split(|byte| *byte == 0).filter_map(|line| line.get(3..));
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// Whether a worktree has anything that is not committed, or that git does not know. Ignored files are not looked at.
    pub fn has_changes(&self, worktree: &Path) -> Result<bool> {
        let git = self.git_in(worktree).arguments(["--no-optional-locks", "status", "--porcelain", "-z"]);
        Ok(!git.run()?.stdout.is_empty())
    }

    /// What git ignores in a worktree, a directory of nothing else as one; `git worktree remove` takes it away unasked.
    pub fn ignored_in(&self, worktree: &Path) -> Result<Vec<String>> {
        let asked = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"];
        let listed = self.git_in(worktree).arguments(asked).argument("-z").run()?;
        let paths = listed.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// What came of making a worktree. With `extensions.worktreeConfig` git has copied the settings of the one before, and with
    /// them its sparse checkout: what git does in the new one later would leave out files again.
    fn made(&self, path: &Path, done: &GitOutput) -> Result<()> {
        if done.code != 0 {
            let why = format!("no worktree can be made at '{}': {}", path.display(), done.complaint());
            return Err(Code::Rapid1309.because(why));
        }
        if self.config_flag("extensions.worktreeConfig") == Some(true) {
            self.git_in(path).arguments(["config", "--worktree", "core.sparseCheckout", "false"]).run()?;
        }
        Ok(())
    }
}
