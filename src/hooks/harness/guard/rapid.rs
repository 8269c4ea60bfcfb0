//! Verbs of git-rapid that are a person's.
//!
//! Not here: what they do (`verbs`), and who is asked before they do it (`approval`).

use super::{ASK, Denied, Judge, LEAVE, PLAIN, is_unresolved};

/// Judges the words behind `git rapid`.
pub(super) fn judge(judge: &Judge<'_>, arguments: &[String]) -> Result<(), Denied> {
    let at = arguments.iter().position(|word| word == "--");
    let (own, command) = arguments.split_at(at.unwrap_or(arguments.len()));
    // Whatever is run for us is run.
    if let Some(command) = command.get(1..).filter(|command| !command.is_empty()) {
        judge.words(command)?;
    }
    let mut words = own.iter().map(String::as_str).peekable();
    while words.peek().is_some_and(|word| word.starts_with('-')) {
        if words.next() == Some("--color") {
            words.next();
        }
    }
    let verb = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    if is_unresolved(verb) {
        return Err(Denied::new(format!("which verb of git-rapid '{verb}' stands for cannot be read"), PLAIN));
    }
    // Help is everybody's.
    if rest.iter().any(|word| ["--help", "-h"].contains(word)) {
        return Ok(());
    }
    let sub = rest.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    if ["run", "evidence", "hooks", "harness", "mission"].contains(&verb) && is_unresolved(sub) {
        return Err(Denied::new(format!("which verb of 'git rapid {verb}' '{sub}' stands for cannot be read"), PLAIN));
    }
    let person = |what: &str| Err(Denied::new(format!("'git rapid {what}' is a person's to run"), ASK));
    match (verb, sub) {
        ("approve" | "abort" | "expunge", _) => person(verb),
        ("run", "gate") | ("evidence", "add") | ("mission", "approve" | "abort") => person(&format!("{verb} {sub}")),
        ("run", "status") => Err(Denied::new(
            "'git rapid run status' ends or moves a run by hand, which is a person's to do",
            "'git rapid finish' ends a run that is done; to give one up, ask the person for 'git rapid abort'",
        )),
        ("hooks" | "harness", "install" | "uninstall") => person(&format!("{verb} {sub}")),
        ("finish", _) if rest.iter().any(|word| word.starts_with("--accept")) => person("finish --accept-test-command"),
        ("sync", _) if rest.iter().any(|word| word.starts_with("--take")) => person("sync --take"),
        ("hook", _) => {
            Err(Denied::new(format!("'git rapid {verb}' is called by git and by the harness, not by an agent"), LEAVE))
        }
        ("export", _) => {
            let mut named =
                rest.iter().zip(rest.iter().skip(1)).filter(|(option, _)| ["-o", "--output"].contains(*option));
            named.try_for_each(|(_, path)| judge.writes(path, "git rapid export"))
        }
        _ => Ok(()),
    }
}
