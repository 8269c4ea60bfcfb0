//! The real programs, where they are installed: they load what was installed, and call the guard. A stand-in for the model
//! answers them on loopback, so no account is needed.
//!
//! `.ci/run` fetches Claude Code and Codex (some 400 MB each) and then their absence is a failure; the others are driven where
//! they happen to be.

use super::hook;
use crate::harness::{Loop, Output, Repo, World, project, run_of, step_aside};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

fn is_there(program: &str) -> bool {
    Output::of_any(Command::new(program).arg("--version")).is_some_and(|output| output.code == 0)
}

/// Whether a program is here that `.ci/run` installs.
fn is_here(program: &str) -> bool {
    let there = is_there(program);
    if !there {
        step_aside(&format!("{program} is not installed here"));
    }
    there
}

/// Whether a program is here that only some machines have; said aloud when it is not.
fn happens_to_be_here(program: &str) -> bool {
    let there = is_there(program);
    if !there {
        eprintln!("stepping aside: {program} is not installed here");
    }
    there
}

/// A model that runs these commands one after another and then says that it is done.
pub struct Model {
    pub port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub fn new(answer: fn(&str) -> String) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream, &kept, answer));
            }
        });
        Model { port, asked }
    }

    pub fn heard(&self) -> String {
        self.asked.lock().unwrap().join("\n")
    }
}

fn serve(stream: TcpStream, kept: &Mutex<Vec<String>>, answer: fn(&str) -> String) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut length, mut first) = (0, String::new());
    if reader.read_line(&mut first).is_err() {
        return;
    }
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let body = String::from_utf8_lossy(&body).into_owned();
    let streams = ["/messages", "/responses", "/chat/completions", ":streamGenerateContent"];
    let is_question = streams.iter().any(|path| first.contains(path)) && !first.contains("count_tokens");
    let (kind, text) = match is_question {
        true => {
            kept.lock().unwrap().push(body.clone());
            ("text/event-stream", answer(&body))
        }
        // Gemini asks a small model first, which one to ask.
        false if first.contains(":generateContent") => ("application/json", small()),
        false => ("application/json", "{\"input_tokens\":1,\"models\":[],\"data\":[]}".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    let mut stream = stream;
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes()));
}

fn event(name: &str, value: &serde_json::Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}

const COMMANDS: [&str; 3] = ["git rapid approve gate.final-verification", "sh sneaky.sh", "git rapid status"];

/// Anthropic's Messages, streamed.
fn messages(body: &str) -> String {
    messages_that_run(&COMMANDS, body)
}

/// The same with other commands.
pub fn messages_that_run(commands: &[&str], body: &str) -> String {
    use serde_json::json;
    let done = body.matches("\"type\":\"tool_result\"").count();
    let command = commands.get(done).filter(|_| body.contains("\"name\":\"Bash\""));
    let (block, delta, reason) = match command {
        Some(command) => (
            json!({"type": "tool_use", "id": format!("toolu_{done}"), "name": "Bash", "input": {}}),
            json!({"type": "input_json_delta", "partial_json": json!({"command": command, "description": "Do it"}).to_string()}),
            "tool_use",
        ),
        None => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "All done."}), "end_turn"),
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let message = json!({"id": "msg", "type": "message", "role": "assistant", "model": "stand-in", "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    [
        event("message_start", &json!({"type": "message_start", "message": message})),
        event("content_block_start", &json!({"type": "content_block_start", "index": 0, "content_block": block})),
        event("content_block_delta", &json!({"type": "content_block_delta", "index": 0, "delta": delta})),
        event("content_block_stop", &json!({"type": "content_block_stop", "index": 0})),
        event(
            "message_delta",
            &json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": usage}),
        ),
        event("message_stop", &json!({"type": "message_stop"})),
    ]
    .concat()
}

/// OpenAI's Responses, streamed.
fn responses(body: &str) -> String {
    responses_that_run(&COMMANDS, body)
}

