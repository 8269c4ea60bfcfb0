//! A snapshot of the process's environment: its variables and its working directory, taken once and passed on.
//!
//! Not here: what a variable means to git-rapid. Rooms get an [`Environment`] as a value, so that nothing else asks the
//! process, and a test can build the environment it wants. What git leaks into hooks is told apart in [`leak`].

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::diagnostics::{Code, Result};

pub mod leak;
#[cfg(test)]
mod tests;

/// Variables and working directory of a process, as they were or as a child shall have them.
#[derive(Clone, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
}

impl Environment {
    /// The environment of this process, now.
    ///
    /// # Errors
    /// `RAPID002` when the working directory is gone or can't be read.
    pub fn from_process() -> Result<Environment> {
        let cwd = std::env::current_dir().map_err(|error| {
            Code::Rapid002
                .because(format!("cannot read the current directory: {error}"))
                .hint("change to a directory that exists")
        })?;
        Ok(Environment { variables: std::env::vars_os().collect(), cwd })
    }

    /// Where the program lies that this process runs; `None` when the system does not say.
    pub fn program() -> Option<PathBuf> {
        std::env::current_exe().ok()
    }

    /// The program that a name stands for: the path itself, or the first on `PATH` that can be run.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let is_program = |path: &PathBuf| super::files::is_program(path);
        if name.contains('/') {
            return Some(self.cwd.join(name)).filter(is_program);
        }
        let path = self.get("PATH")?;
        std::env::split_paths(path).map(|directory| self.cwd.join(directory).join(name)).find(is_program)
    }

    /// An environment of exactly these variables.
    pub fn from_pairs<N, V>(cwd: impl Into<PathBuf>, pairs: impl IntoIterator<Item = (N, V)>) -> Environment
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        let variables = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Environment { variables, cwd: cwd.into() }
    }

    /// The working directory, absolute when it came from the process.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The value of a variable, empty ones included.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.variables.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// The value of a variable that is set, not empty, and UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str).filter(|value| !value.is_empty())
    }

    /// The path that a variable names; an empty one names none.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// Whether a variable is set to something that isn't empty.
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| !value.is_empty())
    }

    /// Every variable, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Environment {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The same environment without one variable.
    #[must_use]
    pub fn without(mut self, name: impl AsRef<OsStr>) -> Environment {
        self.variables.remove(name.as_ref());
        self
    }

    /// The same variables in another working directory.
    #[must_use]
    pub fn in_directory(mut self, cwd: impl Into<PathBuf>) -> Environment {
        self.cwd = cwd.into();
        self
    }

    /// The same environment without what git and its hooks export about the repository they are in: what a check's
    /// child gets, and the ground for every `git` that we start. [`leak`] says which variables go and which stay.
    #[must_use]
    pub fn without_git(&self) -> Environment {
        let kept = self.variables.iter().filter(|(name, _)| leak::of(name).is_none());
        Environment { variables: kept.map(|(n, v)| (n.clone(), v.clone())).collect(), cwd: self.cwd.clone() }
    }
}

impl std::fmt::Debug for Environment {
    /// Names only: values are where people keep their secrets, and debug output ends up in logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        f.debug_struct("Environment").field("cwd", &self.cwd).field("variables", &names).finish()
    }
}
