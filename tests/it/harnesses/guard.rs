//! The ways round a guard that looks at tools, each with what it comes to: refused before it runs, found by what it changed,
//! or without effect because `approve` has defences of its own. And what must pass.

use super::everyday::EVERYDAY;
use super::ways::{Fate, WAYS};
use super::{bash, hook, quoted};
use crate::harness::{Loop, Repo, World, project};

/// A project with the guard of Claude Code, and a session that has begun.
fn guarded() -> Repo {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "install", "claude"]).ok();
    repo.commit("the harness");
    hook(&repo, "claude", "session-start", "{}").ok();
    repo
}

#[test]
fn each_way_round_is_refused_or_found_or_comes_to_nothing() {
    let repo = guarded();
    Loop::start(&repo, "Add a greeting").work();
    repo.write("later.sh", "git rapid approve gate.final-verification\n");
    repo.write("sneaky.sh", "echo '# x' >> .rapid/config.toml\n");
    repo.write("sneaky.py", "open('.rapid/config.toml', 'a').write('# x\\n')\n");
    repo.write("name", ".rapid/config.toml");
    repo.write("other/.rapid/config.toml", "test_command = [\"true\"]\n");
    repo.sh("tar -C other -cf sneaky.tar .rapid");
    repo.sh("echo '# x' >> .rapid/config.toml && git diff -- .rapid > sneaky.patch && git checkout --quiet -- .rapid");
    repo.write("forget.sh", "rm .git/rapid/harness/findings.json\n");
    repo.write("rewind.sh", "git update-ref refs/rapid/ledger refs/rapid/ledger~1\n");
    repo.write("hooks.sh", "echo exit 0 > .git/hooks/pre-push\n");
    repo.write("unguard.sh", "echo '{}' > .claude/settings.json\n");
    hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "true")).ok();
    let mut wrong = Vec::new();
    for (fate, way) in WAYS {
        let before = hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", way));
        let refused = before.code == 2 && before.stderr.contains("RAPID1634") && before.stderr.contains("hint: ");
        if *fate == Fate::Refused || refused || before.code != 0 {
            if (*fate == Fate::Refused) != refused {
                wrong.push(format!("{fate:?} {way}\n    {before}"));
            }
            continue;
        }
        let tip = repo.tip();
        let _ = crate::harness::Output::of(repo.world().command("sh", repo.path()).args(["-c", way]));
        let after = hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", way));
        match fate {
            Fate::Found => drop(after.ends(2).says("RAPID1635")),
            _ => drop(after.ok()),
        }
        if *fate == Fate::Nothing {
            assert_eq!(repo.tip(), tip, "{way} decided nothing");
        }
        repo.sh(&format!(
            "git merge-base --is-ancestor {tip} refs/rapid/ledger || git update-ref refs/rapid/ledger {tip}"
        ));
        repo.git(&["checkout", "--quiet", "--", ".rapid", ".claude"]);
        repo.sh("rm -f .git/hooks/pre-push");
        // Putting it back is what the agent was asked for, and no new finding.
        hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "git checkout -- .rapid")).ok();
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), WAYS.len(), wrong.join("\n"));
    let found = repo.rapid(&["harness", "status", "--json"]).ok().json().canonical();
    let ways = WAYS.iter().filter(|(fate, _)| *fate == Fate::Found).count();
    assert_eq!(found.matches("\"tool\":\"Bash\"").count(), ways, "one finding for each: {found}");
    assert!(!found.contains("\"tool\":\"\""), "none between two calls: {found}");
    for what in [".rapid/config.toml", "refs/rapid/ledger (rewound", "git's hooks/pre-push", ".claude/settings.json"] {
        assert!(found.contains(what), "{what} is kept for the person: {found}");
    }
}

#[test]
fn everyday_work_passes() {
    let repo = guarded();
    let run = Loop::start(&repo, "Add a greeting");
    assert!(EVERYDAY.len() >= 100);
    let call = |command: &&&str| hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", command));
    let refused: Vec<String> = EVERYDAY
        .iter()
        .map(|command| (command, call(&command)))
        .filter(|(_, said)| said.code != 0)
        .map(|(command, said)| format!("{command}: {}", said.stderr))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    // What the verbs themselves write is no finding.
    run.work();
    hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "git rapid task done T001")).ok();
    repo.git(&["checkout", "--quiet", "-b", "topic", "--track", "main"]);
    hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "git checkout -b topic")).ok();
}

