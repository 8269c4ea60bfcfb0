//! `git rapid hook harness NAME EVENT`: what a harness calls. Reads its message, answers in its words, leaves a heartbeat.
//!
//! Before a tool everything that goes wrong is a refusal; at the end of a turn everything that goes wrong lets the agent stop.

use super::{args, brief, harness as words, speak::Ui};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::hooks::harness::{self, Call, Event, Ground, Harness, MOST_STOPS, Speech, Stop};
use crate::os::environment::Environment;
use crate::verbs::{self, rapid::Rapid};
use serde_json::json;
use std::path::PathBuf;

/// The status that refuses a tool, or sends an agent back, in every harness that reads a status. 1 is a mere warning in some.
const REFUSED: i32 = 2;

/// Runs it.
pub fn run(arguments: &[String], environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let word = |at: usize| arguments.get(at).map(String::as_str).unwrap_or_default();
    let (harness, event) = (Harness::parse(word(0))?, Event::parse(word(1)).ok_or_else(|| unknown(word(1)))?);
    let message = args::read_input("-", environment, harness::CAP);
    let call = message.and_then(|bytes| Call::read(&bytes, event == Event::PreTool));
    let answer = match (event, call) {
        (Event::PreTool, Err(error)) => Err(error),
        // After the fact there is nothing to refuse; what changed is looked at whatever the message was.
        (_, call) => {
            let call = call.unwrap_or_default();
            let place = place(&call, environment);
            let rapid = Rapid::open(&place);
            if let Ok(rapid) = &rapid {
                harness::beat(rapid.repository(), harness, event);
            }
            match event {
                Event::SessionStart => return Ok(session_start(rapid.ok().as_ref(), harness, ui)),
                Event::PreTool => pre_tool(rapid.ok().as_ref(), harness, &call, &place),
                Event::PostTool => post_tool(rapid.ok().as_ref(), harness, &call),
                Event::Stop => return Ok(stop(rapid.ok().as_ref(), harness, &call, ui)),
            }
        }
    };
    Ok(match answer {
        Ok(()) => allowed(harness, ui),
        Err(refusal) => refused(harness, event, &refusal, ui),
    })
}

fn unknown(event: &str) -> Diagnostic {
    Code::Rapid1633.because(format!("'{}' is no event of a harness", event.escape_debug()))
}

/// Where the agent's project lies: as the harness says, else where it stands.
fn place(call: &Call, environment: &Environment) -> Environment {
    let told = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR"];
    let told = told.into_iter().find_map(|name| environment.path(name));
    let first = told.or_else(|| call.project.clone()).or_else(|| call.cwd.clone());
    // What git left in the environment of whoever started the harness says nothing of this project.
    let environment = environment.without_git();
    match first.filter(|path| path.is_dir()) {
        Some(path) => environment.in_directory(path),
        None => environment,
    }
}

fn pre_tool(rapid: Option<&Rapid>, harness: Harness, call: &Call, place: &Environment) -> Result<()> {
    let cwd: PathBuf = call.cwd.clone().unwrap_or_else(|| place.cwd().to_owned());
    let ground = match rapid {
        Some(rapid) => Ground::of(rapid, &cwd),
        None => Ground::bare(&cwd, place.path("HOME")),
    };
    harness::judge(call, &ground).map_err(|denied| denied.diagnostic())?;
    if let Some(rapid) = rapid {
        // What changed since the last call is noted for the person; this call is not to blame for it.
        harness::compare(rapid, harness, None)?;
    }
    Ok(())
}

fn post_tool(rapid: Option<&Rapid>, harness: Harness, call: &Call) -> Result<()> {
    let Some(rapid) = rapid else { return Ok(()) };
    let tool = if call.tool.is_empty() { "(unnamed)" } else { &call.tool };
    match harness::compare(rapid, harness, Some(tool))? {
        None => Ok(()),
        Some(found) => Err(words::refusal(&found)),
    }
}

fn allowed(harness: Harness, ui: &mut Ui) -> i32 {
    match harness.speech() {
        Speech::Status => {}
        Speech::Cursor => ui.raw(json!({"permission": "allow"}).to_string().as_bytes()),
        Speech::Decision => ui.raw(json!({"decision": "allow"}).to_string().as_bytes()),
    }
    0
}

fn refused(harness: Harness, event: Event, refusal: &Diagnostic, ui: &mut Ui) -> i32 {
    let text = told(refusal);
    match harness.speech() {
        Speech::Status => {
            ui.note(&text);
            REFUSED
        }
        Speech::Cursor => {
            let answer = match event {
                Event::PreTool => json!({
                    "permission": "deny", "user_message": text, "agent_message": text,
                    "userMessage": text, "agentMessage": text,
                }),
                _ => json!({"additional_context": text}),
            };
            ui.raw(answer.to_string().as_bytes());
            0
        }
        Speech::Decision => {
            ui.raw(json!({"decision": "deny", "reason": text}).to_string().as_bytes());
            0
        }
    }
}

/// A diagnostic as an agent reads it.
fn told(refusal: &Diagnostic) -> String {
    let hints: Vec<String> = refusal.hints.iter().map(|hint| format!("\nhint: {hint}")).collect();
    format!("git-rapid[{}]: {}{}", refusal.code, refusal.message, hints.concat())
}

/// Tells a new session where the run stands.
fn session_start(rapid: Option<&Rapid>, harness: Harness, ui: &mut Ui) -> i32 {
    let Some(rapid) = rapid else { return 0 };
    let _ = harness::remember(rapid);
    let seen = verbs::brief::brief(rapid, None).and_then(|seen| brief::lines(&seen));
    let text = match seen {
        Ok(lines) => format!("A git-rapid run is active here.\n{}", lines.join("\n")),
        Err(error) if error.code == Code::Rapid1300 => {
            "This repository is worked in with git-rapid; no run is active. Begin one with the shortcut rapid-feature, \
             rapid-bugfix, rapid-refactor, rapid-hardening or rapid-research, or see 'git rapid next'."
                .to_owned()
        }
        Err(error) => format!("git-rapid cannot say where the run stands: {}", told(&error)),
    };
    match harness {
        Harness::Cursor => ui.raw(json!({"additional_context": text}).to_string().as_bytes()),
        Harness::Gemini | Harness::Vscode | Harness::Codex => {
            let output = json!({"hookEventName": "SessionStart", "additionalContext": text});
            ui.raw(json!({"hookSpecificOutput": output}).to_string().as_bytes());
        }
        _ => text.lines().for_each(|line| ui.line(line)),
    }
    0
}

fn stop(rapid: Option<&Rapid>, harness: Harness, call: &Call, ui: &mut Ui) -> i32 {
    let Some(Stop::Back(text)) = rapid.map(|rapid| harness::stop(rapid, call)) else { return 0 };
    let refusal = Code::Rapid1636.because(text).hint(format!("after {MOST_STOPS} times this is no longer said"));
    match harness.speech() {
        Speech::Cursor => {
            ui.raw(json!({"followup_message": told(&refusal)}).to_string().as_bytes());
            0
        }
        Speech::Decision => refused(harness, Event::Stop, &refusal, ui),
        Speech::Status if harness == Harness::Gemini => {
            ui.raw(json!({"decision": "deny", "reason": told(&refusal)}).to_string().as_bytes());
            0
        }
        Speech::Status => {
            ui.note(&told(&refusal));
            REFUSED
        }
    }
}
