//! What is started in a turn, an agent or a hook, as a value that needs nothing else: it runs here, or beside us while other
//! turns go on.

use crate::agent::{provider::Provider, turn};
use crate::check::{self, redact::Redactor};
use crate::diagnostics::{Code, Result};
use crate::domain::config::Config;
use crate::os::clock::Stopwatch;
use crate::os::environment::Environment;
use crate::os::process::{self, Ended};
use crate::story::{Exit, Hook, HookRecord};
use std::path::PathBuf;
use std::time::Duration;

/// Runs a line with what makes git log whose doing it is: a check is given no variable of git's.
const MARKED: &str = "export GIT_REFLOG_ACTION=\"$1\"; exec sh -c \"$0\"";

/// A call of an agent.
pub(super) struct AgentJob {
    pub provider: Provider,
    pub model: Option<String>,
    pub instructions: Option<String>,
    pub prompt: String,
    pub prompt_file: PathBuf,
    pub environment: Environment,
    /// How long to wait first.
    pub wait: Duration,
    /// How long it may take; nothing when the run's own time is over before.
    pub deadline: Option<Duration>,
    pub redactor: Redactor,
    pub mark: String,
}

impl AgentJob {
    /// Calls it; `None` when it was not called, because the run ends.
    pub fn run(&self) -> Result<Option<turn::Answer>> {
        let rested = self.wait.is_zero() || process::pause(self.wait);
        let Some(deadline) = self.deadline.filter(|_| rested) else { return Ok(None) };
        let ask = turn::Ask {
            provider: &self.provider,
            model: self.model.as_deref(),
            instructions: self.instructions.as_deref(),
            prompt: &self.prompt,
            prompt_file: &self.prompt_file,
            environment: &self.environment,
            deadline,
            redactor: &self.redactor,
            mark: &self.mark,
        };
        turn::ask(&ask, &mut |_| {}).map(Some)
    }
}

/// A run of a hook.
pub(super) struct HookJob {
    pub hook: Hook,
    /// A line for `sh`.
    pub command: String,
    pub environment: Environment,
    pub deadline: Duration,
    pub config: Config,
    pub redactor: Redactor,
    pub mark: String,
}

/// How a hook went.
pub(super) struct HookOver {
    pub hook: Hook,
    pub exit: Exit,
    /// Its output, without secrets.
    pub log: Vec<u8>,
    /// How many bytes it printed, and how many secrets were taken out.
    pub sizes: (u64, u64),
    /// `None` when it was not run.
    pub record: Option<HookRecord>,
}

impl HookJob {
    /// Runs it.
    pub fn run(&self) -> Result<HookOver> {
        let environment = self.environment.clone().with(turn::MARK, &self.mark);
        let action = turn::reflog_action(&self.mark);
        let running = check::Running {
            command: &["sh".to_owned(), "-c".to_owned(), MARKED.to_owned(), self.command.clone(), action],
            environment: &environment,
            timeout: Some(self.deadline),
            config: &self.config,
            junit: None,
        };
        let watch = Stopwatch::start();
        let ran = check::run(&running, &mut |_| {});
        turn::end(&self.mark);
        let hook = self.hook;
        let not_run = |exit| Ok(HookOver { hook, exit, log: Vec::new(), sizes: (0, 0), record: None });
        match ran {
            Ok(ran) => {
                let exit = match ran.ended {
                    Ended::Interrupted(_) => Exit::Ended,
                    Ended::TimedOut => Exit::TimedOut,
                    ended => Exit::Code(ended.exit_code()),
                };
                let counts = &ran.summary.counts;
                let record = HookRecord {
                    hook: self.hook.as_str().to_owned(),
                    command: self.redactor.text(&self.command),
                    exit_code: i64::from(ran.ended.exit_code()),
                    duration_ms: watch.elapsed_ms(),
                    counts: ran.summary.counted.then_some((counts.passed, counts.failed, counts.skipped)),
                };
                Ok(HookOver { hook, exit, log: ran.log, sizes: (ran.printed, ran.redactions), record: Some(record) })
            }
            Err(error) if error.code == Code::Rapid004 => not_run(Exit::Ended),
            Err(error) if error.code == Code::Rapid1307 => not_run(Exit::NotStarted(error.message)),
            Err(error) => Err(error),
        }
    }
}
