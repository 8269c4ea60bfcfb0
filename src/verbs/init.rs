//! `init`: the configuration file and the fetch refspec (hooks are put in by `hooks`). Repeatable; it changes nothing that exists.

mod detect;

use super::rapid::{CONFIG_PATH, Rapid};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, typed::typed};
use crate::git::Kind;
use crate::os::files;
use std::path::Path;

/// The largest file of a set-up, in bytes.
const CAP: u64 = 4 << 20;

/// What `init` did, or found done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The configuration was written now.
    pub wrote_config: bool,
    /// The test command that the new configuration names.
    pub test_command: Option<Vec<String>>,
    /// The remotes that got a fetch refspec now.
    pub remotes: Vec<String>,
}

/// The refspec that brings a remote's ledger into its tracker. Forced and with a wildcard: an exact one would break
/// `git fetch` on a remote without a ledger, an unforced one would let a remote break `git pull` (design §4.5).
pub fn refspec(remote: &str) -> String {
    format!("+refs/rapid/*:refs/rapid-local/remotes/{remote}/*")
}

/// Sets a repository up; `command` is its test command, where somebody says it.
pub fn init(rapid: &Rapid, command: Option<Vec<String>>) -> Result<Outcome> {
    let repository = rapid.repository();
    let top = repository.require_workdir()?;
    let path = top.join(CONFIG_PATH);
    let mut outcome = Outcome { wrote_config: false, test_command: None, remotes: Vec::new() };
    let there = files::read_if_there(&path, 1 << 20)?;
    // What was written without a command and not touched since is filled in, once one is said.
    let waits = command.is_some() && there.as_deref() == Some(config_text(None).as_bytes());
    if there.is_none() || waits {
        let command = command.or_else(|| detect::test_command(top));
        files::create_dir_all(&top.join(".rapid"))?;
        files::write_atomically(&path, config_text(command.as_deref()).as_bytes())?;
        outcome.wrote_config = true;
        outcome.test_command = command;
    } else {
        outcome.test_command = rapid.working_config()?.test_command;
        if command.is_some() && command != outcome.test_command {
            return Err(Code::Rapid001
                .because(format!("{CONFIG_PATH} is there already, and init changes nothing that exists"))
                .at(CONFIG_PATH)
                .hint("change test_command in it"));
        }
    }
    for remote in repository.remote_names() {
        let key = format!("remote.{remote}.fetch");
        if !repository.config_texts(&key).contains(&refspec(&remote)) {
            repository.git().arguments(["config", "--add"]).argument(&key).argument(refspec(&remote)).run()?;
            outcome.remotes.push(remote);
        }
    }
    Ok(outcome)
}

/// What a person does next: commit the configuration and these other files of the project, as far as `HEAD` has them otherwise, and
/// begin a run.
pub fn next_steps(rapid: &Rapid, others: &[String]) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for path in [CONFIG_PATH].into_iter().chain(others.iter().map(String::as_str)) {
        if !is_committed(rapid, path)? {
            // From the top, wherever this is typed.
            files.push(format!(":/{path}"));
        }
    }
    let start = "git rapid start feature --title '…' --task '…'".to_owned();
    if files.is_empty() {
        return Ok(vec![start]);
    }
    // Without one nothing that a run does is shown to work.
    let asks = rapid.working_config()?.test_command.is_none();
    let first = asks.then(|| "say how your tests are run, such as: git rapid init -- npm run check".to_owned());
    let commit = format!("git add {} && git commit -m 'Set up git-rapid'", typed(&files));
    // A run counts for a branch under rules that the branch has.
    let remote = rapid.repository().remote_names().into_iter().next();
    let push = remote.map(|remote| {
        let head = rapid.repository().head().ok().and_then(|head| head.branch);
        typed(&["git", "push", &remote, head.as_deref().unwrap_or("HEAD")])
    });
    Ok(first.into_iter().chain([commit]).chain(push).chain([start]).collect())
}

/// Whether `HEAD` has a file as it is.
fn is_committed(rapid: &Rapid, path: &str) -> Result<bool> {
    let repository = rapid.repository();
    let there = files::read_if_there(&repository.require_workdir()?.join(path), CAP)?;
    let committed = repository.lookup(repository.head()?.tree, path)?;
    let committed = committed.map(|found| repository.read_verified(found.id, Kind::Blob, CAP)).transpose()?;
    Ok(there == committed)
}

/// The configuration of a project that has none yet.
pub fn fresh_config(top: &Path) -> String {
    config_text(detect::test_command(top).as_deref())
}

fn config_text(command: Option<&[String]>) -> String {
    let line = match command {
        Some(words) => {
            // A string of JSON is one of TOML.
            let quoted: Vec<String> = words.iter().map(|word| Value::from(word).canonical()).collect();
            format!("test_command = [{}]", quoted.join(", "))
        }
        None => "# test_command = [\"cargo\", \"test\"]".to_owned(),
    };
    include_str!("../../templates/config.toml").replace("{{test_command}}", &line)
}
