//! `git rapid hook <name>`: the entry point of git's hooks and of harness hooks. Called by the stubs, not by people.

use super::{exit, harness_hook, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::hooks::{self, Answer, Moment};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

/// The longest list of refs that is read, in bytes.
const CAP: u64 = 256 << 20;

/// Entry point of git hooks and harness hooks; git and the harness call it
#[derive(clap::Args)]
pub struct Args {
    /// A hook of git, or 'harness' with the harness and its event
    name: String,
    /// What the hook was given
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// What harnesses call comes by this name, and looks for its repository itself.
const HARNESS: &str = "harness";

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    if args.name == HARNESS {
        let words: Vec<String> = args.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        return harness_hook::run(&words, environment, ui);
    }
    let Some(moment) = Moment::named(&args.name) else {
        let known: Vec<&str> = Moment::ALL.iter().map(|moment| moment.as_str()).collect();
        return Err(Code::Rapid1614
            .because(format!("there is no hook '{}'", args.name.escape_debug()))
            .hint(format!("the hooks are {}", known.join(", "))));
    };
    let answer = git_hook(moment, &args.arguments, environment);
    match answer {
        Ok(answer) => Ok(tell(ui, &answer)),
        // These two only add something; a fault in them is no reason to stop git.
        Err(error) if matches!(moment, Moment::PrepareCommitMsg | Moment::PostCheckout) => {
            ui.note(&format!("git-rapid: {moment}: {}", error.message));
            Ok(0)
        }
        Err(error) => Err(error),
    }
}

fn git_hook(moment: Moment, arguments: &[OsString], environment: &Environment) -> Result<Answer> {
    let lines = if moment.reads_lines() { standard_input()? } else { Vec::new() };
    let rapid = Rapid::of(Repository::of_hook(environment)?);
    // A path or a URL need not be text; what is not is only shown.
    let argument = |at: usize| arguments.get(at).map(|word| word.to_string_lossy());
    let needed = |at: usize| {
        arguments
            .get(at)
            .ok_or_else(|| Code::Rapid1614.because(format!("{moment} was given {} arguments", arguments.len())))
    };
    let word = |at: usize| needed(at).map(|word| word.to_string_lossy());
    match moment {
        Moment::PrePush => hooks::pre_push(&rapid, &word(0)?, &lines),
        Moment::PrepareCommitMsg => {
            hooks::prepare_commit_msg(&rapid, Path::new(needed(0)?), argument(1).as_deref(), environment)
        }
        Moment::PostCheckout => hooks::post_checkout(&rapid, &word(1)?, &word(2)?),
        Moment::ReferenceTransaction => hooks::reference_transaction(&rapid, &word(0)?, &lines),
        Moment::PreReceive => hooks::pre_receive(&rapid, &lines),
        Moment::PostReceive => hooks::post_receive(&rapid, &lines),
    }
}

fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(CAP).read_to_end(&mut bytes);
    read.map_err(|error| Code::Rapid002.because(format!("standard input cannot be read: {error}")))?;
    Ok(bytes)
}

/// Everything is said; the worst of it is the exit status.
fn tell(ui: &mut Ui, answer: &Answer) -> i32 {
    for note in &answer.notes {
        ui.note(note);
    }
    for diagnostic in &answer.said {
        ui.diagnostic(diagnostic);
    }
    match answer.refuses() {
        true => answer.said.iter().map(exit::status_of).max().unwrap_or(1),
        false => 0,
    }
}
