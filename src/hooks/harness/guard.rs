//! What an agent's tool may not do: only a person decides, and what decides is not the agent's to change.
//!
//! Text is judged here, before a tool runs. It is a rail: a command put together at run time passes it. What that changed is
//! found by `effect`, and `approve` has defences of its own.

mod git;
pub(super) mod ground;
mod programs;

pub use ground::Ground;

use super::call::Call;
use super::shell::{self, Simple};
use crate::diagnostics::{Code, Diagnostic};
use crate::os::ancestry;
use crate::os::environment::Environment;
use std::path::PathBuf;

/// How often text within text is followed (`sh -c "sh -c …"`).
const DEEPEST: usize = 6;

/// Why a tool call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    /// What it would do.
    pub what: String,
    /// What to do instead.
    pub instead: &'static str,
}

impl Denied {
    fn new(what: impl Into<String>, instead: &'static str) -> Denied {
        Denied { what: what.into(), instead }
    }

    /// As a refusal.
    pub fn diagnostic(&self) -> Diagnostic {
        Code::Rapid1634.because(format!("refused before it ran: {}", self.what)).hint(self.instead)
    }
}

const ASK: &str = "stop and ask the person: they run it in their own terminal";
const LEAVE: &str = "leave it as it is; ask the person when it has to change";
const PLAIN: &str = "run the command plainly, as it is";

/// Whether a call may be made.
pub fn judge(call: &Call, ground: &Ground) -> Result<(), Denied> {
    let cwd = call.cwd.clone().unwrap_or_else(|| ground.cwd.clone());
    for file in &call.files {
        if let Some(name) = ground.protects(&cwd, file) {
            return Err(Denied::new(format!("{} would write {name}", call.tool), LEAVE));
        }
    }
    call.commands.iter().try_for_each(|text| text_of(text, &cwd, ground, 0))
}

/// Judges shell text.
fn text_of(text: &str, cwd: &std::path::Path, ground: &Ground, depth: usize) -> Result<(), Denied> {
    let commands = match shell::commands(text) {
        Ok(commands) if depth <= DEEPEST => commands,
        _ => return Err(Denied::new("the command is nested too deeply to be read", PLAIN)),
    };
    let mut judge = Judge { ground, cwd: cwd.to_owned(), depth };
    let mut fed: Option<&Simple> = None;
    for command in &commands {
        judge.command(command, fed)?;
        fed = command.pipes.then_some(command);
    }
    Ok(())
}

struct Judge<'g> {
    ground: &'g Ground,
    /// Where the text has gone by now.
    cwd: PathBuf,
    depth: usize,
}

