//! The protocol server, driven by the official SDK's client.

use crate::harness::{Repo, World, project};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService, ServiceExt};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use std::process::Stdio;

type Client = RunningService<RoleClient, ()>;

async fn client(repo: &Repo) -> Client {
    let mut command = repo.tool();
    command.arg("mcp");
    let command = tokio::process::Command::from(command);
    let (child, _) = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn().unwrap();
    ().serve(child).await.unwrap()
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let request = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone());
    client.call_tool(request).await.unwrap()
}

/// The document of a call that went well.
async fn document(client: &Client, tool: &'static str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
    result.structured_content.unwrap()
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

#[test]
fn a_client_drives_a_run_to_the_gate_and_no_further() {
    let repo = project(&World::new(), "work");
    run(async {
        let client = client(&repo).await;
        let info = client.peer_info().unwrap();
        assert!(info.instructions.as_ref().unwrap().contains("a person decides"));
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        for name in [
            "next",
            "start",
            "check",
            "task",
            "attach",
            "status",
            "brief",
            "finish",
            "verify",
            "evidence_list",
            "evidence_log",
        ] {
            assert!(names.contains(&name), "{name} is there");
        }
        for name in ["approve", "abort", "run_gate", "gate", "evidence_add", "harness", "expunge"] {
            assert!(!names.contains(&name), "{name} is a person's");
        }
        let first = document(&client, "next", json!({})).await;
        assert_eq!(first["action"]["kind"], "author_spec");
        let started = json!({"mode": "feature", "title": "Add a greeting", "tasks": ["Write it"], "harness": "claude"});
        let started = document(&client, "start", started).await;
        assert_eq!(started["action"]["kind"], "implement_task");
        document(&client, "task", json!({"to": "start", "id": "T001"})).await;
        repo.write("greeting.sh", "echo hello\necho world\n");
        let checked = document(&client, "check", json!({"label": "by hand"})).await;
        assert_eq!(checked["outcome"], "pass");
        document(&client, "task", json!({"to": "done", "id": "T001"})).await;
        let next = document(&client, "next", json!({})).await;
        assert_eq!(next["action"]["kind"], "await_human_approval");
        // The same outcome as the command's own.
        let own: Value = serde_json::from_str(&repo.rapid(&["next", "--json"]).ok().stdout).unwrap();
        assert_eq!(next, own);
        // Nothing here decides: not by name, not through another tool's arguments.
        for tool in ["approve", "abort", "run gate", "evidence_add"] {
            let refused = client.call_tool(CallToolRequestParams::new(tool)).await.unwrap_err();
            assert!(refused.to_string().contains("there is no tool"), "{refused}");
        }
        for (tool, arguments) in [
            ("finish", json!({"accept_test_command": true})),
            ("task", json!({"to": "approve", "id": "T001"})),
            ("task", json!({"to": "done", "id": "--no-check"})),
            ("start", json!({"title": "x"})),
            ("check", json!({"tasks": "T001"})),
        ] {
            let request = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone());
            assert!(client.call_tool(request).await.is_err(), "{tool} {arguments}");
        }
        let through =
            call(&client, "check", json!({"command": ["git", "rapid", "approve", crate::harness::GATE]})).await;
        assert_ne!(through.structured_content.unwrap()["outcome"], "pass", "a check has no terminal");
        let unfinished = call(&client, "finish", json!({})).await;
        assert_eq!(unfinished.is_error, Some(true));
        let after = document(&client, "next", json!({})).await;
        assert_eq!(after["awaiting_human"], json!([crate::harness::GATE]));
        let evidence = document(&client, "evidence_list", json!({})).await;
        let reviews = evidence["evidence"].as_array().unwrap().iter().filter(|item| item["kind"] == "review");
        assert_eq!(reviews.count(), 0);
        document(&client, "evidence_log", json!({"id": "E002"})).await;
        document(&client, "brief", json!({})).await;
        document(&client, "verify", json!({})).await;
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_refusal_is_an_error_with_its_code() {
    let repo = project(&World::new(), "work");
    run(async {
        let client = client(&repo).await;
        let refused = call(&client, "check", json!({})).await;
        assert_eq!(refused.is_error, Some(true));
        assert_eq!(refused.structured_content.unwrap()["error"]["code"], "RAPID1300");
        let spec = json!({"mode": "feature", "spec": "{\"title\": \"x\", \"nonsense\": 1}"});
        let refused = call(&client, "start", spec).await;
        assert_eq!(refused.structured_content.unwrap()["error"]["code"], "RAPID1303");
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_client_that_speaks_something_else_ends_it() {
    let repo = project(&World::new(), "work");
    repo.rapid(&["mcp"]).ends(2).names("RAPID1637");
}