#[test]
fn other_tools_are_judged_by_the_files_they_write() {
    let repo = guarded();
    repo.sh("ln -s .rapid alias && mkdir sub");
    let top = repo.path().to_str().unwrap().to_owned();
    let call = |tool: &str, input: &str| {
        format!(
            "{{\"cwd\":{},\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{tool}\",\"tool_input\":{input}}}",
            quoted(&top)
        )
    };
    let file = |path: &str| format!("{{\"file_path\":{},\"content\":\"x\"}}", quoted(path));
    let absolute = format!("{top}/.rapid/config.toml");
    let refused = [
        ("Write", file(&absolute)),
        ("Edit", file(".rapid/config.toml")),
        ("Edit", file("sub/../.rapid/new.json")),
        ("Write", file("alias/config.toml")),
        ("Write", file(".claude/settings.local.json")),
        ("Write", file(".git/hooks/pre-commit")),
        ("NotebookEdit", "{\"notebook_path\":\".rapid/x.ipynb\"}".to_owned()),
        ("mcp__filesystem__write_file", "{\"path\":\".git/config\",\"content\":\"\"}".to_owned()),
        ("mcp__shell__run", "{\"command\":\"git rapid approve gate.x\"}".to_owned()),
        ("SomeNewTool", "{\"edits\":[{\"target_file\":\".rapid/config.toml\"}]}".to_owned()),
        (
            "apply_patch",
            format!(
                "{{\"command\":{}}}",
                quoted("*** Begin Patch\n*** Update File: .rapid/config.toml\n@@\n*** End Patch")
            ),
        ),
        ("shell", "{\"command\":[\"bash\",\"-lc\",\"git rapid approve gate.x\"]}".to_owned()),
        ("write_stdin", "{\"session_id\":1,\"chars\":\"git rapid approve gate.x\\n\"}".to_owned()),
    ];
    for (tool, input) in &refused {
        hook(&repo, "claude", "pre-tool", &call(tool, input)).ends(2).says("RAPID1634");
    }
    let passed = [
        ("Read", file(&absolute)),
        ("Grep", "{\"pattern\":\"approve\",\"path\":\".rapid\"}".to_owned()),
        ("Write", file("docs/approve.md")),
        (
            "Write",
            "{\"file_path\":\"notes.md\",\"content\":\"git rapid approve gate.x > .rapid/config.toml\"}".to_owned(),
        ),
        ("Task", "{\"prompt\":\"never run git rapid approve\"}".to_owned()),
        ("mcp__git-rapid__attach", "{\"file\":\".rapid/config.toml\"}".to_owned()),
    ];
    for (tool, input) in &passed {
        hook(&repo, "claude", "pre-tool", &call(tool, input)).ok();
    }
}

