//! The real programs, where they are installed: they load what was installed, and call the guard. A stand-in for the model
//! answers them on loopback, so no account is needed.
//!
//! Each weighs some 400 MB, so `.ci/run` does not fetch them: these tests step aside without them, there too.

use super::hook;
use crate::harness::{Loop, Output, Repo, World, project, run_of};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Whether a program answers here; said aloud when it does not.
fn is_there(program: &str) -> bool {
    let there = Output::of_any(Command::new(program).arg("--version")).is_some_and(|output| output.code == 0);
    if !there {
        eprintln!("stepping aside: {program} is not installed here");
    }
    there
}

/// A model that runs these commands one after another and then says that it is done.
struct Model {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Model {
    fn new(answer: fn(&str) -> String) -> Model {
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

    fn heard(&self) -> String {
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
    let is_question = first.starts_with("POST")
        && (first.contains("/messages") && !first.contains("count_tokens") || first.contains("/responses"));
    let (kind, text) = match is_question {
        true => {
            kept.lock().unwrap().push(body.clone());
            ("text/event-stream", answer(&body))
        }
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
    use serde_json::json;
    let done = body.matches("\"type\":\"tool_result\"").count();
    let command = COMMANDS.get(done).filter(|_| body.contains("\"name\":\"Bash\""));
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
    use serde_json::json;
    let done = body.matches("\"type\":\"function_call_output\"").count();
    let item = match COMMANDS.get(done) {
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
fn shown(repo: &Repo, heard: &str, said: &Output) {
    for (text, what) in [
        ("rapid-feature", "the shortcuts are loaded"),
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
    if !is_there("claude") {
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
    shown(&repo, &model.heard(), &said);
}

#[test]
fn codex_loads_what_was_installed_and_asks_the_guard() {
    if !is_there("codex") {
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
    shown(&repo, &model.heard(), &said);
    // A stop hook of ours does not go on for ever, whoever asks.
    hook(&repo, "codex", "stop", "{\"session_id\":\"z\"}").ends(2);
    let listed = Output::of(repo.world().command("codex", repo.path()).args(["mcp", "list"]));
    assert!(listed.stdout.contains("git-rapid"), "{listed}");
}
