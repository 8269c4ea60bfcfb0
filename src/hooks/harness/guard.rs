//! What an agent's tool may not do: only a person decides, and what decides is not the agent's to change.
//!
//! Text is judged here, before a tool runs. What is read with certainty is judged by what it does; what is not is refused where
//! it speaks of git-rapid, in whatever spelling, and passes where it does not. It is a rail: a script passes it. What that
//! changed is found by `effect`, and `approve` has defences of its own.

mod git;
pub(super) mod ground;
mod judge;
mod programs;
mod rapid;
mod refs;
mod settings;
mod spelling;
mod wrappers;

pub use ground::Ground;

use super::call::Call;
use super::shell;
use crate::diagnostics::{Code, Diagnostic};
use crate::os::ancestry;
use crate::os::environment::Environment;
use judge::Judge;

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
const UNSURE: &str = "say it plainly, without what hides it; what is a person's to run, ask the person for";

/// Whether a call may be made.
pub fn judge(call: &Call, ground: &Ground) -> Result<(), Denied> {
    let cwd = call.cwd.clone().unwrap_or_else(|| ground.cwd.clone());
    for file in &call.files {
        if let Some(name) = ground.protects(&cwd, file) {
            return Err(Denied::new(format!("{} would write {name}", call.tool), LEAVE));
        }
    }
    call.commands.iter().try_for_each(|text| text_of(text, Judge::new(ground, cwd.clone(), text)))
}

/// Judges shell text.
fn text_of(text: &str, mut judge: Judge<'_>) -> Result<(), Denied> {
    let commands = match shell::commands(text) {
        Ok(commands) if judge.depth <= DEEPEST => commands,
        _ => return Err(Denied::new("the command is nested too deeply to be read", PLAIN)),
    };
    judge.begin(text, &commands);
    let mut fed = None;
    for command in &commands {
        judge.command(command, fed)?;
        fed = command.pipes.then_some(command);
    }
    Ok(())
}

/// Whether a word stands for something that is only known when it runs.
fn is_unresolved(word: &str) -> bool {
    word.contains(['$', '`']) || (word.contains(['*', '?', '[']) && !["[", "[["].contains(&word))
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
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_EXEC_PATH" if !["", "/dev/null"].contains(&value) => {
            Err(Denied::new(format!("{name} would put other settings or programs under git"), PLAIN))
        }
        _ if name.starts_with("GIT_CONFIG_KEY_") && settings::is_guarded_key(value) => {
            Err(Denied::new(format!("it would set '{value}' for git"), PLAIN))
        }
        _ => Ok(()),
    }
}
