//! Agents' harnesses from outside: what is installed and taken out again, what the guard refuses and what it finds, how an
//! agent is kept at it, and the protocol server. The hooks are given what the real programs were seen to send.

mod events;
mod everyday;
mod guard;
mod install;
mod mcp;
mod plugins;
pub mod real;
mod recorded;
mod shown;
mod ways;

use crate::harness::{Output, Repo};
use std::io::Write;
use std::process::Stdio;

/// The eight, as the command line names them.
const ALL: [&str; 8] = ["claude", "codex", "cursor", "vscode", "antigravity", "opencode", "gemini", "pi"];

/// Calls a hook as a harness does.
fn hook(repo: &Repo, harness: &str, event: &str, input: &str) -> Output {
    let mut command = repo.tool();
    command.args(["hook", "harness", harness, event]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A hook that refuses before it read everything closes its end.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Output::from_std(&child.wait_with_output().unwrap(), format!("{harness} {event} {input}"))
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Claude Code's message about a shell command, as recorded from 2.1.332.
fn bash(repo: &Repo, event: &str, command: &str) -> String {
    let cwd = quoted(repo.path().to_str().unwrap());
    let answer = match event {
        "PostToolUse" => {
            ",\"tool_response\":{\"stdout\":\"\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false},\"duration_ms\":7.5"
        }
        _ => "",
    };
    format!(
        "{{\"session_id\":\"5a1e\",\"transcript_path\":\"/t.jsonl\",\"cwd\":{cwd},\"prompt_id\":\"p\",\"permission_mode\":\"acceptEdits\",\
         \"effort\":{{\"level\":\"high\"}},\"hook_event_name\":\"{event}\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":{},\
         \"description\":\"Do it\"}},\"tool_use_id\":\"toolu_01\"{answer}}}",
        quoted(command)
    )
}
