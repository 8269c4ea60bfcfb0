//! What git and git-rapid may not be asked to do by an agent.
//!
//! Not here: how the words were found (`shell`, `programs`).

use super::{ASK, Denied, Judge, LEAVE, PLAIN};

/// Judges a call of `git` or `git-rapid`.
pub(super) fn judge(judge: &Judge<'_>, program: &str, arguments: &[String]) -> Result<(), Denied> {
    if program == "git-rapid" {
        return rapid(arguments);
    }
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        match word.as_str() {
            "-c" | "--config-env" => {
                if let Some(setting) = after.first() {
                    setting_of(judge, setting)?;
                }
                rest = after.get(1..).unwrap_or_default();
            }
            "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => {
                rest = after.get(1..).unwrap_or_default();
            }
            option if option.starts_with('-') => {
                if let Some(setting) = option.strip_prefix("-c").or_else(|| option.strip_prefix("--config-env=")) {
                    setting_of(judge, setting)?;
                }
                rest = after;
            }
            "rapid" => return rapid(after),
            _ => return command(judge, word, after),
        }
    }
    Ok(())
}

/// A setting given for one call, `key=value`.
fn setting_of(judge: &Judge<'_>, setting: &str) -> Result<(), Denied> {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    if is_guarded_key(key) {
        return Err(Denied::new(format!("it would set '{key}' for git"), PLAIN));
    }
    if key.to_ascii_lowercase().starts_with("alias.") { alias(judge, value) } else { Ok(()) }
}

/// What an alias stands for, judged as if it were run.
fn alias(judge: &Judge<'_>, value: &str) -> Result<(), Denied> {
    match value.strip_prefix('!') {
        Some(text) => judge.text(text),
        None => judge.text(&format!("git {value}")),
    }
}

/// Settings that decide which hooks run, what is signed with what, and what git-rapid does.
pub(super) fn is_guarded_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["core.hookspath", "core.fsmonitor", "core.worktree", "user.signingkey", "include.path"].contains(&key.as_str())
        || ["rapid.", "gpg.", "hook.", "includeif."].iter().any(|start| key.starts_with(start))
}

/// Verbs of git-rapid that are a person's.
fn rapid(arguments: &[String]) -> Result<(), Denied> {
    let mut words = arguments.iter().map(String::as_str).peekable();
    while words.peek().is_some_and(|word| word.starts_with('-')) {
        if words.next() == Some("--color") {
            words.next();
        }
    }
    let verb = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let sub = rest.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let person = |what: &str| Err(Denied::new(format!("'git rapid {what}' is a person's to run"), ASK));
    match (verb, sub) {
        ("approve" | "abort" | "expunge", _) => person(verb),
        ("run", "gate") => person("run gate"),
        ("mission", "approve" | "abort") => person(&format!("mission {sub}")),
        ("evidence", "add") => person("evidence add"),
        ("hooks" | "harness", "install" | "uninstall") => person(&format!("{verb} {sub}")),
        ("finish", _) if rest.iter().any(|word| word.starts_with("--accept")) => person("finish --accept-test-command"),
        ("sync", _) if rest.iter().any(|word| word.starts_with("--take")) => person("sync --take"),
        ("hook", _) => {
            Err(Denied::new(format!("'git rapid {verb}' is called by git and by the harness, not by an agent"), LEAVE))
        }
        _ => Ok(()),
    }
}

