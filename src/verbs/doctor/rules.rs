//! What `.rapid/` says: whether it can be read, and whether what it names is there.

use super::{Finding, State, finding, wrong};
use crate::diagnostics::{Diagnostic, Result};
use crate::domain::{config::Config, contract::Approvals};
use crate::verbs::{
    arch,
    rapid::{CONFIG_PATH, Rapid, config_at},
    validate,
};

/// The configuration, and everything beside it that a run would be judged by.
pub fn configuration(rapid: &Rapid) -> Vec<Finding> {
    let config = match validate::configuration(rapid).and_then(|()| rapid.working_config()) {
        Ok(config) => config,
        Err(error) => return vec![mended("configuration", CONFIG_PATH, &error, || good_before(rapid))],
    };
    let mut found = vec![test_command(rapid, &config)];
    found.extend(signing(rapid, &config));
    if let Err(error) = arch::refuse_unreadable(rapid) {
        found.push(mended("architecture", arch::RULES_PATH, &error, || is_committed(rapid, arch::RULES_PATH)));
    }
    let playbooks = rapid.repository().workdir().map(validate::playbooks).transpose();
    for book in playbooks.ok().flatten().unwrap_or_default() {
        let path = book.diagnostic.path.clone().unwrap_or_default();
        found.push(mended("playbook", &path, &book.diagnostic, || is_committed(rapid, &path)));
    }
    found
}

/// A fault in a file, with the way back to the one that is committed where that would help and nothing nearer is known.
fn mended(name: &'static str, path: &str, error: &Diagnostic, is_good: impl Fn() -> Result<bool>) -> Finding {
    let back = || is_good().unwrap_or(false).then(|| format!("back to the committed one: git restore {path}"));
    match error.hints.is_empty().then(back).flatten() {
        Some(back) => finding(name, State::Bad, error.to_string(), Some(back)),
        None => wrong(name, error),
    }
}

/// Whether the configuration that is committed can be read.
fn good_before(rapid: &Rapid) -> Result<bool> {
    let commit = rapid.repository().head()?.commit;
    let committed = is_committed(rapid, CONFIG_PATH)?;
    Ok(committed && commit.is_some_and(|commit| config_at(rapid.repository(), commit).is_ok()))
}

fn is_committed(rapid: &Rapid, path: &str) -> Result<bool> {
    let repository = rapid.repository();
    Ok(repository.lookup(repository.head()?.tree, path)?.is_some())
}

/// The test command, and whether its program is there.
fn test_command(rapid: &Rapid, config: &Config) -> Finding {
    let name = "configuration";
    let Some(command) = &config.test_command else {
        let hint = "set test_command in .rapid/config.toml".to_owned();
        return finding(name, State::Note, "no test command is set", Some(hint));
    };
    let words = command.join(" ");
    let top = rapid.repository().workdir().map(|top| rapid.environment().clone().in_directory(top));
    let program = command.first().map(String::as_str).unwrap_or_default();
    match top.is_none_or(|top| top.find_program(program).is_some()) {
        true => finding(name, State::Good, format!("test command: {words}"), None),
        false => finding(
            name,
            State::Bad,
            format!("the test command '{words}' cannot run: there is no program '{program}' here"),
            Some(format!("install {program}, or set test_command in .rapid/config.toml")),
        ),
    }
}

/// Approvals that have to be signed, where nobody can sign.
fn signing(rapid: &Rapid, config: &Config) -> Option<Finding> {
    let lacks = config.approvals == Approvals::Signed && rapid.repository().config_text("user.signingKey").is_none();
    lacks.then(|| {
        finding(
            "signing",
            State::Note,
            "approvals have to be signed, and git knows no key to sign with here",
            Some("git config --global user.signingKey KEY".to_owned()),
        )
    })
}
