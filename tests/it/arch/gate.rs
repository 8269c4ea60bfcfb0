//! The gate: there when the rules are there at the base, proposed by `next`, shown by the check, and not to be talked round.

use super::{OPEN_RULES, findings, layered};
use crate::harness::{Loop, Output, Repo, World, project};
use git_rapid::domain::json::Value;
use std::sync::Arc;

const CHECK: &[&str] = &["check", "--gate", "gate.architecture", "--", "git", "rapid", "arch", "check"];

fn started(world: &Arc<World>) -> Repo {
    let repo = project(world, "work");
    layered(&repo);
    repo.commit("layers");
    Loop::start(&repo, "Add a greeting").work();
    repo
}

#[test]
fn the_check_that_next_proposes_backs_the_gate() {
    let world = World::new();
    let repo = started(&world);
    // The tests come first where both are open.
    let next = loop {
        let next = repo.git_rapid(&["next", "--json"]).ok().json();
        let command =
            next.get("action").and_then(|action| action.get("command")).and_then(Value::as_list).unwrap().to_vec();
        let words: Vec<String> = command.iter().map(|word| word.as_text().unwrap().to_owned()).collect();
        if words.contains(&"gate.tests".to_owned()) {
            Output::of(world.command("git", repo.path()).args(&words[1..])).ok();
            continue;
        }
        break words;
    };
    assert_eq!(next, [&["git", "rapid"], CHECK].concat());
    repo.git_rapid(&["finish"])
        .ends(1)
        .says("gate.gate.architecture.evidence: nobody has decided the gate; nothing shows it");
    repo.git_rapid(CHECK).ok();
    let after = repo.git_rapid(&["next"]).ok();
    assert!(!after.stdout.contains("gate.architecture"), "{after}");
    let finished = repo.git_rapid(&["finish"]);
    assert!(!finished.stdout.contains("gate.architecture"), "only the person's gate is open: {finished}");
}

#[test]
fn a_violation_fails_the_gate_until_it_is_gone() {
    let world = World::new();
    let repo = started(&world);
    repo.write("core/model.py", "import json\nimport edge.web\n");
    let said = repo.git_rapid(CHECK).ends(1);
    let said = said.says("core/model.py:2: layer 'core' may not import layer 'edge'");
    said.says("for gate.architecture: exit status 1");
    repo.git_rapid(&["next"]).ok().says("gate.architecture: contradicted by");
    repo.git_rapid(&["finish"])
        .ends(1)
        .says("gate.gate.architecture.evidence: nobody has decided the gate; contradicted by");
    repo.write("core/model.py", "import json\n");
    repo.git_rapid(CHECK).ok();
    let after = repo.git_rapid(&["next"]).ok();
    assert!(!after.stdout.contains("gate.architecture:"), "{after}");
}

#[test]
fn rules_that_are_changed_during_the_run_change_nothing() {
    let world = World::new();
    let repo = started(&world);
    repo.write("core/model.py", "import edge.web\n");
    repo.write(".rapid/architecture.json", OPEN_RULES);
    let said = repo.git_rapid(&["arch", "check", "--json"]).ends(1);
    assert_eq!(findings(&said), ["core/model.py:1 core>edge"]);
    assert_eq!(said.json().get("rules").and_then(Value::as_text), Some("run"));
    std::fs::remove_file(repo.path().join(".rapid/architecture.json")).unwrap();
    repo.git_rapid(CHECK).ends(1).says("the active run's rules count");
    // In a fresh worktree of this code, where no session is, the run's rules count too.
    let fresh = [&["check", "--clean"], &CHECK[1..]].concat();
    repo.git_rapid(&fresh).ends(1).says("core/model.py:1: layer 'core' may not import layer 'edge'");
    let mut elsewhere = repo.tool();
    let elsewhere = Output::of(elsewhere.env("RAPID_RUN", "not-here-r1-run-001").args(["arch", "check"]));
    elsewhere.ends(1).says("the active run's rules count");
    repo.git_rapid(&["abort"]).ok();
    repo.git_rapid(&["arch", "check"]).ends(2).names("RAPID1421");
}

#[test]
fn a_run_does_not_begin_under_rules_that_nobody_understands() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write(".rapid/architecture.json", "{}");
    repo.commit("rules");
    let said = repo.git_rapid(&["start", "feature", "--title", "Add a greeting", "--task", "Write it"]);
    said.ends(2).names("RAPID1421");
}