#[test]
fn a_tool_that_can_run_or_write_says_what_or_is_refused() {
    let repo = guarded();
    let cwd = quoted(repo.path().to_str().unwrap());
    let call = |tool: &str, input: &str| {
        format!("{{\"cwd\":{cwd},\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{tool}\"{input}}}")
    };
    let refused = [
        ("Bash", ""),
        ("Bash", ",\"tool_input\":null"),
        ("Bash", ",\"tool_input\":{}"),
        ("Bash", ",\"tool_input\":[]"),
        ("Bash", ",\"tool_input\":7"),
        ("Bash", ",\"tool_input\":\"\""),
        ("Bash", ",\"tool_input\":{\"command\":null}"),
        ("Bash", ",\"tool_input\":{\"command\":\"\"}"),
        ("Bash", ",\"tool_input\":{\"command\":7,\"description\":\"List files\"}"),
        ("Bash", ",\"tool_input\":{\"command\":{}}"),
        ("Bash", ",\"tool_input\":{\"command\":[7]}"),
        ("Bash", ",\"tool_input\":{\"description\":\"List files\"}"),
        ("run_shell_command", ",\"tool_input\":{\"dir_path\":\".\"}"),
        ("mcp__box__execute_command", ",\"tool_input\":{\"command\":true}"),
        ("Write", ",\"tool_input\":{\"content\":\"x\"}"),
        ("Write", ",\"tool_input\":{\"file_path\":7,\"content\":\"x\"}"),
        ("Edit", ""),
        ("apply_patch", ",\"tool_input\":{\"input\":\"nothing that is known\"}"),
        ("mcp__fs__write_file", ",\"tool_input\":{\"content\":\"x\"}"),
        ("SomeNewTool", ",\"tool_input\":{\"command\":7}"),
        ("SomeNewTool", ",\"tool_input\":true"),
        ("SomeNewTool", ""),
    ];
    for (tool, input) in refused {
        hook(&repo, "claude", "pre-tool", &call(tool, input)).ends(2).says("RAPID1633");
    }
    let passed = [
        ("Read", ""),
        ("Read", ",\"tool_input\":{\"file_path\":7}"),
        ("Grep", ",\"tool_input\":{\"pattern\":{}}"),
        ("LS", ",\"tool_input\":null"),
        ("mcp__fs__read_text_file", ",\"tool_input\":{\"path\":\".rapid/config.toml\"}"),
        ("BashOutput", ",\"tool_input\":{\"bash_id\":\"b\"}"),
        ("KillShell", ",\"tool_input\":{\"shell_id\":\"b\"}"),
        ("write_stdin", ",\"tool_input\":{\"session_id\":1,\"chars\":\"\"}"),
        ("get_terminal_output", ",\"tool_input\":{\"id\":1}"),
        ("mcp__x__list_commands", ",\"tool_input\":{}"),
        ("TodoWrite", ",\"tool_input\":{\"todos\":[{\"content\":\"Ask for git rapid approve\"}]}"),
        ("ExitPlanMode", ",\"tool_input\":{}"),
        ("mcp__github__create_issue", ",\"tool_input\":{\"title\":\"x\",\"body\":\"y\"}"),
        ("SomeNewTool", ",\"tool_input\":{\"id\":7,\"deep\":true}"),
    ];
    for (tool, input) in passed {
        hook(&repo, "claude", "pre-tool", &call(tool, input)).ok();
    }
}

#[test]
fn what_cannot_be_read_is_refused_before_a_tool_and_nowhere_else() {
    let repo = guarded();
    let deep = format!("echo {}x{}", "$(".repeat(40), ")".repeat(40));
    for input in ["", "{", "[]", "null", "{\"tool_input\":{}}", "{\"tool_name\":\"Bash\"", "\u{0}"] {
        hook(&repo, "claude", "pre-tool", input).ends(2).says("RAPID1633");
        hook(&repo, "claude", "post-tool", input).ok();
        hook(&repo, "claude", "stop", input).ok();
    }
    hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", &deep)).ends(2).says("RAPID1634");
    repo.rapid(&["hook", "harness", "nobody", "pre-tool"]).ends(2);
    repo.rapid(&["hook", "harness", "claude", "never"]).ends(2);
    // Where there is no repository the words are judged all the same.
    let bare = Repo::at(repo.world(), repo.world().path("tmp"));
    hook(&bare, "claude", "pre-tool", &bash(&bare, "PreToolUse", "git rapid approve gate.x")).ends(2);
    hook(&bare, "claude", "pre-tool", &bash(&bare, "PreToolUse", "ls")).ok();
}

