//! Groups of arguments that several commands share, and values that are read the same way everywhere.

use crate::diagnostics::{Diagnostic, Result};
use crate::domain::{
    ids::{RunId, TaskId},
    mode::Mode,
    near::or_near,
    quantity,
};
use std::time::Duration;

/// `--json`, the same everywhere.
#[derive(clap::Args)]
pub struct Json {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `--run ID`, the same everywhere.
#[derive(clap::Args)]
pub struct OfRun {
    /// The run; the active one when left out
    #[arg(long, value_name = "ID", value_parser = run_id)]
    pub run: Option<RunId>,
}

/// What clap shows of a value that is refused.
pub fn shown(error: Diagnostic) -> String {
    let hints: Vec<String> = error.hints.iter().map(|hint| format!("; {hint}")).collect();
    format!("{}{}", error.message, hints.concat())
}

/// Reads a run id.
pub fn run_id(text: &str) -> std::result::Result<RunId, String> {
    RunId::parse(text).map_err(|error| shown(error.hint("see the runs: git rapid run list")))
}

/// Reads a task's id; whoever left out the zeros is told of them.
pub fn task(text: &str) -> Result<TaskId> {
    TaskId::parse(text).map_err(|error| {
        let digits = text.trim_start_matches(['T', 't']);
        match digits.parse::<u32>().ok().and_then(|number| TaskId::parse(&format!("T{number:03}")).ok()) {
            Some(meant) => error.hint(format!("did you mean '{meant}'?")),
            None => error.hint("see the tasks of the run: git rapid status"),
        }
    })
}

/// Reads a revision, as `r2` or as `2`.
pub fn revision(text: &str) -> std::result::Result<u32, String> {
    let number = text.strip_prefix('r').unwrap_or(text);
    number.parse().map_err(|_| format!("'{}' is no revision: write it as r2, or 2", text.escape_debug()))
}

/// Reads a time limit.
pub fn duration(text: &str) -> std::result::Result<Duration, String> {
    quantity::duration(text).map_err(shown)
}

/// Reads standard input or a file, up to a cap.
pub fn read_input(file: &str, environment: &crate::os::environment::Environment, cap: u64) -> Result<Vec<u8>> {
    use crate::diagnostics::Code;
    use std::io::Read;
    if file != "-" {
        return crate::os::files::read(&environment.cwd().join(file), cap);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(cap.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Code::Rapid002.because(format!("standard input cannot be read: {error}")))?;
    match bytes.len() as u64 > cap {
        true => Err(Code::Rapid1525.because(format!("standard input has more than {cap} bytes"))),
        false => Ok(bytes),
    }
}

/// Reads a kind of work (RAPID001).
pub fn mode(text: &str) -> Result<Mode> {
    Mode::from_alias(text).ok_or_else(|| {
        let known: Vec<&str> = Mode::ALL.iter().map(|mode| mode.as_str()).collect();
        let missing = crate::diagnostics::Code::Rapid001.because(format!("'{}' is not a mode", text.escape_debug()));
        or_near(missing, text, &known, "use feature, bugfix, refactor, hardening or research")
    })
}
