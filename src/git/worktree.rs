//! Linked worktrees, made and removed by the git executable: it knows hooks, locks, submodules and every store of refs.

use super::Repository;
use crate::diagnostics::{Code, Result};
use std::path::{Path, PathBuf};

impl Repository {
    /// Makes a worktree at `path` on a new branch that starts at `HEAD`.
    pub fn add_worktree(&self, path: &Path, branch: &str) -> Result<()> {
        let done = self
            .git()
            .arguments(["worktree", "add", "--quiet", "-b", branch])
            .argument(path)
            .argument("HEAD")
            .try_run()?;
        match done.code {
            0 => Ok(()),
            _ => Err(Code::Rapid1309.because(format!(
                "no worktree can be made at '{}': {}",
                path.display(),
                done.complaint()
            ))),
        }
    }

    /// Makes a worktree at `path` of exactly this commit, on no branch.
    pub fn add_detached_worktree(&self, path: &Path, commit: &str) -> Result<()> {
        let git = self.git().arguments(["-c", "core.hooksPath=", "worktree", "add", "--quiet", "--detach"]);
        let done = git.argument(path).argument(commit).try_run()?;
        match done.code {
            0 => Ok(()),
            _ => Err(Code::Rapid1309.because(format!(
                "no worktree can be made at '{}': {}",
                path.display(),
                done.complaint()
            ))),
        }
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

    /// Removes a worktree of ours with whatever is in it.
    pub fn discard_worktree(&self, path: &Path) -> Result<()> {
        self.git_at_common_dir().arguments(["worktree", "remove", "--force"]).argument(path).run().map(drop)
    }

    fn git_at_common_dir(&self) -> super::Git {
        self.git_in(self.common_dir()).with("GIT_DIR", self.common_dir())
    }

    /// Where all worktrees of this repository lie.
    pub fn worktrees(&self) -> Result<Vec<PathBuf>> {
        let list = self.git_at_common_dir().arguments(["worktree", "list", "--porcelain", "-z"]).run()?;
        let paths = list.stdout.split(|byte| *byte == 0).filter_map(|line| line.strip_prefix(b"worktree "));
        Ok(paths.map(|path| PathBuf::from(String::from_utf8_lossy(path).into_owned())).collect())
    }
}
