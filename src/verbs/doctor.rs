//! `doctor`: what of this machine and this clone git-rapid depends on, and the one command that mends what is wrong.

use super::{check, rapid::Rapid};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Git, RefStorage};
use crate::ledger::Damage;
use crate::os::environment::Environment;
use std::path::PathBuf;

/// The oldest git that is known to do.
const OLDEST: (u32, u32) = (2, 34);

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
    let mut out = vec![git(environment)];
    let rapid = match Rapid::open(environment) {
        Ok(rapid) => rapid,
        Err(error) => {
            out.push(wrong("repository", &error));
            return out;
        }
    };
    out.push(storage(&rapid));
    out.push(ledger(&rapid));
    out.extend(damage(&rapid));
    out.extend(leftovers(&rapid));
    out.extend(spool(&rapid));
    out.push(configuration(&rapid));
    out.push(identity(&rapid));
    out.push(session(&rapid));
    out
}

fn wrong(name: &'static str, error: &Diagnostic) -> Finding {
    finding(name, State::Bad, error.to_string(), error.hints.first().cloned())
}

fn git(environment: &Environment) -> Finding {
    let version = Git::new(environment).argument("version").run();
    let version = match version {
        Ok(output) => output.text().trim().trim_start_matches("git version ").to_owned(),
        Err(error) => return wrong("git", &error),
    };
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    match found >= OLDEST {
        true => {
            finding("git", State::Good, format!("git {version}; push, fetch, merges and worktrees go through it"), None)
        }
        false => finding(
            "git",
            State::Bad,
            format!("git {version} is too old"),
            Some(format!("install git {}.{} or newer", OLDEST.0, OLDEST.1)),
        ),
    }
}

fn storage(rapid: &Rapid) -> Finding {
    let repository = rapid.repository();
    let format = repository.format().as_str();
    let place = repository.common_dir().display();
    match repository.ref_storage() {
        RefStorage::Files => finding("repository", State::Good, format!("{place}, {format}, refs in files"), None),
        RefStorage::Reftable => finding(
            "repository",
            State::Note,
            format!("{place}, {format}, refs in reftable"),
            Some("refs are read and written through the git executable here, which is slower".to_owned()),
        ),
    }
}

fn ledger(rapid: &Rapid) -> Finding {
    let registry = rapid.registry();
    let cut = registry.ledger().cut_at().unwrap_or_default();
    match registry.ledger().existing_view() {
        Ok(_) if !cut.is_empty() => finding(
            "ledger",
            State::Note,
            "this clone is shallow and lacks the older entries: nothing can be proved here",
            Some("git fetch --unshallow, then git rapid fetch".to_owned()),
        ),
        Ok(view) => finding(
            "ledger",
            State::Good,
            format!("newest entry {}", view.tip().map_or_else(String::new, |tip| tip.short())),
            None,
        ),
        Err(error) if error.code == Code::Rapid1510 => {
            finding("ledger", State::Note, error.message.clone(), error.hints.first().cloned())
        }
        Err(error) => wrong("ledger", &error),
    }
}

/// Refs that hold nothing, and locks that a process left behind when it died: git would wait for those for ever.
fn damage(rapid: &Rapid) -> Vec<Finding> {
    let damage = rapid.registry().ledger().damage();
    let repair = || Some("git rapid doctor --repair".to_owned());
    let told = damage.into_iter().map(|damage| {
        let mends = damage.can_be_mended();
        match damage {
            Damage::Empty(name) => {
                finding("ref", State::Bad, format!("'{name}' holds nothing, as after a power cut"), repair())
            }
            Damage::Lock { path, age, holders } => {
                let held = match holders {
                    Some(holders) if holders.is_empty() => "no process has it open".to_owned(),
                    Some(holders) => format!("process {} has it open", shown(&holders)),
                    None => "this system does not tell who has it open".to_owned(),
                };
                let by_hand = format!("if no git command is running here: rm '{}'", path.display());
                let hint = if mends { repair() } else { Some(by_hand) };
                finding("lock", State::Bad, format!("'{}' is {age} seconds old; {held}", path.display()), hint)
            }
        }
    });
    told.collect()
}

/// Throw-away worktrees of checks whose process was killed.
fn leftovers(rapid: &Rapid) -> Vec<Finding> {
    let found = match check::leftovers(rapid.repository()) {
        Ok(found) => found,
        Err(error) => return vec![wrong("worktree", &error)],
    };
    let words = |path: PathBuf| format!("'{}' was left behind by a check that was killed", path.display());
    let repair = || Some("git rapid doctor --repair".to_owned());
    found.into_iter().map(|path| finding("worktree", State::Note, words(path), repair())).collect()
}

fn shown(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
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

/// What waits in the spool; nothing where none does.
fn spool(rapid: &Rapid) -> Option<Finding> {
    match rapid.registry().waiting() {
        Ok(waiting) if waiting.is_empty() => None,
        Ok(waiting) => {
            let (words, hint) = rapid.registry().told_of_waiting(waiting.len()).ok()?;
            let apart = rapid.registry().ledger().waits_apart().unwrap_or(false);
            let words = format!("{words} ('{}')", rapid.repository().spool_dir().display());
            Some(finding("spool", if apart { State::Bad } else { State::Note }, words, Some(hint)))
        }
        Err(error) => Some(finding("spool", State::Bad, error.to_string(), error.hints.last().cloned())),
    }
}

fn configuration(rapid: &Rapid) -> Finding {
    match rapid.working_config() {
        Ok(config) => match config.test_command {
            Some(command) => {
                finding("configuration", State::Good, format!("test command: {}", command.join(" ")), None)
            }
            None => finding(
                "configuration",
                State::Note,
                "no test command is set",
                Some("set test_command in .rapid/config.toml".to_owned()),
            ),
        },
        Err(error) => wrong("configuration", &error),
    }
}

fn identity(rapid: &Rapid) -> Finding {
    let who = rapid.repository().identity();
    match who == crate::git::Identity::fallback() {
        false => finding("identity", State::Good, format!("{} <{}>", who.name, who.email), None),
        true => finding(
            "identity",
            State::Note,
            "git knows no name here; entries are written as git-rapid",
            Some("git config --global user.name 'Your Name'".to_owned()),
        ),
    }
}

fn session(rapid: &Rapid) -> Finding {
    let look = || -> Result<String> {
        let Some(session) = rapid.session()? else { return Ok("no run is active here".to_owned()) };
        let (_, run) = rapid.run(None)?;
        Ok(format!("run {} is {}", session.active_run_id, run.state()?.status))
    };
    match look() {
        Ok(words) => finding("session", State::Good, words, None),
        Err(error) => wrong("session", &error),
    }
}
