//! The shortcuts, `/rapid-feature …` and its siblings: one text, in the form that each harness reads.
//!
//! Not here: where the files go (`catalogue`). Names are lower case with single hyphens, descriptions short: some harnesses
//! show every description to the model all the time, and cut the list where it grows long.

use crate::domain::mode::Mode;

/// The line that says whose file it is; what bears it is ours to replace and to remove.
pub(super) const MARK: &str = "git rapid harness uninstall";

/// The shortcuts, in the order of `install`.
pub const NAMES: [&str; 7] = [
    "rapid-feature",
    "rapid-bugfix",
    "rapid-refactor",
    "rapid-hardening",
    "rapid-research",
    "rapid-status",
    "rapid-next",
];

/// How a harness wants a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A skill: front matter with its name, the person's words in a placeholder.
    Skill { arguments: &'static str },
    /// A command: front matter without a name.
    Command { arguments: &'static str },
    /// A command as plain text, the person's words stand behind it.
    Plain,
    /// A prompt file of VS Code.
    Prompt,
    /// A command as TOML.
    Toml,
}

/// A shortcut's file.
pub(super) fn text(name: &str, harness: &str, form: Form) -> String {
    let arguments = match form {
        Form::Skill { arguments } | Form::Command { arguments } => arguments,
        Form::Plain => "what the person wrote behind this command",
        Form::Prompt => "${input:objective:What shall be done}",
        Form::Toml => "{{args}}",
    };
    let about = about(name);
    let body = body(name, harness).replace("{{arguments}}", arguments);
    let mark = format!("Written by `git rapid harness install {harness}`; `{MARK} {harness}` removes it.");
    let comment = format!("<!-- {mark} -->");
    match form {
        Form::Skill { .. } => format!("---\nname: {name}\ndescription: {about}\n---\n{comment}\n\n{body}"),
        Form::Command { .. } => format!("---\ndescription: {about}\n---\n{comment}\n\n{body}"),
        Form::Prompt => format!("---\ndescription: {about}\nagent: agent\n---\n{comment}\n\n{body}"),
        Form::Plain => format!("{comment}\n\n{body}"),
        Form::Toml => format!("# {mark}\ndescription = \"{about}\"\nprompt = '''\n{body}'''\n"),
    }
}

fn about(name: &str) -> String {
    match name {
        "rapid-status" => "Say how the active git-rapid run stands".to_owned(),
        "rapid-next" => "Go on with the active git-rapid run".to_owned(),
        mode => format!("Do a {} under git-rapid, checked and approved", mode.trim_start_matches("rapid-")),
    }
}

fn body(name: &str, harness: &str) -> String {
    let Some(mode) = name.strip_prefix("rapid-").and_then(Mode::from_alias) else {
        return match name {
            "rapid-status" => include_str!("../../../templates/harness/status.md"),
            _ => include_str!("../../../templates/harness/next.md"),
        }
        .to_owned();
    };
    let about = match mode {
        Mode::Feature => "something new that a user can see.",
        Mode::Bugfix => {
            "show the fault first with a check that fails (`git rapid check --expect fail --task T001 -- CMD`), then mend it."
        }
        Mode::Refactor => "the behaviour stays as it is, and so do the tests.",
        Mode::Hardening => "close a weakness; nothing else changes.",
        Mode::Research => {
            "answer a question; what is kept is a document, attached with `git rapid attach FILE --task ID`."
        }
    };
    include_str!("../../../templates/harness/mode.md")
        .replace("{{mode}}", mode.as_str())
        .replace("{{about}}", about)
        .replace("{{harness}}", &format!(" --harness {harness}"))
}
