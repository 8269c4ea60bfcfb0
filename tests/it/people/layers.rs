//! Terminal, marks of sessions, programs above us, the typed sentence. Stand-ins for agents' programs are copies of a shell:
//! their own file is all that tells them from one.

use crate::harness::{GATE, Loop, Output, Repo, World, answer, project, somebody_can_be_asked, step_aside};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PROMPT: &str = "anything else to leave it: ";

/// A run that lacks nothing but its approval; `None`, said aloud, where nobody can be asked.
fn worked() -> Option<(Arc<World>, Repo)> {
    if !somebody_can_be_asked() {
        step_aside("a coding agent is above this test, so nobody can be asked");
        return None;
    }
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more").work();
    Some((world, repo))
}

/// Refused as an agent's, without a question, and nothing is recorded.
fn refused(repo: &Repo, tip: &str, output: &Output, why: &str) {
    assert_eq!(output.code, 1, "{why}: {output}");
    assert!(output.stdout.contains("RAPID1310") && output.stdout.contains(why), "{why}: {output}");
    assert!(!output.stdout.contains(PROMPT), "nobody was asked: {output}");
    assert_eq!(repo.tip(), tip, "nothing was recorded");
}

/// `approve`, started by a program at this place that looks like an editor but for its own file.
fn approved_below(repo: &Repo, program: &Path, arguments: &[&str]) -> Output {
    let script = format!("printf vim >/proc/$$/comm; git rapid approve {GATE}; exit $?");
    let mut command = repo.world().command(program.to_str().unwrap(), repo.path());
    match arguments {
        [] => drop(command.arg0("vim").args(["-c", &script])),
        arguments => drop(command.args(arguments)),
    }
    answer(command, PROMPT, &format!("approve {GATE}"))
}

/// A copy of a shell at this place.
fn stand_in(world: &World, place: &str) -> PathBuf {
    let path = world.path(place);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::copy("/bin/sh", &path).unwrap();
    path
}

#[test]
fn a_program_of_each_harness_above_us_is_known_by_its_file() {
    let Some((world, repo)) = worked() else { return };
    let tip = repo.tip();
    for (place, agent) in [
        ("bin/claude", "claude"),
        ("bin/claude.exe", "claude"),
        ("share/claude/versions/2.1.332", "claude"),
        ("lib/node_modules/@anthropic-ai/claude-code/cli", "claude"),
        ("bin/codex", "codex"),
        ("bin/codex-linux-sandbox", "codex"),
        ("bin/cursor-agent", "cursor"),
        ("share/cursor-agent/versions/3.7.21/index", "cursor"),
        ("bin/agy", "antigravity"),
        ("bin/antigravity", "antigravity"),
        ("bin/gemini", "gemini"),
        ("bin/opencode.exe", "opencode"),
        ("bin/pi", "pi"),
        ("bin/copilot", "copilot"),
        ("bin/.copilot-wrapped", "copilot"),
        ("bin/kiro-cli", "kiro"),
        ("bin/amp", "amp"),
        ("bin/goose", "goose"),
        ("bin/aider", "aider"),
        ("bin/droid", "droid"),
        ("bin/qwen", "qwen"),
        ("bin/kilo", "kilo"),
    ] {
        let output = approved_below(&repo, &stand_in(&world, place), &[]);
        refused(&repo, &tip, &output, &format!("started by an agent ({agent}, process "));
    }
    // The same shell at another place is nobody's: the question comes, and the answer counts.
    let output = approved_below(&repo, &stand_in(&world, "bin/vim"), &[]);
    output.ok().says(&format!("approved {GATE}"));
}

#[test]
fn an_agent_that_an_interpreter_runs_or_whose_file_is_gone_is_known_too() {
    let Some((world, repo)) = worked() else { return };
    let tip = repo.tip();
    let node = stand_in(&world, "bin/node");
    for (place, agent) in [
        ("node_modules/@google/gemini-cli/dist/index.js", "gemini"),
        ("node_modules/@github/copilot/index.js", "copilot"),
        ("node_modules/@mariozechner/pi-coding-agent/dist/cli.js", "pi"),
    ] {
        let script = world.path(place);
        std::fs::create_dir_all(script.parent().unwrap()).unwrap();
        std::fs::write(&script, format!("printf MainThread >/proc/$$/comm\ngit rapid approve {GATE}\nexit $?\n"))
            .unwrap();
        let output = approved_below(&repo, &node, &[script.to_str().unwrap()]);
        refused(&repo, &tip, &output, &format!("started by an agent ({agent}, process "));
    }
    let updated = stand_in(&world, "bin/claude");
    let script = format!("rm {}; printf vim >/proc/$$/comm; git rapid approve {GATE}; exit $?", updated.display());
    let mut command = repo.world().command(updated.to_str().unwrap(), repo.path());
    command.arg0("vim").args(["-c", &script]);
    let output = answer(command, PROMPT, &format!("approve {GATE}"));
    refused(&repo, &tip, &output, "started by an agent (claude, process ");
}

