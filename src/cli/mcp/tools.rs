//! The tools: each one is a command with some of its arguments. Adding one is adding a row.
//!
//! Not here: commands that decide for a person.

use rmcp::model::ToolAnnotations;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    about: &'static str,
    /// The command's words.
    command: &'static [&'static str],
    arguments: &'static [Argument],
    reads_only: bool,
}

/// An argument of a tool.
struct Argument {
    name: &'static str,
    about: &'static str,
    shape: Shape,
    needed: bool,
}

/// What an argument is, and how the command is given it.
#[derive(Clone, Copy)]
enum Shape {
    /// A text as a word of its own.
    Word,
    /// One of these, as a word of its own.
    OneOf(&'static [&'static str]),
    /// A text behind an option.
    Option(&'static str),
    /// Texts, each behind the option.
    Options(&'static str),
    /// An option that is there or not.
    Flag(&'static str),
    /// Words behind `--`.
    Rest,
    /// A text on standard input, which the option asks for with `-`.
    Input(&'static str),
}

/// A command about to be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) words: Vec<String>,
    pub(super) input: Option<String>,
}

const fn needed(name: &'static str, about: &'static str, shape: Shape) -> Argument {
    Argument { name, about, shape, needed: true }
}

const fn optional(name: &'static str, about: &'static str, shape: Shape) -> Argument {
    Argument { name, about, shape, needed: false }
}

const RUN: Argument = optional("run", "The run; the active one when left out", Shape::Option("--run"));

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "next",
        about: "What to do next in the active run; never writes anything",
        command: &["next"],
        arguments: &[RUN],
        reads_only: true,
    },
    Tool {
        name: "status",
        about: "The active run, what is missing and why, and how the ledger stands to its remotes",
        command: &["status"],
        arguments: &[optional("all", "List all runs", Shape::Flag("--all"))],
        reads_only: true,
    },
    Tool {
        name: "brief",
        about: "The run in thirty lines, for an agent that lost its context",
        command: &["brief"],
        arguments: &[RUN],
        reads_only: true,
    },
    Tool {
        name: "start",
        about: "Open a run: a spec, a frozen contract, the baseline. Give either spec, or title and tasks, or spec_id",
        command: &["start"],
        arguments: &[
            needed(
                "mode",
                "The kind of work",
                Shape::OneOf(&["feature", "bugfix", "refactor", "hardening", "research"]),
            ),
            optional("spec", "The spec, as JSON or Markdown; 'next' shows a template", Shape::Input("--spec-file")),
            optional("title", "The title of a new spec", Shape::Option("--title")),
            optional("tasks", "The tasks of a new spec", Shape::Options("--task")),
            optional("spec_id", "A spec that is in the ledger and ready", Shape::Option("--spec")),
            optional("harness", "The agent's harness", Shape::Option("--harness")),
            optional("worktree", "Work in a worktree of its own", Shape::Flag("--worktree")),
        ],
        reads_only: false,
    },
    Tool {
        name: "check",
        about: "Run a command (the contract's test command when left out) on the code as it is, and record what it shows",
        command: &["check"],
        arguments: &[
            RUN,
            optional("tasks", "Bind it to these tasks", Shape::Options("--task")),
            optional("gates", "Bind it to these gates", Shape::Options("--gate")),
            optional(
                "expect_fail",
                "The command is meant to fail: it shows the fault of a task",
                Shape::Flag("--expect=fail"),
            ),
            optional("clean", "Run it in a fresh worktree of exactly this code", Shape::Flag("--clean")),
            optional("timeout", "End it after this long, like 5m", Shape::Option("--timeout")),
            optional("label", "What to call it", Shape::Option("--label")),
            optional("command", "The command, word by word", Shape::Rest),
        ],
        reads_only: false,
    },
    Tool {
        name: "task",
        about: "Move a task; 'done' runs the check first",
        command: &["task"],
        arguments: &[
            needed("to", "Where to", Shape::OneOf(&["start", "done", "skip", "block"])),
            needed("id", "The task, like T001", Shape::Word),
            optional("reason", "Why, for skip and block", Shape::Option("--reason")),
            optional("no_check", "Move it to done without a check, as research does", Shape::Flag("--no-check")),
            RUN,
        ],
        reads_only: false,
    },
    Tool {
        name: "attach",
        about: "Keep a file with the run, as evidence for a task",
        command: &["attach"],
        arguments: &[
            needed("file", "The file", Shape::Word),
            optional("task", "The task; the one in progress when left out", Shape::Option("--task")),
            optional("label", "What it is", Shape::Option("--label")),
            RUN,
        ],
        reads_only: false,
    },
    Tool {
        name: "finish",
        about: "Close the run: record what changed, judge, write the report",
        command: &["finish"],
        arguments: &[RUN],
        reads_only: false,
    },
    Tool {
        name: "verify",
        about: "Prove the ledger, and say whether a commit is covered by a passing run",
        command: &["verify"],
        arguments: &[optional("commit", "The commit", Shape::Option("--commit"))],
        reads_only: true,
    },
    Tool {
        name: "evidence_list",
        about: "The evidence of a run",
        command: &["evidence", "list"],
        arguments: &[RUN],
        reads_only: true,
    },
    Tool {
        name: "evidence_log",
        about: "The log that was captured with a check",
        command: &["evidence", "log"],
        arguments: &[needed("id", "The piece of evidence, like E001", Shape::Word), RUN],
        reads_only: true,
    },
    Tool {
        name: "explain",
        about: "What a RAPID code means and what to do about it",
        command: &["explain"],
        arguments: &[needed("code", "The code, like RAPID1310", Shape::Word)],
        reads_only: true,
    },
];

