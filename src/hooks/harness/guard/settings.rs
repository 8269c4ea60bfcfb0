//! Settings of git: which of them decide over hooks, keys, aliases and the ledger.
//!
//! Not here: git's other verbs (`git`).

use super::{Denied, Judge, LEAVE, PLAIN, UNSURE, refs, spelling};

/// A setting given for one call, `key=value`.
pub(super) fn given(judge: &Judge<'_>, setting: &str, from_environment: bool) -> Result<(), Denied> {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    if is_guarded_key(key) {
        return Err(Denied::new(format!("it would set '{key}' for git"), PLAIN));
    }
    match is_alias(key) {
        true if from_environment => Err(Denied::new(format!("what '{key}' would stand for cannot be read"), PLAIN)),
        true => alias(judge, value, &[]),
        false => runs(judge, key, value),
    }
}

/// What an alias stands for, judged as if it were run.
pub(super) fn alias(judge: &Judge<'_>, value: &str, arguments: &[String]) -> Result<(), Denied> {
    let command = match value.strip_prefix('!') {
        Some(text) => text.to_owned(),
        None => format!("git {value}"),
    };
    let hides = judge.text(&format!("{command} {}", arguments.join(" "))).and_then(|()| judge.text(&command));
    // One that ends in `rapid` would hide which of its verbs is run.
    let ends_in_rapid =
        command.split_whitespace().next_back().is_some_and(|word| word == "rapid" || word.ends_with("git-rapid"));
    match ends_in_rapid && arguments.is_empty() {
        true => Err(Denied::new("an alias would hide which verb of git-rapid is run", PLAIN)),
        false => hides,
    }
}

fn is_alias(key: &str) -> bool {
    key.to_ascii_lowercase().starts_with("alias.")
}

/// Settings that decide which hooks run, what is signed with what, and what git-rapid does.
pub(super) fn is_guarded_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["core.hookspath", "core.fsmonitor", "core.worktree", "user.signingkey", "include.path", "init.templatedir"]
        .contains(&key.as_str())
        || ["rapid.", "gpg.", "hook.", "includeif."].iter().any(|start| key.starts_with(start))
        || (key.starts_with("remote.") && key.ends_with(".mirror"))
}

/// A value that git would run, or that reaches the ledger.
fn runs(judge: &Judge<'_>, key: &str, value: &str) -> Result<(), Denied> {
    let moves = ["fetch", "push"].iter().any(|end| key.to_ascii_lowercase().ends_with(end));
    if value.contains("refs/rapid") || (moves && refs::reaches(value)) {
        return Err(Denied::new(format!("it would change what '{key}' does to the ledger"), LEAVE));
    }
    match spelling::topic(value) {
        Some(_) if !key.to_ascii_lowercase().starts_with("user.") => {
            judge.text(value)?;
            Err(Denied::new(format!("'{key}' would make git run what speaks of git-rapid"), UNSURE))
        }
        _ => Ok(()),
    }
}

/// `git config`, in its old and its new words.
pub(super) fn config(judge: &Judge<'_>, rest: &[String]) -> Result<(), Denied> {
    let mut file = None;
    let mut words: Vec<&str> = Vec::new();
    let mut options: Vec<&str> = Vec::new();
    let mut all = rest.iter().map(String::as_str);
    while let Some(word) = all.next() {
        match word {
            "-f" | "--file" => file = all.next(),
            "--blob" | "--type" | "--default" | "--comment" | "--value" | "--url" => drop(all.next()),
            option if option.starts_with('-') => {
                file = file.or(option.strip_prefix("--file="));
                options.push(option);
            }
            word => words.push(word),
        }
    }
    let verb = words.first().copied().filter(|word| !word.contains('.')).unwrap_or_default();
    let has = |known: &[&str]| options.iter().any(|option| known.iter().any(|known| option.starts_with(known)));
    if has(&["--get", "--list", "-l", "--show-origin"]) || ["get", "list"].contains(&verb) {
        return Ok(());
    }
    if has(&["--edit", "-e"]) || verb == "edit" {
        return Err(Denied::new("it would edit git's settings as a whole", LEAVE));
    }
    let section =
        has(&["--remove-section", "--rename-section"]) || ["remove-section", "rename-section"].contains(&verb);
    if section
        && words.iter().any(|word| is_guarded_key(&format!("{word}.")) || is_guarded_key(&format!("{word}.hookspath")))
    {
        return Err(Denied::new("it would take a section of git's settings away", LEAVE));
    }
    let behind: Vec<&str> = words.iter().copied().skip_while(|word| !word.contains('.')).collect();
    let key = behind.first().copied().unwrap_or_default();
    let value = behind.get(1).copied();
    let unsets = has(&["--unset"]) || verb == "unset";
    if value.is_none() && !unsets {
        // It reads.
        return Ok(());
    }
    if is_guarded_key(key) {
        return Err(Denied::new(format!("it would change git's setting '{key}'"), LEAVE));
    }
    let plain = file.and_then(|file| file.rsplit('/').next()).is_some_and(|name| name == ".gitmodules");
    if let Some(file) = file.filter(|_| !plain) {
        judge.writes(file, "git config --file")?;
    }
    match value {
        Some(value) if is_alias(key) => alias(judge, value, &[]),
        Some(value) => runs(judge, key, value),
        None => Ok(()),
    }
}
