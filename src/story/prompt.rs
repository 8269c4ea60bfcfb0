//! Prompts: a template's text and what is put into its places.
//!
//! The texts are `templates/story/<language>/<name>.md`. `{{name}}` is replaced, once, by a
//! value that is never read again; `{{#name}}…{{/name}}` stays only where there is a value. Whatever an agent, a person or a
//! specification wrote is put into a fence that it cannot close.

mod render;
mod texts;

pub use render::{fenced, placeholders, render};
#[cfg(test)]
pub(in crate::story) use texts::NAMES;
pub use texts::{GROOM, GROOM_REPAIR, Language, RETRY, RULES, template};

use super::finding::Finding;
use super::machine::Turn;
use super::workflow::targets;
use std::collections::BTreeMap;

/// What the caller adds to a turn.
#[derive(Clone, Debug, Default)]
pub struct Surroundings<'a> {
    /// Today, as it stands in the log line.
    pub date: &'a str,
    /// Where decisions are written down.
    pub decisions_dir: &'a str,
    /// The hook that will be run after the turn.
    pub hook: Option<&'a str>,
    /// Commands of the project: what they are for, and how they are called.
    pub commands: &'a [(String, String)],
}

/// The prompt of a turn in one of the built-in languages.
pub fn of_turn(turn: &Turn, surroundings: &Surroundings<'_>, language: Language) -> String {
    let values = values(turn, surroundings);
    let mut parts = Vec::new();
    if turn.feedback.is_some() {
        parts.push(RETRY);
    }
    parts.extend([turn.task.as_str(), RULES]);
    let texts: Vec<String> =
        parts.into_iter().map(|name| render(template(language, name), &values).trim().to_owned()).collect();
    texts.join("\n\n---\n\n") + "\n"
}

/// What the places of a turn's prompt hold.
pub fn values(turn: &Turn, surroundings: &Surroundings<'_>) -> BTreeMap<&'static str, String> {
    let role = turn.task.role();
    let from = turn.task.status();
    let legal: Vec<String> = targets(from, role).map(|status| format!("`{status}`")).collect();
    let last = turn.last.map(|(task, led)| match led {
        Some(to) => format!("{}: {} → {to}", task.role().short(), task.status()),
        None => format!("{}: {}", task.role().short(), task.status()),
    });
    let commands: Vec<String> =
        surroundings.commands.iter().map(|(what, command)| format!("- {what}: `{command}`")).collect();
    let files: Vec<String> = turn.files.iter().map(|file| format!("- {file}")).collect();
    let cycle = if turn.cycle.is_empty() { String::new() } else { super::deadlock::arrows(&turn.cycle) };
    BTreeMap::from([
        ("story_id", turn.story.as_str().to_owned()),
        ("story_file", turn.file.clone()),
        ("epic", turn.epic.clone().unwrap_or_default()),
        ("status", from.as_str().to_owned()),
        ("targets", legal.join(", ")),
        ("attempt", turn.attempt.to_string()),
        ("feedback", turn.feedback.as_deref().map(fenced).unwrap_or_default()),
        ("last", last.unwrap_or_default()),
        ("note", turn.note.as_deref().map(fenced).unwrap_or_default()),
        ("files", files.join("\n")),
        ("cycle", cycle),
        ("log_line", format!("- {} | {} | …", surroundings.date, role.short())),
        ("decisions_dir", surroundings.decisions_dir.to_owned()),
        ("hook", surroundings.hook.unwrap_or_default().to_owned()),
        ("commands", commands.join("\n")),
    ])
}

/// What the product owner is told to make a backlog of a specification.
#[derive(Clone, Debug, Default)]
pub struct Groom<'a> {
    /// The specification.
    pub spec: &'a str,
    /// Where stories lie.
    pub stories_dir: &'a str,
    /// Where epics lie.
    pub epics_dir: &'a str,
    /// The ids that are taken.
    pub existing: &'a [String],
    /// The most stories; `None` is as many as it takes.
    pub most: Option<u32>,
    /// Today.
    pub date: &'a str,
    /// What is wrong with what was made.
    pub findings: &'a [Finding],
}

/// The prompt that makes a backlog, or repairs what was made.
pub fn of_groom(groom: &Groom<'_>, language: Language) -> String {
    let findings: Vec<String> = groom
        .findings
        .iter()
        .map(|finding| {
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!(
                "- {}{line}: {} ({})",
                finding.file.as_deref().unwrap_or("."),
                finding.message,
                finding.kind.as_str()
            )
        })
        .collect();
    let values = BTreeMap::from([
        ("spec", fenced(groom.spec)),
        ("stories_dir", groom.stories_dir.to_owned()),
        ("epics_dir", groom.epics_dir.to_owned()),
        ("existing", groom.existing.join(", ")),
        ("most", groom.most.map(|most| most.to_string()).unwrap_or_default()),
        ("date", groom.date.to_owned()),
        ("findings", findings.join("\n")),
    ]);
    let name = if groom.findings.is_empty() { GROOM } else { GROOM_REPAIR };
    render(template(language, name), &values)
}
