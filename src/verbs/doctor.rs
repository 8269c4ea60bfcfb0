//! `doctor`: what of this machine and this clone git-rapid depends on, and the one command that mends what is wrong.

mod clone;
mod machine;
mod rules;

use super::{check, rapid::Rapid};
use crate::diagnostics::{Diagnostic, Result};
use crate::os::environment::Environment;

/// One thing that was looked at.
pub struct Finding {
    /// What.
    pub name: &'static str,
    /// How it was found.
    pub state: State,
    /// In words.
    pub words: String,
    /// The command that mends it, or what it means.
    pub hint: Option<String>,
}

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Good,
    /// Worth knowing.
    Note,
    /// Wrong.
    Bad,
}

impl State {
    /// As `doctor --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Good => "good",
            State::Note => "note",
            State::Bad => "bad",
        }
    }
}

fn finding(name: &'static str, state: State, words: impl Into<String>, hint: Option<String>) -> Finding {
    Finding { name, state, words: words.into(), hint }
}

/// Looks at everything; it never stops at the first fault.
pub fn doctor(environment: &Environment) -> Vec<Finding> {
    let mut out = vec![machine::git(environment)];
    out.extend(machine::program(environment));
    let rapid = match Rapid::open(environment) {
        Ok(rapid) => rapid,
        Err(error) => {
            out.push(wrong("repository", &error));
            return out;
        }
    };
    out.push(clone::storage(&rapid));
    out.extend(machine::room(&rapid));
    out.extend(clone::head(&rapid));
    out.push(clone::ledger(&rapid));
    out.extend(machine::clock(&rapid));
    out.extend(clone::damage(&rapid));
    out.extend(clone::leftovers(&rapid));
    out.extend(clone::worktrees_of_runs(&rapid));
    out.extend(clone::spool(&rapid));
    out.extend(clone::remotes(&rapid));
    out.extend(rules::configuration(&rapid));
    out.push(machine::identity(&rapid));
    out.push(clone::session(&rapid));
    out
}

/// What is wrong, with the first thing that its diagnostic says to do; at the least, its page.
fn wrong(name: &'static str, error: &Diagnostic) -> Finding {
    let hint = error.hints.first().cloned().unwrap_or_else(|| format!("git rapid explain {}", error.code));
    finding(name, State::Bad, error.to_string(), Some(hint))
}

/// Mends what can be mended without risk; says what was done.
///
/// # Errors
/// As [`crate::ledger::Ledger::mend`].
pub fn repair(environment: &Environment) -> Result<Vec<String>> {
    let rapid = Rapid::open(environment)?;
    let mut done = rapid.registry().ledger().mend()?;
    let swept = check::sweep(rapid.repository())?;
    done.extend(swept.iter().map(|path| format!("removed '{}', which a killed check left behind", path.display())));
    done.extend(rapid.registry().fold_or_set_aside()?);
    Ok(done)
}