impl Tool {
    /// As the protocol describes it.
    pub(super) fn described(&self) -> rmcp::model::Tool {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
        let needed: Vec<&str> = self.arguments.iter().filter(|one| one.needed).map(|one| one.name).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": needed, "additionalProperties": false,
        });
        let schema = schema.as_object().cloned().unwrap_or_default();
        rmcp::model::Tool::new(self.name, self.about, Arc::new(schema))
            .with_annotations(ToolAnnotations::new().read_only(self.reads_only).open_world(false))
    }

    /// The command that a call means; an argument that the tool does not have is refused, as is one of the wrong type.
    pub(super) fn call(&self, given: &Map<String, Value>) -> Result<Started, String> {
        if let Some(unknown) = given.keys().find(|key| self.arguments.iter().all(|one| one.name != key.as_str())) {
            return Err(format!("the tool '{}' has no argument '{unknown}'", self.name));
        }
        let mut words: Vec<String> = self.command.iter().map(|word| (*word).to_owned()).collect();
        let (mut options, mut rest, mut input) = (Vec::new(), Vec::new(), None);
        for argument in self.arguments {
            match given.get(argument.name).filter(|value| !value.is_null()) {
                None if argument.needed => return Err(format!("'{}' is missing", argument.name)),
                None => {}
                Some(value) => argument.put(value, &mut words, &mut options, &mut rest, &mut input)?,
            }
        }
        options.push("--json".to_owned());
        words.extend(options);
        if !rest.is_empty() {
            words.push("--".to_owned());
            words.extend(rest);
        }
        Ok(Started { words, input })
    }
}

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = match self.shape {
            Shape::Word | Shape::Option(_) | Shape::Input(_) => json!({"type": "string"}),
            Shape::OneOf(words) => json!({"type": "string", "enum": words}),
            Shape::Options(_) | Shape::Rest => json!({"type": "array", "items": {"type": "string"}}),
            Shape::Flag(_) => json!({"type": "boolean"}),
        };
        if let Some(members) = schema.as_object_mut() {
            members.insert("description".to_owned(), self.about.into());
        }
        schema
    }

    fn put(
        &self,
        value: &Value,
        words: &mut Vec<String>,
        options: &mut Vec<String>,
        rest: &mut Vec<String>,
        input: &mut Option<String>,
    ) -> Result<(), String> {
        let wrong = |what: &str| format!("'{}' must be {what}", self.name);
        let text = || value.as_str().map(str::to_owned).ok_or_else(|| wrong("a text"));
        let texts = || {
            let items = value.as_array().ok_or_else(|| wrong("a list of texts"))?;
            items
                .iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| wrong("a list of texts")))
                .collect::<Result<Vec<_>, _>>()
        };
        match self.shape {
            Shape::Word => {
                let word = text()?;
                // A word that looks like an option would be one.
                if word.starts_with('-') {
                    return Err(wrong("no option"));
                }
                words.push(word);
            }
            Shape::OneOf(known) => {
                let word = text()?;
                if !known.contains(&word.as_str()) {
                    return Err(wrong(&format!("one of {}", known.join(", "))));
                }
                words.push(word);
            }
            Shape::Option(name) => options.push(format!("{name}={}", text()?)),
            Shape::Options(name) => options.extend(texts()?.into_iter().map(|text| format!("{name}={text}"))),
            Shape::Flag(name) => match value.as_bool() {
                Some(true) => options.push(name.to_owned()),
                Some(false) => {}
                None => return Err(wrong("true or false")),
            },
            Shape::Rest => rest.extend(texts()?),
            Shape::Input(name) => {
                options.push(format!("{name}=-"));
                *input = Some(text()?);
            }
        }
        Ok(())
    }
}