fn command(judge: &Judge<'_>, verb: &str, rest: &[String]) -> Result<(), Denied> {
    let has = |options: &[&str]| rest.iter().find(|word| options.contains(&word.as_str()));
    let plain: Vec<&str> = rest.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let ledger = rest.iter().any(|word| word.contains("refs/rapid"));
    match verb {
        "push" | "commit" | "merge" | "am" | "rebase" | "cherry-pick" | "revert" => {
            // `commit -n` and its letters; for push that is a dry run.
            let letters = |word: &String| {
                verb == "commit"
                    && !word.starts_with("--")
                    && word
                        .strip_prefix('-')
                        .is_some_and(|l| l.chars().take_while(|c| !"mFCct".contains(*c)).any(|c| c == 'n'))
            };
            let abbreviated = |word: &String| word.len() > 6 && "--no-verify".starts_with(word.as_str());
            if rest.iter().any(|word| abbreviated(word) || letters(word)) {
                return Err(Denied::new(format!("'git {verb} --no-verify' would go around git's hooks"), PLAIN));
            }
            if verb == "push" && has(&["--mirror", "--prune"]).is_some() {
                return Err(Denied::new("'git push --mirror' would rewrite the ledger of the remote", PLAIN));
            }
        }
        "update-ref" if has(&["--stdin"]).is_some() => {
            return Err(Denied::new("'git update-ref --stdin' moves refs that cannot be seen", PLAIN));
        }
        "filter-branch" | "filter-repo" => return Err(Denied::new(format!("'git {verb}' rewrites history"), ASK)),
        "reflog" if matches!(plain.first(), Some(&"expire" | &"delete" | &"drop")) => {
            return Err(Denied::new("'git reflog expire' takes away what shows a rewind", LEAVE));
        }
        "replace" if has(&["-l", "--list"]).is_none() && !plain.is_empty() => {
            return Err(Denied::new("'git replace' shows other objects than are there", LEAVE));
        }
        "config" => return config(judge, rest, &plain),
        _ => {}
    }
    if ledger && !READERS.contains(&verb) {
        return Err(Denied::new(format!("'git {verb}' would write below refs/rapid"), LEAVE));
    }
    // Taking a file back is no harm: that it differs from before is seen, that it is as before is too.
    if matches!(verb, "rm" | "mv" | "apply" | "clean" | "archive" | "bundle") {
        for word in &plain {
            if let Some(name) = judge.ground.protects(&judge.cwd, word) {
                return Err(Denied::new(format!("'git {verb}' would write {name}"), LEAVE));
            }
        }
    }
    // A name that git does not know may be an alias of the person's.
    match judge.ground.alias(verb) {
        Some(value) => alias(judge, &format!("{value} {}", rest.join(" "))),
        None => Ok(()),
    }
}

fn config(judge: &Judge<'_>, rest: &[String], plain: &[&str]) -> Result<(), Denied> {
    let reads = rest.iter().any(|word| {
        ["--get", "--get-all", "--get-regexp", "--list", "-l", "--show-origin", "get", "list"].contains(&word.as_str())
    });
    if reads {
        return Ok(());
    }
    let words: Vec<&str> = plain.iter().copied().filter(|word| !["set", "unset", "edit"].contains(word)).collect();
    let key = words.iter().find(|word| word.contains('.')).copied().unwrap_or_default();
    let value = words.iter().skip_while(|word| **word != key).nth(1).copied().unwrap_or_default();
    let section = rest.iter().any(|word| word.contains("-section"))
        && words.iter().any(|word| is_guarded_key(&format!("{word}.")));
    if rest.iter().any(|word| word == "--edit" || word == "-e" || word == "edit") || section {
        return Err(Denied::new("it would edit git's settings as a whole", LEAVE));
    }
    match () {
        () if is_guarded_key(key) && (!value.is_empty() || rest.iter().any(|word| word.contains("unset"))) => {
            Err(Denied::new(format!("it would change git's setting '{key}'"), LEAVE))
        }
        () if key.to_ascii_lowercase().starts_with("alias.") => alias(judge, value),
        () if value.contains("refs/rapid") => {
            Err(Denied::new(format!("it would change what '{key}' does to the ledger"), LEAVE))
        }
        () => Ok(()),
    }
}

/// Commands of git that leave refs as they are, or bring the ledger's into their tracker.
const READERS: &[&str] = &[
    "log",
    "show",
    "cat-file",
    "ls-tree",
    "rev-parse",
    "rev-list",
    "diff",
    "diff-tree",
    "for-each-ref",
    "show-ref",
    "ls-remote",
    "describe",
    "name-rev",
    "grep",
    "blame",
    "merge-base",
    "cherry",
    "count-objects",
    "fsck",
    "shortlog",
    "reflog",
    "archive",
    "bundle",
    "verify-commit",
];
