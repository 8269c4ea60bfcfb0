//! The git executable, with everything pinned that could change what it says (design §8): locale, prompts, locks, the
//! caller's `GIT_*`.

use super::{Repository, quarantine::Quarantine};
use crate::diagnostics::{Code, Result};
use crate::os::{
    environment::Environment,
    process::{self, Ended, Invocation, Limits},
};
use std::ffi::OsString;
use std::path::Path;

/// A git command being put together.
pub struct Git {
    environment: Environment,
    arguments: Vec<OsString>,
    input: Option<Vec<u8>>,
    limits: Limits,
    tidies_up: bool,
}

/// What a git command said.
pub struct GitOutput {
    /// Its exit status; 128+N for signal N.
    pub code: i32,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// The beginning of what it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl GitOutput {
    /// Standard output as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Standard error as one line without a full stop.
    pub fn complaint(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("hint:")).collect();
        lines.join("; ").trim_end_matches('.').to_owned()
    }
}

impl Git {
    /// Git in the environment's working directory.
    pub fn new(environment: &Environment) -> Git {
        let environment = environment
            .without_git()
            .with("LC_ALL", "C")
            .with("GIT_TERMINAL_PROMPT", "0")
            .with("GIT_OPTIONAL_LOCKS", "0")
            .with("GIT_NO_REPLACE_OBJECTS", "1")
            .with("GIT_GRAFT_FILE", "/dev/null")
            .with("GIT_PAGER", "cat");
        let pinned = [
            "maintenance.auto=false",
            "gc.auto=0",
            "core.quotePath=false",
            "color.ui=false",
            "core.commitGraph=false",
            // Even a plain comparison of two trees reads the index, and would start this program.
            "core.fsmonitor=false",
        ];
        let arguments = pinned.into_iter().flat_map(|setting| ["-c", setting]).map(OsString::from).collect();
        Git { environment, arguments, input: None, limits: Limits::default(), tidies_up: false }
    }

    /// With one more argument.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Git {
        self.arguments.push(argument.into());
        self
    }

    /// With more arguments.
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Git {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// With bytes to read.
    pub fn input(mut self, bytes: &[u8]) -> Git {
        self.input = Some(bytes.to_vec());
        self
    }

    /// With a variable set.
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Git {
        self.environment = self.environment.with(name, value);
        self
    }

    /// With up to this much of an answer, in bytes.
    pub fn answer_limit(mut self, bytes: usize) -> Git {
        self.limits.stdout = bytes;
        self
    }

    /// Runs it to its end although this process is asked to end: to tidy up behind what was interrupted.
    pub fn whatever_interrupts(mut self) -> Git {
        self.tidies_up = true;
        self
    }

    /// Runs it, whatever its exit status.
    pub fn try_run(self) -> Result<GitOutput> {
        let shown = self.shown();
        let invocation = Invocation::new("git", self.environment).arguments(self.arguments);
        let invocation = if self.tidies_up { invocation.tidying_up() } else { invocation.sharing_terminal() };
        let output =
            process::output(&invocation, self.input.as_deref(), self.limits).map_err(|error| match error.code {
                Code::Rapid1307 => Code::Rapid1503
                    .because("the git executable cannot be started")
                    .hint("install git 2.34 or newer and put it on the PATH"),
                _ => error,
            })?;
        match output.ended {
            Ended::Interrupted(signal) => {
                Err(Code::Rapid004.because(format!("{shown} was interrupted by signal {signal}")))
            }
            ended => Ok(GitOutput { code: ended.exit_code(), stdout: output.stdout, stderr: output.stderr }),
        }
    }

    /// Runs it and refuses (RAPID1503) any exit status but 0.
    pub fn run(self) -> Result<GitOutput> {
        let shown = self.shown();
        let output = self.try_run()?;
        match output.code {
            0 => Ok(output),
            code => {
                Err(Code::Rapid1503.because(format!("'{shown}' failed with status {code}: {}", output.complaint())))
            }
        }
    }

    fn shown(&self) -> String {
        let mut words = self
            .arguments
            .iter()
            .map(|word| word.to_string_lossy())
            .skip_while(|word| word == "-c" || word.contains('='));
        let first = words.next().unwrap_or_default();
        format!("git {first}")
    }
}

impl Repository {
    /// Git in this repository: told which one, so that it does not look for another.
    pub fn git(&self) -> Git {
        let here = self.workdir().unwrap_or(self.git_dir());
        let git = Git::new(&self.environment.clone().in_directory(here)).with("GIT_DIR", self.git_dir());
        let git = match self.workdir() {
            Some(workdir) => git.with("GIT_WORK_TREE", workdir),
            None => git,
        };
        let told = self.quarantine.iter().flat_map(Quarantine::told);
        told.fold(git, |git, (name, value)| git.with(name, value))
    }

    /// Git in another directory.
    pub fn git_in(&self, directory: &Path) -> Git {
        Git::new(&self.environment.clone().in_directory(directory))
    }
}