#[test]
fn each_harness_is_answered_in_its_own_words() {
    let repo = guarded();
    let cwd = quoted(repo.path().to_str().unwrap());
    let no = "git rapid approve gate.x";
    // Cursor: documents, status 0.
    let cursor = |command: &str| {
        format!(
            "{{\"conversation_id\":\"c\",\"generation_id\":\"g\",\"workspace_roots\":[{cwd}],\"hook_event_name\":\"preToolUse\",\"tool_name\":\"Shell\",\"tool_input\":{{\"command\":\"{command}\"}},\"cwd\":{cwd}}}"
        )
    };
    let answer = hook(&repo, "cursor", "pre-tool", &cursor(no)).ok();
    assert!(answer.stdout.contains("\"permission\":\"deny\"") && answer.stdout.contains("RAPID1634"), "{answer}");
    assert_eq!(hook(&repo, "cursor", "pre-tool", &cursor("ls")).ok().stdout, "{\"permission\":\"allow\"}");
    let shell = format!("{{\"hook_event_name\":\"beforeShellExecution\",\"command\":\"{no}\",\"cwd\":{cwd}}}");
    assert!(hook(&repo, "cursor", "pre-tool", &shell).ok().stdout.contains("\"deny\""));
    assert!(hook(&repo, "cursor", "pre-tool", "nonsense").ok().stdout.contains("\"deny\""));
    // Antigravity: name and arguments wrapped, keys in capitals, `toolCall` null after a failure.
    let agy = |command: &str| {
        format!(
            "{{\"conversationId\":\"c\",\"stepIdx\":3,\"toolCall\":{{\"name\":\"run_command\",\"args\":{{\"CommandLine\":\"{command}\",\"Cwd\":{cwd}}}}},\"workspacePaths\":[{cwd}]}}"
        )
    };
    assert!(hook(&repo, "antigravity", "pre-tool", &agy(no)).ok().stdout.starts_with("{\"decision\":\"deny\""));
    assert_eq!(hook(&repo, "antigravity", "pre-tool", &agy("ls")).ok().stdout, "{\"decision\":\"allow\"}");
    let edit = format!(
        "{{\"toolCall\":{{\"name\":\"write_to_file\",\"args\":{{\"TargetFile\":\".rapid/config.toml\"}}}},\"workspacePaths\":[{cwd}]}}"
    );
    assert!(hook(&repo, "antigravity", "pre-tool", &edit).ok().stdout.contains("deny"));
    hook(
        &repo,
        "antigravity",
        "post-tool",
        &format!("{{\"toolCall\":null,\"error\":\"x\",\"workspacePaths\":[{cwd}]}}"),
    )
    .ok();
    // The others read the status; what differs is how they say it.
    let codex = format!(
        "{{\"session_id\":\"s\",\"turn_id\":\"t\",\"model\":\"m\",\"cwd\":{cwd},\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{no}\"}}}}"
    );
    let gemini = format!(
        "{{\"session_id\":\"s\",\"cwd\":{cwd},\"hook_event_name\":\"BeforeTool\",\"timestamp\":\"2026-11-30T00:00:00Z\",\"tool_name\":\"run_shell_command\",\"tool_input\":{{\"command\":\"{no}\"}}}}"
    );
    let copilot = format!(
        "{{\"sessionId\":\"s\",\"timestamp\":1.5e12,\"cwd\":{cwd},\"toolName\":\"bash\",\"toolArgs\":{{\"command\":\"{no}\"}}}}"
    );
    let as_text = format!(
        "{{\"sessionId\":\"s\",\"cwd\":{cwd},\"toolName\":\"bash\",\"toolArgs\":{}}}",
        quoted(&format!("{{\"command\":\"{no}\"}}"))
    );
    let vscode = format!(
        "{{\"cwd\":{cwd},\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"editFiles\",\"tool_input\":{{\"files\":[\".rapid/config.toml\"]}},\"tool_use_id\":\"1\"}}"
    );
    let plugin = format!(
        "{{\"hook_event_name\":\"pre-tool\",\"cwd\":{cwd},\"session_id\":\"s\",\"tool_use_id\":\"c\",\"tool_name\":\"bash\",\"tool_input\":{{\"command\":\"{no}\"}}}}"
    );
    for (harness, input) in [
        ("codex", &codex),
        ("gemini", &gemini),
        ("vscode", &copilot),
        ("vscode", &as_text),
        ("vscode", &vscode),
        ("opencode", &plugin),
        ("pi", &plugin),
    ] {
        hook(&repo, harness, "pre-tool", input).ends(2).says("RAPID1634");
    }
}
