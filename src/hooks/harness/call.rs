//! What a harness tells a hook on standard input, read into one shape whoever it was.
//!
//! Not here: judging it. What cannot be read is an error, and before a tool an error is a refusal.

use super::tool::{Kind, is_own, kind, plain};
use crate::diagnostics::{Code, Diagnostic, Result};
use serde_json::Value;
use std::path::PathBuf;

/// The largest input that is read, in bytes: a tool may carry a whole file.
pub const CAP: u64 = 16 << 20;

/// A hook's input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The harness's session.
    pub session: String,
    /// Where the agent stands.
    pub cwd: Option<PathBuf>,
    /// Where the agent's project lies, when that was said.
    pub project: Option<PathBuf>,
    /// The tool; empty for other events.
    pub tool: String,
    /// The shell text that it would run.
    pub commands: Vec<String>,
    /// The files that it would write.
    pub files: Vec<String>,
    /// Whether the agent goes on already because a stop hook asked it to.
    pub stop_is_active: bool,
    /// Whether something that is run is said in a form that nobody knows.
    is_odd: bool,
}

impl Call {
    /// Reads an input (RAPID1633); with `tool`, one that must name a tool.
    pub fn read(bytes: &[u8], tool: bool) -> Result<Call> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| unreadable(format!("it is not JSON: {error}")))?;
        let top = value.as_object().ok_or_else(|| unreadable("it is no object"))?;
        let text = |keys: &[&str]| {
            keys.iter().find_map(|key| top.get(*key).and_then(Value::as_str)).unwrap_or_default().to_owned()
        };
        let first_of = |key: &str| top.get(key)?.as_array()?.first()?.as_str().map(PathBuf::from);
        let mut call = Call {
            session: text(&["session_id", "sessionId", "conversation_id", "conversationId"]),
            cwd: Some(text(&["cwd"])).filter(|cwd| !cwd.is_empty()).map(PathBuf::from),
            project: first_of("workspace_roots").or_else(|| first_of("workspacePaths")),
            stop_is_active: top.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false),
            ..Call::default()
        };
        // Antigravity wraps name and arguments; null after a tool that failed.
        let wrapped = top.get("toolCall").and_then(Value::as_object);
        call.tool = match wrapped {
            Some(wrapped) => wrapped.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            None => text(&["tool_name", "toolName"]),
        };
        if call.tool.is_empty() && top.get("command").is_some_and(Value::is_string) {
            call.tool = "shell".to_owned();
        }
        if !tool {
            return Ok(call);
        }
        if call.tool.is_empty() {
            return Err(unreadable("it names no tool"));
        }
        let input = match wrapped {
            Some(wrapped) => wrapped.get("args"),
            None => ["tool_input", "toolArgs", "arguments"].iter().find_map(|key| top.get(*key)),
        };
        let is_whole = wrapped.is_none() && (top.contains_key("command") || top.contains_key("file_path"));
        match input.filter(|input| !input.is_null()) {
            // Some hand the arguments over as a text that holds JSON.
            Some(Value::String(text)) => match serde_json::from_str(text) {
                Ok(inner) => call.collect("", &inner),
                Err(_) => call.string("command", text),
            },
            Some(input @ (Value::Object(_) | Value::Array(_))) => call.collect("", input),
            None if is_whole => call.collect("", &value),
            _ => call.is_odd = true,
        }
        call.require_sense()?;
        Ok(call)
    }

    /// A tool that can run or write something must say what; one that only reads need not be understood.
    fn require_sense(&self) -> Result<()> {
        let (nothing_run, nothing_written) =
            (self.commands.iter().all(|text| text.trim().is_empty()), self.files.is_empty());
        let missing = match kind(&self.tool) {
            Kind::Reads => return Ok(()),
            _ if self.is_odd => "what it would do is said in a form that is not known",
            Kind::Runs if nothing_run => "it runs something, and does not say what",
            Kind::Writes if nothing_run && nothing_written => "it writes something, and does not say where",
            _ => return Ok(()),
        };
        Err(unreadable(format!("the tool '{}': {missing}", self.tool.escape_debug())))
    }

    fn collect(&mut self, key: &str, value: &Value) {
        match value {
            Value::String(text) => self.string(key, text),
            Value::Array(items) if is_shell_key(key) && items.iter().all(Value::is_string) => {
                // An argument list: said again as a shell would read it.
                let words: Vec<String> = items.iter().filter_map(Value::as_str).map(quoted).collect();
                self.commands.push(words.join(" "));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(key, item)),
            Value::Object(members) if members.is_empty() && is_shell_key(key) => self.is_odd = true,
            Value::Object(members) => members.iter().for_each(|(key, value)| self.collect(key, value)),
            Value::Number(_) | Value::Bool(_) if is_shell_key(key) => self.is_odd = true,
            _ => {}
        }
    }

    fn string(&mut self, key: &str, text: &str) {
        let patched = text.lines().filter_map(|line| {
            ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "]
                .iter()
                .find_map(|start| line.trim_start().strip_prefix(start))
        });
        let patched: Vec<String> = patched.map(|path| path.trim().to_owned()).collect();
        let is_patch = !patched.is_empty();
        self.files.extend(patched);
        let of_shell = kind(&self.tool) == Kind::Runs || is_typed(&self.tool);
        let runs = is_shell_key(key) || (of_shell && !is_words_key(key));
        if runs && !(is_patch && text.trim_start().starts_with("***")) {
            self.commands.push(text.to_owned());
        } else if is_path_key(key) && kind(&self.tool) != Kind::Reads && !is_own(&self.tool) {
            self.files.push(text.strip_prefix("file://").unwrap_or(text).to_owned());
        }
    }
}

fn unreadable(why: impl Into<String>) -> Diagnostic {
    Code::Rapid1633
        .because(format!("the harness's message cannot be read: {}", why.into()))
        .hint("the tool call is refused; see 'git rapid harness status', and remove the guard with 'git rapid harness uninstall' if it keeps happening")
}

/// Members that hold what is run, or typed into something that runs.
fn is_shell_key(key: &str) -> bool {
    ["command", "commands", "cmd", "commandline", "script", "shell", "chars", "keys"].contains(&plain(key).as_str())
}

/// Members that only say something, also of a tool that runs things.
fn is_words_key(key: &str) -> bool {
    let key = plain(key);
    ["description", "explanation", "justification", "title", "summary", "reason"].contains(&key.as_str())
        || is_path_key(&key)
}

fn is_path_key(key: &str) -> bool {
    let key = plain(key);
    ["path", "file", "uri", "notebook", "target", "destination", "workdir", "cwd"].iter().any(|part| key.contains(part))
}

/// Whether what it is handed is typed into something that runs.
fn is_typed(tool: &str) -> bool {
    plain(tool) == "writestdin"
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
