//! What each of the eight tells its hooks, event by event: recorded from the programs that could be run, documented for the
//! others. The session is always the same one.

use super::{ALL, hook, quoted};
use crate::harness::{Loop, Output, Repo, World, project, run_of};

/// A harness's message for an event of ours; none where it tells us nothing of it. The tool is its shell.
pub fn message(repo: &Repo, harness: &str, event: &str, command: &str) -> Option<String> {
    let cwd = quoted(repo.path().to_str().unwrap());
    let command = quoted(command);
    Some(match (harness, event) {
        ("antigravity", "session-start" | "stop") | ("opencode", "session-start") => return None,
        ("claude" | "codex" | "gemini" | "vscode", _) => {
            let (name, tool) = match (harness, event) {
                ("gemini", "pre-tool") => ("BeforeTool", "run_shell_command"),
                ("gemini", "post-tool") => ("AfterTool", "run_shell_command"),
                ("gemini", "stop") => ("AfterAgent", ""),
                ("vscode", "pre-tool") => ("PreToolUse", "run_in_terminal"),
                ("vscode", "post-tool") => ("PostToolUse", "run_in_terminal"),
                (_, "pre-tool") => ("PreToolUse", "Bash"),
                (_, "post-tool") => ("PostToolUse", "Bash"),
                (_, "stop") => ("Stop", ""),
                _ => ("SessionStart", ""),
            };
            let own = match harness {
                "codex" => ",\"turn_id\":\"t\",\"model\":\"gpt\",\"permission_mode\":\"bypassPermissions\"",
                "gemini" => ",\"timestamp\":\"2026-11-30T00:00:00Z\"",
                "vscode" => ",\"timestamp\":\"2026-11-30T00:00:00Z\"",
                _ => ",\"prompt_id\":\"p\",\"permission_mode\":\"acceptEdits\",\"effort\":{\"level\":\"high\"}",
            };
            let of_event = match event {
                "session-start" => ",\"source\":\"startup\"".to_owned(),
                "stop" if harness == "gemini" => {
                    ",\"prompt\":\"Go on.\",\"prompt_response\":\"All done.\",\"stop_hook_active\":false".to_owned()
                }
                "stop" => ",\"stop_hook_active\":false,\"last_assistant_message\":\"All done.\"".to_owned(),
                "pre-tool" => format!(
                    ",\"tool_name\":\"{tool}\",\"tool_input\":{{\"command\":{command},\"description\":\"Do it\"}},\"tool_use_id\":\"c1\""
                ),
                _ => format!(
                    ",\"tool_name\":\"{tool}\",\"tool_input\":{{\"command\":{command}}},\"tool_use_id\":\"c1\",\"tool_response\":{{\"stdout\":\"\",\"stderr\":\"\"}}"
                ),
            };
            format!(
                "{{\"session_id\":\"s\",\"transcript_path\":\"/t.jsonl\",\"cwd\":{cwd},\"hook_event_name\":\"{name}\"{own}{of_event}}}"
            )
        }
        ("cursor", _) => {
            let of_event = match event {
                "session-start" => "\"hook_event_name\":\"sessionStart\",\"composer_mode\":\"agent\"".to_owned(),
                "stop" => "\"hook_event_name\":\"stop\",\"status\":\"completed\",\"loop_count\":0".to_owned(),
                "pre-tool" => format!(
                    "\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Shell\",\"tool_input\":{{\"command\":{command}}},\"cwd\":{cwd}"
                ),
                _ => format!(
                    "\"hook_event_name\":\"postToolUse\",\"tool_name\":\"Shell\",\"tool_input\":{{\"command\":{command}}},\"tool_output\":\"\",\"duration\":7,\"cwd\":{cwd}"
                ),
            };
            format!("{{\"conversation_id\":\"s\",\"generation_id\":\"g\",\"workspace_roots\":[{cwd}],{of_event}}}")
        }
        ("antigravity", _) => format!(
            "{{\"conversationId\":\"s\",\"stepIdx\":3,\"toolCall\":{{\"name\":\"run_command\",\"args\":{{\"CommandLine\":{command},\"Cwd\":{cwd}}}}},\"workspacePaths\":[{cwd}]}}"
        ),
        // The two plugins are ours, and so are their messages.
        (_, "pre-tool" | "post-tool") => format!(
            "{{\"hook_event_name\":\"{event}\",\"cwd\":{cwd},\"session_id\":\"s\",\"tool_use_id\":\"c\",\"tool_name\":\"bash\",\"tool_input\":{{\"command\":{command}}}}}"
        ),
        _ => format!("{{\"hook_event_name\":\"{event}\",\"cwd\":{cwd},\"session_id\":\"s\"}}"),
    })
}

/// What an answer says to the agent, in whatever form.
fn told(output: &Output) -> String {
    format!("{}{}", output.stdout, output.stderr)
}

#[test]
fn every_harness_gets_its_brief_its_refusals_its_findings_and_a_bounded_end() {
    let world = World::new();
    for harness in ALL {
        let repo = project(&world, harness);
        repo.write("sneaky.sh", "echo '# x' >> .rapid/config.toml\n");
        repo.commit("a script");
        let before = super::install::everything(&repo);
        repo.rapid(&["harness", "install", harness]).ok();
        let run = run_of("Add a greeting", 1);
        let started = Loop::start(&repo, "Add a greeting").run;
        assert_eq!(started, run);
        let ask = |event: &str, command: &str| {
            message(&repo, harness, event, command).map(|input| hook(&repo, harness, event, &input))
        };
        if let Some(begun) = ask("session-start", "") {
            assert!(told(&begun.ok()).contains(&format!("run {run} is active")), "{harness}");
        }
        let refused = told(&ask("pre-tool", "find . -exec git rapid approve gate.x ';'").unwrap());
        assert!(refused.contains("RAPID1634") && refused.contains("a person's to run"), "{harness}: {refused}");
        let passed = told(&ask("pre-tool", "sh sneaky.sh").unwrap().ok());
        assert!(!passed.contains("RAPID"), "{harness}: {passed}");
        repo.sh("sh sneaky.sh");
        let found = told(&ask("post-tool", "sh sneaky.sh").unwrap());
        assert!(found.contains("RAPID1635") && found.contains(".rapid/config.toml"), "{harness}: {found}");
        repo.git(&["checkout", "--quiet", "--", ".rapid"]);
        let ends: Vec<bool> =
            (0..6).filter_map(|_| ask("stop", "")).map(|answer| told(&answer).contains("RAPID1636")).collect();
        assert!(ends.is_empty() || ends == [true, true, true, false, false, false], "{harness}: {ends:?}");
        let status = repo.rapid(&["harness", "status"]).ok().says(&format!("{harness} guard: active"));
        assert!(!status.stdout.contains("never seen"), "{harness}: {status}");
        assert!(status.stdout.contains(": .rapid/config.toml"), "{harness}: {status}");
        repo.rapid(&["harness", "uninstall", harness]).ok();
        let after = super::install::everything(&repo);
        // The run itself stays, and so does what `start` wrote for it.
        let differs = super::install::differences(&before, &after);
        assert!(
            differs.iter().all(|name| !name.contains("harness") && !name.starts_with('.')),
            "{harness}: {differs:?}"
        );
    }
}
