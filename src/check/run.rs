//! One command from start to end: streamed live, kept to a cap without its secrets, its summary read from all of it.

use super::capture::Capture;
use super::redact::{Redactor, secret_values};
use super::summary::{self, Summary};
use crate::diagnostics::Result;
use crate::domain::config::Config;
use crate::os::{
    clock::Stopwatch,
    environment::Environment,
    process::{self, Ended, Invocation},
};
use std::time::Duration;

/// As much of an output as is read for its summary, in bytes; beyond it the summary does not count.
const READ: usize = 64 << 20;

/// What to run, and how.
pub struct Running<'a> {
    /// The command.
    pub command: &'a [String],
    /// Where, with which variables; what git leaks into hooks is taken out of it.
    pub environment: &'a Environment,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How much is kept, and what is secret.
    pub config: &'a Config,
}

/// How it went.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What is kept of its output, without secrets.
    pub log: Vec<u8>,
    /// How many bytes it printed.
    pub printed: u64,
    /// Whether something is not kept.
    pub truncated: bool,
    /// How many secrets were taken out.
    pub redactions: u64,
    /// What its output counts.
    pub summary: Summary,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Runs a command and hands its output to `live` as it comes.
///
/// # Errors
/// RAPID1307 when it could not be started; RAPID1600 when a pattern of the configuration is not one.
pub fn run(running: &Running<'_>, live: &mut dyn FnMut(&[u8])) -> Result<Ran> {
    let environment = running.environment.without_git();
    let redactor =
        Redactor::new(secret_values(&environment), &running.config.redact_patterns, &running.config.redact_allow)?;
    let program = running.command.first().cloned().unwrap_or_default();
    let mut invocation = Invocation::new(program, environment).arguments(running.command.iter().skip(1));
    if let Some(timeout) = running.timeout.or(running.config.check_timeout) {
        invocation = invocation.deadline(timeout);
    }
    let mut kept = Capture::new(usize::try_from(running.config.log_size).unwrap_or(usize::MAX));
    let mut all = Vec::new();
    let mut cut = false;
    let watch = Stopwatch::start();
    let finished = process::run(&invocation, &mut |piece| {
        kept.push(piece);
        let room = READ.saturating_sub(all.len());
        cut |= piece.len() > room;
        all.extend(piece.iter().take(room));
        live(piece);
    })?;
    let duration_ms = watch.elapsed_ms();
    let kept = kept.finish();
    let redacted = kept.redacted(&redactor);
    let summary = summary::recognise(&summary::Input {
        output: &all,
        exit_code: finished.ended.exit_code(),
        command: running.command,
        truncated: cut || finished.left_behind,
    });
    Ok(Ran {
        ended: finished.ended,
        log: redacted.bytes,
        printed: kept.size,
        truncated: kept.truncated(),
        redactions: u64::try_from(redacted.count).unwrap_or(u64::MAX),
        summary,
        duration_ms,
    })
}
