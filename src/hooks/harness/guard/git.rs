//! What git may not be asked to do by an agent.
//!
//! Not here: how the words were found (`shell`, `programs`), git-rapid's own verbs (`rapid`), settings (`settings`), refspecs
//! (`refs`).

use super::{ASK, Denied, Judge, LEAVE, PLAIN, UNSURE, is_unresolved, rapid, refs, settings};

/// Judges a call of `git` or `git-rapid`.
pub(super) fn judge(judge: &Judge<'_>, program: &str, arguments: &[String]) -> Result<(), Denied> {
    if program == "git-rapid" {
        return rapid::judge(judge, arguments);
    }
    let mut here = judge.cwd.clone();
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        match word.as_str() {
            "-c" | "--config-env" => {
                if let Some(setting) = after.first() {
                    settings::given(judge, setting, word != "-c")?;
                }
                rest = after.get(1..).unwrap_or_default();
            }
            "-C" => {
                here.extend(after.first());
                rest = after.get(1..).unwrap_or_default();
            }
            "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => rest = after.get(1..).unwrap_or_default(),
            option if option.starts_with('-') => {
                let from_environment = option.strip_prefix("--config-env=");
                if let Some(setting) = from_environment.or_else(|| option.strip_prefix("-c")) {
                    settings::given(judge, setting, from_environment.is_some())?;
                }
                rest = after;
            }
            "rapid" => return rapid::judge(judge, after),
            verb => return command(&judge.at(here), verb, after),
        }
    }
    Ok(())
}

fn command(judge: &Judge<'_>, verb: &str, rest: &[String]) -> Result<(), Denied> {
    if is_unresolved(verb) {
        return judge.unsure(&format!("what '{verb}' stands for cannot be read"));
    }
    let has = |options: &[&str]| rest.iter().any(|word| options.contains(&word.as_str()));
    // git takes a long option that is cut short.
    let short_for =
        |full: &str, least: usize| rest.iter().any(|word| word.len() >= least && full.starts_with(word.as_str()));
    let plain: Vec<&str> = rest.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
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
            if short_for("--no-verify", 7) || rest.iter().any(letters) {
                return Err(Denied::new(format!("'git {verb} --no-verify' would go around git's hooks"), PLAIN));
            }
            if verb == "push" && (short_for("--mirror", 3) || short_for("--prune", 4)) {
                return Err(Denied::new("'git push --mirror' would rewrite the ledger of the remote", refs::PUSH));
            }
        }
        "update-ref" if short_for("--stdin", 5) => {
            return Err(Denied::new("'git update-ref --stdin' moves refs that cannot be seen", PLAIN));
        }
        "fast-import" | "send-pack" | "http-push" | "receive-pack" => {
            return Err(Denied::new(format!("'git {verb}' writes refs that cannot be seen"), refs::PUSH));
        }
        "filter-branch" | "filter-repo" => return Err(Denied::new(format!("'git {verb}' rewrites history"), ASK)),
        "reflog" if matches!(plain.first(), Some(&"expire" | &"delete" | &"drop")) => {
            return Err(Denied::new("'git reflog expire' takes away what shows a rewind", LEAVE));
        }
        "replace" if !has(&["-l", "--list"]) && !plain.is_empty() => {
            return Err(Denied::new("'git replace' shows other objects than are there", LEAVE));
        }
        "config" => return settings::config(judge, rest),
        "checkout" | "restore" | "stash" => takes_back(judge, verb, rest)?,
        _ => {}
    }
    if !READERS.contains(&verb) {
        refs::judge(verb, rest)?;
    }
    writes(judge, verb, rest)?;
    runs(judge, rest)?;
    // A name that git does not know may be an alias of the person's.
    match judge.ground.alias(verb) {
        Some(value) => settings::alias(judge, value, rest),
        None => Ok(()),
    }
}

/// Files that a verb of git writes besides the working copy.
fn writes(judge: &Judge<'_>, verb: &str, rest: &[String]) -> Result<(), Denied> {
    const ANY: [&str; 11] = [
        "rm",
        "mv",
        "apply",
        "clean",
        "archive",
        "bundle",
        "worktree",
        "clone",
        "init",
        "update-index",
        "format-patch",
    ];
    let by = format!("git {verb}");
    let mut takes_next = false;
    for word in rest {
        let output = word.strip_prefix("--output=").or_else(|| word.strip_prefix("--output-directory="));
        match output {
            Some(path) => judge.writes(path, &by)?,
            None if takes_next || (ANY.contains(&verb) && !word.starts_with('-')) => judge.writes(word, &by)?,
            None => {}
        }
        takes_next = ["-o", "--output", "--output-directory"].contains(&word.as_str());
    }
    Ok(())
}

/// Taking a file back as it was committed is no harm; taking another one is a change.
fn takes_back(judge: &Judge<'_>, verb: &str, rest: &[String]) -> Result<(), Denied> {
    let mut source = None;
    let mut paths: Vec<&str> = Vec::new();
    let mut words = rest.iter().map(String::as_str);
    let mut behind = false;
    while let Some(word) = words.next() {
        match word {
            "--" if verb == "checkout" && !behind => {
                source = source.or(paths.pop());
                behind = true;
            }
            "--" => behind = true,
            "-s" | "--source" if verb == "restore" && !behind => source = words.next(),
            _ if word.starts_with('-') && !behind => {
                let glued = word.strip_prefix("--source=").or_else(|| word.strip_prefix("-s"));
                source = source.or(glued.filter(|_| verb == "restore"));
            }
            path => paths.push(path),
        }
    }
    // `checkout REV PATH`, where nothing says which is which.
    if verb == "checkout" && !behind && paths.len() > 1 {
        source = Some(paths.remove(0));
    }
    let as_committed = verb != "stash" && source.is_none_or(|source| ["HEAD", "@"].contains(&source));
    for path in paths.into_iter().filter(|_| !as_committed) {
        // Magic of pathspecs stands before a path, and counts from the top.
        let bare = path.strip_prefix(":(top)").or_else(|| path.strip_prefix(":/")).unwrap_or(path);
        if let Some(name) = judge.ground.protects(&judge.cwd, bare) {
            return Err(Denied::new(format!("'git {verb}' would write {name}"), BACK));
        }
    }
    Ok(())
}

const BACK: &str = "'git checkout HEAD -- PATH' puts it back as it was committed; ask the person when it has to change";

/// What an option or an address tells git to run.
fn runs(judge: &Judge<'_>, rest: &[String]) -> Result<(), Denied> {
    const OPTIONS: [&str; 7] =
        ["--upload-pack=", "--receive-pack=", "--exec=", "--extcmd=", "--open-files-in-pager=", "-O", "ext::"];
    for word in rest {
        if let Some(text) = OPTIONS.iter().find_map(|option| word.strip_prefix(option)) {
            judge.text(text)?;
            if super::spelling::topic(text).is_some() {
                return Err(Denied::new("it tells git to run what cannot be read with certainty", UNSURE));
            }
        }
    }
    Ok(())
}

/// Commands of git that leave refs as they are.
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
    "commit",
    "tag",
    "notes",
    "check-ignore",
    "ls-files",
    "status",
];