/// The same with other commands.
pub fn responses_that_run(commands: &[&str], body: &str) -> String {
    use serde_json::json;
    let done = body.matches("\"type\":\"function_call_output\"").count();
    let item = match commands.get(done) {
        Some(command) => {
            let (name, arguments) = match () {
                () if body.contains("\"exec_command\"") => ("exec_command", json!({"cmd": command})),
                () if body.contains("\"shell_command\"") => ("shell_command", json!({"command": command})),
                () => ("shell", json!({"command": ["bash", "-lc", command]})),
            };
            json!({"type": "function_call", "id": format!("fc_{done}"), "call_id": format!("call_{done}"), "name": name, "arguments": arguments.to_string()})
        }
        None => {
            json!({"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "All done."}]})
        }
    };
    let usage = json!({"input_tokens": 1, "input_tokens_details": null, "output_tokens": 1, "output_tokens_details": null, "total_tokens": 2});
    [
        event("response.created", &json!({"type": "response.created", "response": {"id": "r"}})),
        event(
            "response.output_item.done",
            &json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        ),
        event(
            "response.completed",
            &json!({"type": "response.completed", "response": {"id": "r", "output": [], "usage": usage}}),
        ),
    ]
    .concat()
}

/// OpenAI's Chat Completions, streamed.
fn completions(body: &str) -> String {
    use serde_json::json;
    let done = body.matches("\"role\":\"tool\"").count();
    let (delta, reason) = match COMMANDS.get(done).filter(|_| body.contains("\"name\":\"bash\"")) {
        Some(command) => {
            let arguments = json!({"command": command, "description": "Do it"}).to_string();
            let call = json!({"index": 0, "id": format!("call_{done}"), "type": "function", "function": {"name": "bash", "arguments": arguments}});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        None => (json!({"role": "assistant", "content": "All done."}), "stop"),
    };
    let chunk = |delta: serde_json::Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
        let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], "usage": usage});
        format!("data: {chunk}\n\n")
    };
    format!("{}{}data: [DONE]\n\n", chunk(delta, None), chunk(json!({}), Some(reason)))
}

/// Google's answer with one part.
fn candidate(part: &serde_json::Value) -> serde_json::Value {
    let content = serde_json::json!({"role": "model", "parts": [part]});
    let usage = serde_json::json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
    serde_json::json!({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage})
}

fn small() -> String {
    candidate(&serde_json::json!({"text": "{\"reasoning\":\"simple\",\"model_choice\":\"flash\",\"complexity_reasoning\":\"simple\",\"complexity_score\":1}"})).to_string()
}

/// Google's contents, streamed.
fn contents(body: &str) -> String {
    use serde_json::json;
    let done = body.matches("\"functionResponse\"").count();
    let part = match COMMANDS.get(done).filter(|_| body.contains("run_shell_command")) {
        Some(command) => {
            json!({"functionCall": {"name": "run_shell_command", "args": {"command": command, "description": "Do it"}}})
        }
        None => json!({"text": "All done."}),
    };
    format!("data: {}\n\n", candidate(&part))
}

/// A project with a harness installed and a run open in it.
fn ready(harness: &str) -> Repo {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "install", harness, "--mcp"]).ok();
    repo.write("sneaky.sh", "echo '# x' >> .rapid/config.toml\n");
    repo.commit("the harness");
    Loop::start(&repo, "Add a greeting");
    repo
}

/// What the program told its model, and what is on record of it.
fn shown(repo: &Repo, heard: &str, said: &Output, loaded: &str) {
    for (text, what) in [
        (loaded, "what was installed is loaded"),
        (&*format!("run {} is active", run_of("Add a greeting", 1)), "the session begins with the brief"),
        ("RAPID1634", "the decision is refused before it runs"),
        ("RAPID1635", "what a script changed is found"),
        ("RAPID1636", "the agent is sent back while the run is open"),
    ] {
        assert!(heard.contains(text), "{what}: {said}\n{}", heard.chars().take(40_000).collect::<String>());
    }
    let status = repo.rapid(&["harness", "status"]).ok().says("guard: active");
    assert!(!status.stdout.contains("never seen"), "every event was seen: {status}");
    let sent_back = heard.lines().filter(|line| line.contains("RAPID1636")).count();
    assert!(sent_back <= 3, "bounded: {sent_back}");
}

#[test]
fn claude_code_loads_what_was_installed_and_asks_the_guard() {
    if !is_here("claude") {
        return;
    }
    let repo = ready("claude");
    let model = Model::new(messages);
    let mut command = repo.world().command("claude", repo.path());
    command.args(["-p", "Go on.", "--output-format", "json", "--permission-mode", "bypassPermissions"]);
    command
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", model.port))
        .env("ANTHROPIC_API_KEY", "sk-ant-none");
    command.env("IS_SANDBOX", "1").env("DISABLE_AUTOUPDATER", "1").env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    let said = Output::of(&mut command);
    shown(&repo, &model.heard(), &said, "Do a feature under git-rapid");
}

#[test]
fn codex_loads_what_was_installed_and_asks_the_guard() {
    if !is_here("codex") {
        return;
    }
    let repo = ready("codex");
    let model = Model::new(responses);
    let provider = format!(
        "model_providers.stand_in={{name=\"stand-in\",base_url=\"http://127.0.0.1:{}/v1\",wire_api=\"responses\",env_key=\"STAND_IN\"}}",
        model.port
    );
    // A person has to trust a project once, or Codex leaves out what is in it.
    let place = repo.path().canonicalize().unwrap();
    let home = repo.world().path("home/.codex");
    std::fs::create_dir_all(&home).unwrap();
    let trust = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", place.display());
    std::fs::write(home.join("config.toml"), trust).unwrap();
    let mut command = repo.world().command("codex", repo.path());
    command.args(["exec", "--json", "-s", "danger-full-access", "--dangerously-bypass-hook-trust"]);
    command.args(["-c", &provider, "-c", "model_provider=\"stand_in\"", "-c", "model=\"stand-in\""]);
    command.arg("Go on.").env("STAND_IN", "none");
    let said = Output::of(&mut command);
    shown(&repo, &model.heard(), &said, "Do a feature under git-rapid");
    // A stop hook of ours does not go on for ever, whoever asks.
    hook(&repo, "codex", "stop", "{\"session_id\":\"z\"}").ends(2);
    let listed = Output::of(repo.world().command("codex", repo.path()).args(["mcp", "list"]));
    assert!(listed.stdout.contains("git-rapid"), "{listed}");
}

