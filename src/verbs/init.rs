//! `init`: the configuration file and the fetch refspec (hooks are put in by `hooks`). Repeatable; it changes nothing that exists.

use super::rapid::{CONFIG_PATH, Rapid};
use crate::diagnostics::Result;
use crate::os::files;
use std::path::Path;

/// What `init` did, or found done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The configuration was written now.
    pub wrote_config: bool,
    /// The test command that the new configuration names.
    pub test_command: Option<Vec<String>>,
    /// The remotes that got a fetch refspec now.
    pub remotes: Vec<String>,
    /// What a person should do next.
    pub next: Vec<String>,
}

/// The refspec that brings a remote's ledger into its tracker. Forced and with a wildcard: an exact one would break
/// `git fetch` on a remote without a ledger, an unforced one would let a remote break `git pull` (design §4.5).
pub fn refspec(remote: &str) -> String {
    format!("+refs/rapid/*:refs/rapid-local/remotes/{remote}/*")
}

/// Sets a repository up.
pub fn init(rapid: &Rapid) -> Result<Outcome> {
    let repository = rapid.repository();
    let top = repository.require_workdir()?;
    let path = top.join(CONFIG_PATH);
    let mut outcome = Outcome { wrote_config: false, test_command: None, remotes: Vec::new(), next: Vec::new() };
    if files::read_if_there(&path, 1 << 20)?.is_none() {
        let command = detect_test_command(top);
        files::create_dir_all(&top.join(".rapid"))?;
        files::write_atomically(&path, config_text(command.as_deref()).as_bytes())?;
        outcome.wrote_config = true;
        outcome.test_command = command;
        outcome.next.push(format!("git add {CONFIG_PATH} && git commit -m 'Set up git-rapid'"));
    } else {
        outcome.test_command = rapid.working_config()?.test_command;
    }
    for remote in repository.remote_names() {
        let key = format!("remote.{remote}.fetch");
        if !repository.config_texts(&key).contains(&refspec(&remote)) {
            repository.git().arguments(["config", "--add"]).argument(&key).argument(refspec(&remote)).run()?;
            outcome.remotes.push(remote);
        }
    }
    outcome.next.push("git rapid start feature --title '…' --task '…'".to_owned());
    Ok(outcome)
}

/// The command that runs a project's tests, told from the files it has.
fn detect_test_command(top: &Path) -> Option<Vec<String>> {
    let has = |name: &str| top.join(name).exists();
    let text = |name: &str| {
        files::read_if_there(&top.join(name), 1 << 20)
            .ok()
            .flatten()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let words: &[&str] = match () {
        () if has("Cargo.toml") => &["cargo", "test"],
        () if text("package.json").is_some_and(|text| text.contains("\"test\"")) => &["npm", "test"],
        () if has("go.mod") => &["go", "test", "-v", "./..."],
        () if has("pytest.ini") || has("conftest.py") || has("tests/conftest.py") => &["python3", "-m", "pytest"],
        () if ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"]
            .iter()
            .any(|name| text(name).is_some_and(|text| text.contains("pytest"))) =>
        {
            &["python3", "-m", "pytest"]
        }
        () if has("pyproject.toml") || has("setup.py") => &["python3", "-m", "unittest"],
        () if text("justfile").is_some_and(|text| text.lines().any(|line| line.starts_with("test"))) => {
            &["just", "test"]
        }
        () if text("Makefile").is_some_and(|text| text.lines().any(|line| line.starts_with("test:"))) => {
            &["make", "test"]
        }
        () if has("tests.sh") => &["sh", "tests.sh"],
        () => return None,
    };
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

/// The configuration of a project that has none yet.
pub fn fresh_config(top: &Path) -> String {
    config_text(detect_test_command(top).as_deref())
}

fn config_text(command: Option<&[String]>) -> String {
    let line = match command {
        Some(words) => {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("test_command = [{}]", quoted.join(", "))
        }
        None => "# test_command = [\"cargo\", \"test\"]".to_owned(),
    };
    include_str!("../../templates/config.toml").replace("{{test_command}}", &line)
}
