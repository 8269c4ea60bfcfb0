//! Where git looks for hooks in this repository, and the settings of this clone that say so.
//!
//! Not here: what a hook does, and how one is installed beside others (`hooks`).

use super::{Oid, Repository};
use crate::diagnostics::{Code, Result};
use crate::os::environment::Environment;
use std::path::{Path, PathBuf};

impl Repository {
    /// The repository that git started a hook in. What git and the tools around it export goes no further than finding it:
    /// it is about another command's index, author or prefix. Only what a push has brought is kept in sight.
    pub fn of_hook(environment: &Environment) -> Result<Repository> {
        let opened = Repository::discover(environment)?;
        match environment.is_set("GIT_QUARANTINE_PATH") {
            true => Ok(opened),
            false => Ok(opened.in_environment(environment.without_git())),
        }
    }

    /// The directory of hooks, as `core.hooksPath` says; a relative one is this worktree's own.
    pub fn hooks_dir(&self) -> Result<PathBuf> {
        let told = self.git().arguments(["rev-parse", "--git-path", "hooks"]).run()?;
        let path = told.text().trim_end_matches('\n').to_owned();
        Ok(self.workdir().unwrap_or(self.git_dir()).join(path))
    }

    /// Where `core.hooksPath` is set: `local`, `worktree`, `global` or `system`; `None` when it is not.
    pub fn hooks_path_scope(&self) -> Result<Option<String>> {
        let told = self.git().arguments(["config", "--show-scope", "--get", "core.hooksPath"]).try_run()?;
        Ok(told.text().split_once('\t').filter(|_| told.code == 0).map(|(scope, _)| scope.to_owned()))
    }

    /// Whether this git runs hooks that are declared in its configuration (2.54 and newer): asked by declaring one.
    pub fn takes_declared_hooks(&self) -> bool {
        let declared = ["-c", "hook.rapid-probe.command=true", "-c", "hook.rapid-probe.event=pre-push"];
        let listed = self.git().arguments(declared).arguments(["hook", "list", "pre-push"]).try_run();
        listed.is_ok_and(|listed| listed.code == 0 && listed.text().contains("rapid-probe"))
    }

    /// Sets a value of this clone's configuration.
    pub fn set_config(&self, key: &str, value: impl AsRef<Path>) -> Result<()> {
        let git = self.git().arguments(["config", "--local", "--replace-all", key]);
        git.argument(value.as_ref().as_os_str()).run().map(drop)
    }

    /// Adds a value of this clone's configuration.
    pub fn add_config(&self, key: &str, value: &str) -> Result<()> {
        self.git().arguments(["config", "--local", "--add", key, value]).run().map(drop)
    }

    /// Takes all values of a key out of this clone's configuration; says whether there were any.
    pub fn unset_config(&self, key: &str) -> Result<bool> {
        let done = self.git().arguments(["config", "--local", "--unset-all", key]).try_run()?;
        match done.code {
            0 => Ok(true),
            // Git's answer for a key that is not there.
            5 => Ok(false),
            _ => Err(Code::Rapid1503.because(format!("'{key}' cannot be unset: {}", done.complaint()))),
        }
    }

    /// Whether git is about to write an old commit down again: in a rebase, or while a commit is picked.
    pub fn replays_commits(&self) -> Result<bool> {
        if ["rebase-merge", "rebase-apply"].iter().any(|name| self.git_dir().join(name).is_dir()) {
            return Ok(true);
        }
        // Asked of git, since not every storage of refs keeps it as a file.
        let git = self.git().arguments(["rev-parse", "--verify", "--quiet", "CHERRY_PICK_HEAD"]);
        Ok(git.try_run()?.code == 0)
    }

    /// The line of first parents from `id` on, the newest first, as far as `tip` does not have it; at most so many.
    pub fn line_beyond(&self, id: Oid, tip: Oid, most: usize) -> Result<Vec<Oid>> {
        let git = self.git().arguments(["rev-list", "--first-parent", &format!("--max-count={most}")]);
        let listed = git.argument(id.to_string()).argument(format!("^{tip}")).run()?;
        listed.text().lines().map(Oid::from_hex).collect()
    }

    /// The ref that a symbolic ref stands for in the end.
    pub fn target_of(&self, name: &str) -> Result<Option<String>> {
        let done = self.git().arguments(["symbolic-ref", "--quiet", name]).try_run()?;
        Ok((done.code == 0).then(|| done.text().trim().to_owned()))
    }

    /// The commits that have exactly this tree, the newest first: of those that `tips` lead to, else of all that any ref of this clone
    /// leads to or led to. What `older` has is not looked at.
    pub fn commits_with_tree(&self, tree: Oid, tips: &[Oid], older: Option<Oid>) -> Result<Vec<Oid>> {
        let mut git = self.git().arguments(["rev-list", "--no-commit-header", "--format=%T %H"]);
        git = match tips {
            [] => git.arguments(["--all", "--reflog"]),
            tips => git.arguments(tips.iter().filter(|tip| self.has(**tip)).map(ToString::to_string)),
        };
        if let Some(older) = older.filter(|older| self.has(*older)) {
            git = git.argument(format!("^{older}"));
        }
        let (listed, tree) = (git.run()?, tree.to_string());
        let listed = listed.text();
        let found = listed.lines().filter_map(|line| line.split_once(' ')).filter(|(its, _)| *its == tree);
        found.map(|(_, commit)| Oid::from_hex(commit)).collect()
    }

    /// Whether `newer` has `older` among its ancestors, or is it. An object that is not here is an error.
    pub fn descends(&self, newer: Oid, older: Oid) -> Result<bool> {
        let git = self.git().arguments(["merge-base", "--is-ancestor", &older.to_string(), &newer.to_string()]);
        let done = git.try_run()?;
        match done.code {
            0 => Ok(true),
            1 => Ok(false),
            _ => Err(Code::Rapid1505.because(format!("{} cannot be followed: {}", newer.short(), done.complaint()))),
        }
    }
}