#[test]
fn gemini_loads_what_was_installed_and_asks_the_guard() {
    if !happens_to_be_here("gemini") {
        return;
    }
    let repo = ready("gemini");
    let model = Model::new(contents);
    // A person chooses a way to sign in, and trusts the folder: without that its hooks do not run.
    let home = repo.world().path("home/.gemini");
    std::fs::create_dir_all(&home).unwrap();
    let settings = "{\"security\":{\"auth\":{\"selectedType\":\"gemini-api-key\"},\"folderTrust\":{\"enabled\":true}}}";
    std::fs::write(home.join("settings.json"), settings).unwrap();
    let place = repo.path().canonicalize().unwrap();
    std::fs::write(
        home.join("trustedFolders.json"),
        serde_json::json!({place.to_str().unwrap(): "TRUST_FOLDER"}).to_string(),
    )
    .unwrap();
    let mut command = repo.world().command("gemini", repo.path());
    command.args(["-p", "Go on.", "-o", "json", "--approval-mode", "yolo"]);
    command.env("GOOGLE_GEMINI_BASE_URL", format!("http://127.0.0.1:{}", model.port)).env("GEMINI_API_KEY", "none");
    let said = Output::of(&mut command);
    // Its shortcuts are a person's commands: the model is told of the server's tools only.
    shown(&repo, &model.heard(), &said, "mcp_git-rapid_next");
}

#[test]
fn opencode_loads_what_was_installed_and_asks_the_guard() {
    if !happens_to_be_here("opencode") {
        return;
    }
    let repo = ready("opencode");
    let model = Model::new(completions);
    let home = repo.world().path("home/.config/opencode");
    std::fs::create_dir_all(&home).unwrap();
    let options = serde_json::json!({"baseURL": format!("http://127.0.0.1:{}/v1", model.port), "apiKey": "none"});
    let provider = serde_json::json!({"npm": "@ai-sdk/openai-compatible", "name": "stand-in", "options": options, "models": {"m": {"name": "m", "tool_call": true}}});
    let settings = serde_json::json!({"provider": {"stand": provider}, "model": "stand/m", "autoupdate": false});
    std::fs::write(home.join("opencode.json"), settings.to_string()).unwrap();
    let mut command = repo.world().command("opencode", repo.path());
    let said = Output::of(command.args(["run", "--format", "json", "--auto", "--command", "rapid-status", "please"]));
    let heard = model.heard();
    for text in ["Say how the git-rapid run stands. please", "RAPID1634", "RAPID1635"] {
        assert!(heard.contains(text), "{text}: {said}");
    }
    let status = repo.rapid(&["harness", "status"]).ok().says("guard: active");
    assert!(!status.stdout.contains("never seen"), "every event was seen: {status}");
}

#[test]
fn pi_loads_what_was_installed_and_asks_the_guard() {
    if !happens_to_be_here("pi") {
        return;
    }
    let repo = ready("pi");
    let model = Model::new(completions);
    let home = repo.world().path("home/.pi/agent");
    std::fs::create_dir_all(&home).unwrap();
    let provider = serde_json::json!({"baseUrl": format!("http://127.0.0.1:{}/v1", model.port), "api": "openai-completions", "apiKey": "none", "models": [{"id": "m"}]});
    let settings = serde_json::json!({"providers": {"stand": provider}});
    std::fs::write(home.join("models.json"), settings.to_string()).unwrap();
    let help = Output::of(repo.world().command("pi", repo.path()).arg("--help"));
    let mut command = repo.world().command("pi", repo.path());
    command.args(["--model", "stand/m", "--no-session", "--offline"]);
    // Newer ones leave a project's extensions out until a person trusts it.
    command.args(help.stdout.contains("--approve").then_some("--approve"));
    let said = Output::of(command.args(["-p", "Go on."]));
    let heard = model.heard();
    let run = run_of("Add a greeting", 1);
    for text in [&*format!("run {run} is active"), "RAPID1634", "RAPID1635"] {
        assert!(heard.contains(text), "{text}: {said}\n{heard}");
    }
    repo.rapid(&["harness", "status"]).ok().says("guard: active").says("post-tool: last seen");
}