#[test]
fn each_mark_that_a_harness_leaves_says_no() {
    let Some((_, repo)) = worked() else { return };
    let tip = repo.tip();
    let approve = |name: &str, value: &str| {
        let mut command = repo.world().command("git", repo.path());
        command.args(["rapid", "approve", GATE]).env(name, value);
        answer(command, PROMPT, "no")
    };
    for (name, value) in [
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_CHILD_SESSION", "1"),
        ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
        ("CLAUDE_CODE_SESSION_ID", "x"),
        ("CLAUDE_PID", "7"),
        ("CLAUDE_PROJECT_DIR", "/x"),
        ("CODEX_THREAD_ID", "x"),
        ("CODEX_SESSION_ID", "x"),
        ("CODEX_TOOL_CALL_ID", "x"),
        ("CODEX_CI", "1"),
        ("CODEX_SANDBOX", "seatbelt"),
        ("CODEX_SANDBOX_NETWORK_DISABLED", "1"),
        ("CODEX_MANAGED_BY_NPM", "1"),
        ("OPENCODE", "1"),
        ("OPENCODE_PID", "7"),
        ("PI_CODING_AGENT", "true"),
        ("PI_SESSION_ID", "x"),
        ("PI_SESSION_FILE", "/x"),
        ("GEMINI_CLI", "1"),
        ("GEMINI_PROJECT_DIR", "/x"),
        ("GEMINI_SESSION_ID", "x"),
        ("COPILOT_CLI", "1"),
        ("COPILOT_AGENT_SESSION_ID", "x"),
        ("COPILOT_PROJECT_DIR", "/x"),
        ("CURSOR_AGENT", "1"),
        ("CURSOR_TRACE_ID", "x"),
        ("ANTIGRAVITY_AGENT", "1"),
        ("AI_AGENT", "claude-code_2-1-332_agent"),
        ("AGENT", "1"),
    ] {
        refused(
            &repo,
            &tip,
            &approve(name, value),
            &format!("the variable {name} says that this is an agent's session"),
        );
    }
    for (name, value) in [("CLAUDECODE", ""), ("GEMINI_CLI", "0"), ("AGENT", "false"), ("CODEX_HOME", "/x")] {
        let asked = approve(name, value);
        assert!(asked.stdout.contains(PROMPT), "a person is asked in spite of {name}='{value}': {asked}");
    }
}

#[test]
fn no_terminal_no_answer_and_another_sentence_decide_nothing() {
    let Some((_, repo)) = worked() else { return };
    let tip = repo.tip();
    repo.git_rapid(&["approve", GATE]).ends(1).names("RAPID1310").says("there is no terminal");
    // A pipe into it is no terminal either, whatever it says.
    let piped = format!("echo 'approve {GATE}' | git rapid approve {GATE}");
    let mut command = repo.world().command("sh", repo.path());
    command.args(["-c", &piped]);
    let output = answer(command, PROMPT, "no");
    assert!(output.code == 1 && output.stdout.contains("there is no terminal"), "{output}");
    let decide = |sentence: &str| {
        let mut command = repo.world().command("git", repo.path());
        command.args(["rapid", "approve", GATE]);
        answer(command, PROMPT, sentence)
    };
    // Ctrl-D.
    decide("\u{4}").ends(1).says("RAPID1310").says("the input ended");
    for other in [
        "",
        "y",
        "yes",
        "approve",
        "APPROVE gate.final-verification",
        "approve gate.tests",
        "waive gate.final-verification",
    ] {
        decide(other).ends(1).says("RAPID1310").says("nothing was decided");
    }
    assert_eq!(repo.tip(), tip);
    decide(&format!("  approve {GATE} ")).ok().says(&format!("approved {GATE}"));
}
