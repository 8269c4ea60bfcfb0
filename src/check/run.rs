//! One command from start to end: streamed live, kept to a cap without its secrets, its summary read from all of it.

use super::capture::Capture;
use super::junit;
use super::reading::{Reading, readable};
use super::redact::{Redactor, secret_values};
use super::report::Expected;
use super::summary::{self, Summary};
use crate::diagnostics::Result;
use crate::domain::{config::Config, test_list::TestList};
use crate::os::{
    clock::Stopwatch,
    environment::Environment,
    process::{self, Ended, Invocation},
};
use std::path::Path;
use std::time::Duration;

/// What `check` would read out of an output that was captured elsewhere, and of a report beside it, however old that is.
pub fn read_captured(output: &[u8], exit_code: i32, command: &[String], junit: Option<&Path>) -> Summary {
    let read = readable(output);
    let input =
        summary::Input { output: read, exit_code, command, truncated: read.len() < output.len() && junit.is_none() };
    let text = summary::recognise(&input);
    match junit {
        None => text,
        Some(path) => {
            let expected = Expected::whenever_written(path);
            expected.named(junit::conclude(text, exit_code, &expected.found()))
        }
    }
}

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
    /// Where the command writes a report of its tests, a file or a directory, whose numbers count instead of the output's.
    pub junit: Option<&'a Path>,
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
    /// Its tests by name, without secrets, where the names are known.
    pub tests: Option<TestList>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Runs a command and hands its output to `live` as it comes.
///
/// # Errors
/// RAPID1307 when it could not be started; RAPID1600 when a pattern of the configuration is not one; RAPID002 when the place of
/// the report cannot be looked at.
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
    let expected = running.junit.map(Expected::at).transpose()?;
    let watch = Stopwatch::start();
    let (finished, reading) = std::thread::scope(|scope| {
        let mut reading = Reading::new(scope, running.command);
        let finished = process::run(&invocation, &mut |piece| {
            kept.push(piece);
            reading.push(piece);
            live(piece);
        })?;
        Ok((finished, reading.finish()))
    })?;
    let duration_ms = watch.elapsed_ms();
    let kept = kept.finish();
    let redacted = kept.redacted(&redactor);
    let input = summary::Input {
        output: &reading.output,
        exit_code: finished.ended.exit_code(),
        command: running.command,
        truncated: (reading.cut && expected.is_none()) || finished.left_behind,
    };
    let text = reading.found.conclude(&input);
    let (summary, tests) = match expected {
        None => {
            let tests = summary::named(&input, &text);
            (text, tests)
        }
        Some(expected) => {
            let report = expected.found();
            let summary = expected.named(junit::conclude(text, input.exit_code, &report));
            (summary, report.ok().filter(|report| report.fault.is_none()).map(|report| report.tests))
        }
    };
    let tests = tests.and_then(TestList::kept).map(|tests| without_secrets(tests, &redactor));
    Ok(Ran {
        ended: finished.ended,
        log: redacted.bytes,
        printed: kept.size,
        truncated: kept.truncated(),
        redactions: u64::try_from(redacted.count).unwrap_or(u64::MAX),
        summary,
        tests,
        duration_ms,
    })
}

/// The list without secrets in its names. Most lists have none, which is seen on all names at once.
fn without_secrets(tests: TestList, redactor: &Redactor) -> TestList {
    let all = tests.names().collect::<Vec<_>>().join("\n");
    if redactor.redact(all.as_bytes()).count == 0 {
        return tests;
    }
    tests.renamed(|name| String::from_utf8_lossy(&redactor.redact(name.as_bytes()).bytes).into_owned())
}
