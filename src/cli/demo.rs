//! `git rapid demo`: runs the demonstration's script, each step shown as the command a user would type, with its real output.

use super::{shared, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::os::{
    environment::Environment,
    files,
    process::{Ended, Invocation, attached},
};
use crate::verbs::demo::{Ends, Step, place, script};
use anstyle::AnsiColor;
use std::path::{Path, PathBuf};

/// Show the whole loop on a small real project, in a fresh repository
#[derive(clap::Args)]
pub struct Args {
    /// Where; a new temporary directory when left out
    dir: Option<PathBuf>,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let top = place(args.dir.map(|dir| environment.cwd().join(dir)).as_deref())?;
    let tools = tempfile::tempdir()
        .map_err(|error| Code::Rapid002.because(format!("no temporary directory can be made: {error}")))?;
    let environment = with_ourselves(environment, tools.path())?;
    ui.line(format!("The demonstration runs in {}", top.display()));
    let mut show = Show { top: &top, environment, last: Ended::Exited(0) };
    show.all(&script(), ui)?;
    ui.line("");
    ui.line(format!(
        "Look around: cd {} && git rapid log",
        shared::typed(&[top.join("discounts").display().to_string()])
    ));
    Ok(0)
}

/// The environment with this very program as `git-rapid` on the PATH, so that `git rapid` runs it, and without what would
/// bind git to another repository.
fn with_ourselves(environment: &Environment, tools: &Path) -> Result<Environment> {
    let failed = |error: std::io::Error| Code::Rapid002.because(format!("this program cannot be found again: {error}"));
    let program = std::env::current_exe().map_err(failed)?;
    std::os::unix::fs::symlink(program, tools.join("git-rapid")).map_err(failed)?;
    let mut path = tools.as_os_str().to_owned();
    if let Some(rest) = environment.get("PATH") {
        path.push(":");
        path.push(rest);
    }
    Ok(environment.without_git().with("PATH", path))
}

struct Show<'a> {
    top: &'a Path,
    environment: Environment,
    last: Ended,
}

impl Show<'_> {
    fn all(&mut self, steps: &[Step], ui: &mut Ui) -> Result<()> {
        steps.iter().try_for_each(|step| self.step(step, ui))
    }

    fn step(&mut self, step: &Step, ui: &mut Ui) -> Result<()> {
        match step {
            Step::Part(title) => {
                ui.line("");
                ui.marked("#", AnsiColor::Cyan, title);
            }
            Step::Say(text) => {
                ui.line("");
                ui.line(text);
            }
            Step::Write { who, path, text } => {
                let place = self.top.join(path);
                if let Some(directory) = place.parent() {
                    files::create_dir_all(directory)?;
                }
                files::write_atomically(&place, text.as_bytes())?;
                ui.line(format!("({who} {path})"));
            }
            Step::Run { at, command, ends, quiet } => self.run(at, command, *ends, *quiet, ui)?,
            Step::Fork { approved, refused } => match self.last.success() {
                true => self.all(approved, ui)?,
                false => self.all(refused, ui)?,
            },
        }
        Ok(())
    }

    fn run(&mut self, at: &str, command: &[&str], ends: Ends, quiet: bool, ui: &mut Ui) -> Result<()> {
        let words: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        let shown = shared::typed(&words);
        if !quiet {
            ui.line("");
            let place = if at == "." { String::new() } else { format!("{at} ") };
            ui.marked(&format!("{place}$"), AnsiColor::Green, &shown);
        }
        ui.end().map_err(|error| Code::Rapid002.because(format!("the output cannot be written: {error}")))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| Code::Rapid003.because("a step names no command"))?;
        let environment = self.environment.clone().in_directory(self.top.join(at));
        let ended = attached(&Invocation::new(program, environment).arguments(arguments).sharing_terminal())?;
        self.last = ended;
        if let Ended::Interrupted(signal) = ended {
            return Err(Code::Rapid004.because(format!("the demonstration was interrupted by signal {signal}")));
        }
        let expected = match ends {
            Ends::Well => ended.success(),
            Ends::Badly => !ended.success(),
            Ends::Either => true,
        };
        match expected {
            true => Ok(()),
            false => Err(Code::Rapid003.because(format!(
                "'{shown}' ended with status {}, which the demonstration did not expect",
                ended.exit_code()
            ))),
        }
    }
}