impl Judge<'_> {
    fn text(&self, text: &str) -> Result<(), Denied> {
        text_of(text, &self.cwd, self.ground, self.depth + 1)
    }

    fn command(&mut self, command: &Simple, fed: Option<&Simple>) -> Result<(), Denied> {
        for target in &command.writes {
            self.writes(target, "a redirection")?;
        }
        for (name, value) in &command.assignments {
            sets(name, value)?;
        }
        let unwrapped = programs::unwrap(&command.words)?;
        let Some((program, arguments)) = unwrapped.split_first() else { return Ok(()) };
        let program = programs::name(program);
        match program.as_str() {
            "cd" | "pushd" => {
                let to = arguments.iter().find(|word| !word.starts_with('-'));
                self.cwd = to.map_or_else(|| self.cwd.clone(), |to| self.cwd.join(to));
                return Ok(());
            }
            "unset" => return arguments.iter().try_for_each(|name| unsets(name)),
            "export" | "declare" | "typeset" | "local" | "readonly" | "set" => {
                let unsetting = arguments.iter().any(|word| word == "-n" || word == "+x");
                for word in arguments {
                    match word.split_once('=') {
                        Some((name, value)) => sets(name, value)?,
                        None if unsetting => unsets(word)?,
                        None => {}
                    }
                }
                return Ok(());
            }
            "alias" => {
                return arguments
                    .iter()
                    .filter_map(|word| word.split_once('='))
                    .try_for_each(|(_, text)| self.text(text));
            }
            "eval" => return self.text(&arguments.join(" ")),
            "git" | "git-rapid" => git::judge(self, &program, arguments)?,
            _ => {}
        }
        if let Some(faker) = programs::fakes_a_terminal(&program, arguments) {
            return Err(Denied::new(format!("'{faker}' would stand in for a person's terminal"), ASK));
        }
        if programs::is_shell(&program) {
            if let Some(text) = programs::text_of_shell(arguments) {
                self.text(text)?;
            }
            self.text(&command.input)?;
            if let Some(fed) = fed.filter(|_| programs::reads_input(arguments)) {
                self.fed(fed)?;
            }
        } else if programs::is_interpreter(&program) {
            let code = arguments.iter().filter(|word| word.contains([' ', '(', '\n'])).chain([&command.input]);
            code.into_iter().try_for_each(|code| self.code(&program, code))?;
        }
        if programs::runs_words(&program, arguments) {
            // Text for another shell: a terminal multiplexer, a remote, a runner.
            arguments.iter().filter(|word| speaks_of_a_decision(word)).try_for_each(|word| self.text(word))?;
        }
        if !programs::only_reads(&program, arguments) {
            let removes = programs::removes(&program);
            for word in arguments {
                for part in [word.as_str()].into_iter().chain(word.split_once('=').map(|(_, part)| part)) {
                    self.writes(part, &program)?;
                    if removes && let Some(name) = self.ground.holds(&self.cwd, part) {
                        return Err(Denied::new(format!("'{program}' would take {name} away"), LEAVE));
                    }
                }
            }
        }
        Ok(())
    }

    /// What a shell is fed through a pipe, when that is printed in the same text.
    fn fed(&self, from: &Simple) -> Result<(), Denied> {
        match from.words.split_first() {
            Some((program, words)) if matches!(programs::name(program).as_str(), "echo" | "printf") => {
                self.text(&words.join(" "))
            }
            Some((program, _)) if programs::name(program) == "cat" => self.text(&from.input),
            _ => Ok(()),
        }
    }

    fn writes(&self, target: &str, by: &str) -> Result<(), Denied> {
        match self.ground.protects(&self.cwd, target) {
            Some(name) => Err(Denied::new(format!("'{by}' would write {name}"), LEAVE)),
            None => Ok(()),
        }
    }

    /// Code for an interpreter: looked at as words, since it is no shell's.
    fn code(&self, program: &str, code: &str) -> Result<(), Denied> {
        if let Some(word) = ["openpty", "forkpty", "pty.spawn", "pty.fork", "import pty", "pexpect", "node-pty"]
            .iter()
            .find(|word| code.contains(**word))
        {
            return Err(Denied::new(format!("'{word}' in {program} would stand in for a person's terminal"), ASK));
        }
        if let Some(name) = self.ground.mentions(code) {
            return Err(Denied::new(format!("{program} code speaks of {name}"), LEAVE));
        }
        let flat: String =
            code.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { ' ' }).collect();
        match speaks_of_a_decision(&flat) {
            true => self.text(&flat_from_git(&flat)),
            false => Ok(()),
        }
    }
}

/// The words from the first `git` or `git-rapid` on: what stands before is the interpreter's.
fn flat_from_git(flat: &str) -> String {
    let words: Vec<&str> = flat.split_whitespace().skip_while(|word| *word != "git" && *word != "git-rapid").collect();
    words.join(" ")
}

/// Whether a word holds a command line of ours that decides something.
fn speaks_of_a_decision(word: &str) -> bool {
    word.contains("rapid")
        && word.contains(char::is_whitespace)
        && ["approve", "abort", "gate", "evidence", "expunge", "accept-test-command"]
            .iter()
            .any(|verb| word.contains(verb))
}

/// Whether a variable is the mark of an agent.
fn is_mark(name: &str) -> bool {
    !ancestry::agent_markers(&Environment::from_pairs("/", [(name, "1")])).is_empty()
}

fn unsets(name: &str) -> Result<(), Denied> {
    match is_mark(name) {
        true => Err(Denied::new(format!("it would unset {name}, which says that an agent is at work"), PLAIN)),
        false => Ok(()),
    }
}

fn sets(name: &str, value: &str) -> Result<(), Denied> {
    match name {
        _ if is_mark(name) => {
            Err(Denied::new(format!("it would change {name}, which says that an agent is at work"), PLAIN))
        }
        "HUSKY" | "LEFTHOOK" if value == "0" => {
            Err(Denied::new(format!("{name}=0 would switch git's hooks off"), PLAIN))
        }
        "GIT_CONFIG_PARAMETERS" => Err(Denied::new("it would put settings under git", PLAIN)),
        _ if name.starts_with("GIT_CONFIG_KEY_") && git::is_guarded_key(value) => {
            Err(Denied::new(format!("it would set '{value}' for git"), PLAIN))
        }
        _ => Ok(()),
    }
}
