//! Sessions that begin with a brief, turns that do not end too early, heartbeats, and what is shown of all that.

use super::{bash, hook, quoted};
use crate::harness::{Loop, Repo, World, project, run_of};

fn stop(repo: &Repo, session: &str) -> String {
    let cwd = quoted(repo.path().to_str().unwrap());
    format!(
        "{{\"session_id\":\"{session}\",\"transcript_path\":\"/t\",\"cwd\":{cwd},\"hook_event_name\":\"Stop\",\"stop_hook_active\":false,\
         \"last_assistant_message\":\"All done!\",\"background_tasks\":[],\"session_crons\":[]}}"
    )
}

#[test]
fn an_agent_is_sent_back_while_next_says_otherwise_and_not_for_ever() {
    let repo = project(&World::new(), "work");
    hook(&repo, "claude", "stop", &stop(&repo, "a")).ok();
    let run = Loop::start(&repo, "Add a greeting");
    for _ in 0..3 {
        hook(&repo, "claude", "stop", &stop(&repo, "a")).ends(2).says("RAPID1636").says("implement_task T001");
    }
    hook(&repo, "claude", "stop", &stop(&repo, "a")).ok();
    // Another session, another harness: counted for itself, said in its own words.
    let told = hook(&repo, "cursor", "stop", &stop(&repo, "b")).ok();
    assert!(told.stdout.contains("\"followup_message\":\"git-rapid[RAPID1636]"), "{told}");
    assert!(hook(&repo, "gemini", "stop", &stop(&repo, "c")).ok().stdout.contains("\"decision\":\"deny\""));
    hook(&repo, "codex", "stop", &stop(&repo, "d")).ends(2);
    // At the gate that only a person decides, the agent is done.
    run.work();
    hook(&repo, "claude", "stop", &stop(&repo, "e")).ok();
    let next = repo.rapid(&["next", "--json"]).ok().json();
    assert_eq!(next.get("action").unwrap().get("kind").unwrap().as_text(), Some("await_human_approval"));
}

#[test]
fn where_it_cannot_be_counted_the_agent_may_stop() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    // Something that is no directory stands where the counts would lie.
    repo.write(".git/rapid/harness", "");
    hook(&repo, "claude", "stop", &stop(&repo, "a")).ok();
}

#[test]
fn a_session_begins_with_the_brief() {
    let repo = project(&World::new(), "work");
    hook(&repo, "claude", "session-start", "{\"source\":\"startup\"}").ok().says("no run is active");
    Loop::start(&repo, "Add a greeting");
    let run = run_of("Add a greeting", 1);
    hook(&repo, "claude", "session-start", "{}")
        .ok()
        .says(&format!("run {run} is active"))
        .says("next: implement_task");
    for harness in ["codex", "gemini", "vscode"] {
        let told = hook(&repo, harness, "session-start", "{}").ok();
        let document: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let text = document["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(text.contains(&run), "{harness}: {text}");
    }
    let told: serde_json::Value =
        serde_json::from_str(&hook(&repo, "cursor", "session-start", "{}").ok().stdout).unwrap();
    assert!(told["additional_context"].as_str().unwrap().contains(&run));
}

#[test]
fn installed_is_not_active_until_a_heartbeat_was_seen() {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "status"]).ok().says("no harness is installed here");
    repo.rapid(&["harness", "install", "codex"]).ok();
    repo.rapid(&["harness", "status"]).ok().says("guard: installed, never seen").says("/hooks");
    hook(&repo, "codex", "pre-tool", &bash(&repo, "PreToolUse", "ls")).ok();
    let seen = repo.rapid(&["harness", "status"]).ok().says("guard: active");
    assert!(seen.stdout.contains("pre-tool: last seen ") && seen.stdout.contains("stop: never seen"), "{seen}");
    let path = repo.path().join(".codex/hooks.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("pre-tool", "pre-fool")).unwrap();
    repo.rapid(&["harness", "status"]).ok().says("guard: altered").says(".codex/hooks.json: differs");
}

#[test]
fn what_is_left_running_is_found_at_the_next_call() {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "install", "claude"]).ok();
    hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", "sh later.sh &")).ok();
    hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "sh later.sh &")).ok();
    repo.write(".rapid/config.toml", "test_command = [\"true\"]\n");
    // The next call is not to blame and runs; the person sees it.
    hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", "ls")).ok();
    repo.rapid(&["harness", "status"]).ok().says("changed between two tool calls: .rapid/config.toml");
    // What was remembered is taken away while a tool runs.
    std::fs::remove_file(repo.path().join(".git/rapid/harness/protected.json")).unwrap();
    let after = hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "sh x.sh"));
    after.ends(2).says("RAPID1635").says("what the guard had remembered");
}
