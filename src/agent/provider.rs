//! Providers as data: the program, the arguments, how the prompt gets there, where the instructions of a role lie.
//!
//! An argument list is a template. An argument whose place stays empty is left out, together with the option before it. A
//! template without `{prompt}` and `{prompt_file}` gets the prompt on its standard input; one without `{instructions}`,
//! `{agent}` gets the instructions in front of its prompt. Nothing here starts anything.

use crate::story::Role;
use crate::story::config::ProviderConfig;
use std::collections::BTreeMap;

/// How a prompt gets to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// On its standard input, which is closed behind it.
    Stdin,
    /// In a file that the arguments name.
    File,
    /// As an argument: visible to everybody on the machine, and limited in length.
    Argument,
}

/// A provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The name in the configuration.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The program.
    pub binary: String,
    /// The arguments, a template.
    pub args: Vec<String>,
    /// Where the instructions of a role lie, the first that is there; `{role}` is the role's name.
    pub instructions: Vec<String>,
}

/// What is put into the template of one call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'a> {
    /// The prompt.
    pub prompt: &'a str,
    /// The file that holds the prompt.
    pub prompt_file: &'a str,
    /// The file with the role's instructions, if there is one.
    pub instructions: Option<&'a str>,
    /// The model, if one is asked for.
    pub model: Option<&'a str>,
    /// The project's folder.
    pub directory: &'a str,
}

struct BuiltIn {
    name: &'static str,
    title: &'static str,
    args: &'static [&'static str],
    instructions: &'static [&'static str],
}

/// The providers that everybody has. The programs change their options; `[providers.NAME]` follows them without us.
const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: "pi",
        title: "pi",
        // `--skill` puts only a skill's name and description before the model; the text itself has to be appended.
        args: &["-p", "--no-session", "--append-system-prompt", "{instructions}", "--model", "{model}"],
        instructions: &[".pi/skills/{role}/SKILL.md"],
    },
    BuiltIn {
        name: "claude",
        title: "Claude Code",
        args: &[
            "-p",
            "--append-system-prompt-file",
            "{instructions}",
            "--permission-mode",
            "bypassPermissions",
            "--model",
            "{model}",
        ],
        instructions: &[".claude/agents/{role}.md"],
    },
    BuiltIn {
        name: "codex",
        title: "Codex",
        args: &["exec", "--sandbox", "workspace-write", "-c", "approval_policy=never", "--model", "{model}", "-"],
        instructions: &[".agents/skills/{role}/SKILL.md"],
    },
    BuiltIn {
        name: "opencode",
        title: "OpenCode",
        args: &["run", "--auto", "--agent", "{agent}", "--model", "{model}"],
        instructions: &[".opencode/agents/{role}.md", ".opencode/commands/{role}.md"],
    },
];

impl Provider {
    /// The provider of a name, with what the configuration says about it; `None` for a name that nobody knows. Letter case
    /// does not matter, and `claude-code` is `claude`.
    pub fn named(name: &str, configured: &BTreeMap<String, ProviderConfig>) -> Option<Provider> {
        let folded = name.trim().to_ascii_lowercase();
        let short = folded.strip_suffix("-code").or_else(|| folded.strip_suffix("_code")).unwrap_or(&folded);
        let built_in = BUILT_IN.iter().find(|one| one.name == folded || one.name == short);
        let known = built_in.map_or(folded.as_str(), |one| one.name);
        let said = configured.iter().find(|(key, _)| key.eq_ignore_ascii_case(name.trim()) || key.as_str() == known);
        let mut provider = match (built_in, said) {
            (None, None) => return None,
            (Some(one), _) => Provider {
                name: one.name.to_owned(),
                title: one.title.to_owned(),
                binary: one.name.to_owned(),
                args: one.args.iter().map(|arg| (*arg).to_owned()).collect(),
                instructions: one.instructions.iter().map(|path| (*path).to_owned()).collect(),
            },
            (None, Some((key, _))) => Provider {
                name: key.clone(),
                title: key.clone(),
                binary: key.clone(),
                args: Vec::new(),
                instructions: vec![format!(".rapid/roles/{{role}}.md")],
            },
        };
        if let Some((_, said)) = said {
            provider.binary = said.binary.clone().unwrap_or(provider.binary);
            provider.args = said.args.clone().unwrap_or(provider.args);
            provider.instructions = said.instructions.clone().map_or(provider.instructions, |path| vec![path]);
        }
        Some(provider)
    }

    /// The names of the built-in providers.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|one| one.name)
    }

    /// How the prompt gets to the program.
    pub fn prompt(&self) -> Prompt {
        match (self.has("{prompt}"), self.has("{prompt_file}")) {
            (true, _) => Prompt::Argument,
            (false, true) => Prompt::File,
            (false, false) => Prompt::Stdin,
        }
    }

    /// Whether the instructions of this call have to be put in front of its prompt, because no argument carries them.
    pub fn instructions_in_prompt(&self, instructions: &str) -> bool {
        !(self.has("{instructions}") || self.has("{agent}") && !agent(instructions).is_empty())
    }

    /// The arguments of a call.
    pub fn args(&self, call: &Call<'_>) -> Vec<String> {
        let instructions = call.instructions.unwrap_or_default();
        let places = [
            ("{prompt}", call.prompt),
            ("{prompt_file}", call.prompt_file),
            ("{instructions}", instructions),
            ("{agent}", agent(instructions)),
            ("{model}", call.model.unwrap_or_default()),
            ("{dir}", call.directory),
        ];
        let mut args: Vec<String> = Vec::new();
        for template in &self.args {
            if places.iter().any(|(place, value)| value.is_empty() && template.contains(place)) {
                if template.starts_with('{') && args.last().is_some_and(|last| last.starts_with('-')) {
                    args.pop();
                }
                continue;
            }
            args.push(filled(template, &places));
        }
        args
    }

    /// Where the instructions of a role may lie, the likeliest first.
    pub fn instruction_paths(&self, role: Role) -> Vec<String> {
        let hyphens = role.as_str().replace('_', "-");
        let short = role.short().to_ascii_lowercase();
        let names = match self.name.as_str() {
            "claude" | "codex" => [role.as_str(), &hyphens, &short],
            _ => [hyphens.as_str(), role.as_str(), &short],
        };
        let mut paths = Vec::new();
        for name in names {
            for template in &self.instructions {
                let path = template.replace("{role}", name);
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        paths
    }

    fn has(&self, place: &str) -> bool {
        self.args.iter().any(|arg| arg.contains(place))
    }
}

/// Puts the values into their places in one pass, so that nothing in a value is taken for a place.
fn filled(template: &str, places: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let found = places.iter().find_map(|(place, value)| Some((value, from.strip_prefix(place)?)));
        rest = match found {
            Some((value, behind)) => {
                out.push_str(value);
                behind
            }
            None => {
                out.push('{');
                from.strip_prefix('{').unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
    out
}

/// The name of an agent that a file in a folder of agents defines; empty for any other file.
fn agent(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    match parts.next() {
        Some("agents" | "agent") => file.strip_suffix(".md").unwrap_or_default(),
        _ => "",
    }
}

#[cfg(test)]
mod tests;
