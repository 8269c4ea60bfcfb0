//! What a person is shown of the guards before they decide: each one that was at work, and what is amiss with their notes.

use super::{bash, hook, recorded::message};
use crate::harness::{GATE, Loop, Output, Repo, World, answer, project, somebody_can_be_asked, step_aside};

fn look(repo: &Repo) -> Output {
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "approve", GATE]);
    answer(command, "anything else to leave it: ", "no")
}

/// A run whose contract names no harness; two were at work in it, and one of them changed a rule.
fn worked() -> Repo {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "install", "claude"]).ok();
    repo.commit("the harness");
    Loop::start(&repo, "Add a greeting").work();
    hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", "sh x.sh")).ok();
    let text = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    repo.write(".rapid/config.toml", &format!("{text}# x\n"));
    hook(&repo, "claude", "post-tool", &bash(&repo, "PostToolUse", "sh x.sh")).ends(2).says("RAPID1635");
    repo.write(".rapid/config.toml", &text);
    let codex = message(&repo, "codex", "pre-tool", "ls").unwrap();
    hook(&repo, "codex", "pre-tool", &codex).ok();
    repo
}

#[test]
fn a_person_sees_every_harness_that_was_at_work() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let repo = worked();
    let shown = look(&repo)
        .says("guard:    active of claude, last seen ")
        .says("; 1 finding, the newest: changed while the tool Bash ran: .rapid/config.toml")
        .says("guard:    none of codex, last seen ");
    assert_eq!(shown.stdout.matches("guard: ").count(), 2, "{shown}");
    assert!(!shown.stdout.contains("look twice: what the guard"), "{shown}");
}

#[test]
fn notes_that_were_tampered_with_are_seen_at_the_next_call_and_by_the_person() {
    let asked = somebody_can_be_asked();
    if !asked {
        step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let altered = "what the guard had found was altered";
    let gone = "what the guard had remembered is gone";
    let ways = [
        ("echo '{\"schema_version\": 1, \"findings\": []}' > .git/rapid/harness/findings.json", altered),
        ("rm .git/rapid/harness/findings.json", altered),
        ("echo '{' > .git/rapid/harness/findings.json", altered),
        ("rm .git/rapid/harness/protected.json", gone),
        ("echo '{}' > .git/rapid/harness/protected.json", gone),
        ("echo exit 0 > .git/hooks/pre-push", "changed since the guard last looked: git's hooks/pre-push"),
    ];
    for (way, said) in ways {
        let repo = worked();
        repo.sh(way);
        if asked {
            look(&repo).says(&format!("look twice: {said}"));
        }
        repo.rapid(&["harness", "status"]).ok().says(&format!("doubt {said}"));
        // At the next call it becomes a finding of its own.
        hook(&repo, "claude", "pre-tool", &bash(&repo, "PreToolUse", "ls")).ok();
        let kept = repo.rapid(&["harness", "status"]).ok().says("changed between two tool calls: ");
        assert!(!kept.stdout.contains("doubt"), "{way}: {kept}");
        // One copy is enough to know what was found before.
        let first = kept.stdout.contains("changed while the tool Bash ran: .rapid/config.toml");
        assert!(first, "{way}: {kept}");
    }
}
