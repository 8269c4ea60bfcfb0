//! A run that is only thought through: what it says, and that it touches nothing.

use super::{Project, corpus, story};
use crate::harness::everything_below;
use git_rapid::domain::json::Value;

fn number(document: &Value, key: &str) -> i64 {
    document.get(key).and_then(Value::as_int).unwrap_or_else(|| panic!("{key} is a number"))
}

fn word<'a>(document: &'a Value, key: &str) -> &'a str {
    document.get(key).and_then(Value::as_text).unwrap_or_default()
}

#[test]
fn the_corpus_is_planned_to_its_end_and_nothing_is_touched() {
    let project = Project::sound("plan");
    corpus(&project);
    let before = everything_below(&project.top());
    let plan = project.run(&["run", "--dry-run", "--json"]).ends(0).json();
    assert_eq!((word(&plan, "result"), number(&plan, "exit_code")), ("completed", 0));
    assert_eq!(number(&plan, "schema_version"), 1);
    let estimate = plan.get("estimate").unwrap();
    assert_eq!(number(estimate, "turns"), 62);
    let summary = plan.get("summary").unwrap();
    assert_eq!((number(summary, "total"), number(summary, "done"), number(summary, "iterations")), (28, 28, 62));
    for key in ["project_dir", "stopped_early", "stop_reason", "stories", "transitions", "strikes", "stuck"] {
        assert!(plan.get(key).is_some(), "{key} is there");
    }
    // The plain command without a subcommand is the same.
    project.run(&["--dry-run"]).ends(0).says("completed: 28 stories: 28 Done").says("estimate: 62 turns");
    let quiet = project.run(&["--dry-run", "--quiet"]).ends(0);
    assert!(!quiet.stdout.contains("→"), "no moves: {quiet}");
    let hard = project.run(&["run", "--dry-run=pessimistic", "--json"]).ends(0).json();
    assert_eq!(number(hard.get("estimate").unwrap(), "turns"), 62 + 13 * 2);
    assert_eq!(everything_below(&project.top()), before, "a dry run writes nothing");
    assert!(!project.started().exists(), "a dry run starts no agent");
}

#[test]
fn moves_name_what_unblocked_a_story() {
    let project = Project::sound("moves");
    project.story("STORY-001", story("STORY-001", "Business Review", ""));
    project.story("STORY-002", story("STORY-002", "In Review", "STORY-001"));
    let plan = project.run(&["run", "--dry-run"]).ends(0);
    let moves: Vec<&str> = plan.stdout.lines().filter(|line| line.contains("→")).map(str::trim).collect();
    assert_eq!(
        moves,
        [
            "STORY-002  -         In Review → Blocked",
            "STORY-001  PO        Business Review → Done",
            "STORY-002  -         Blocked → In Review  (STORY-001 is Done)",
            "STORY-002  Reviewer  In Review → Business Review",
            "STORY-002  PO        Business Review → Done",
        ]
    );
}

#[test]
fn what_is_impossible_is_said_in_text_and_json() {
    let project = Project::sound("stuck");
    project.story("STORY-001", story("STORY-001", "Draft", "STORY-002"));
    project.story("STORY-002", story("STORY-002", "Draft", "STORY-001"));
    project.story("STORY-003", story("STORY-003", "Draft", "STORY-009"));
    project
        .run(&["run", "--dry-run"])
        .ends(3)
        .says("circle: STORY-001 → STORY-002 → STORY-001")
        .says("STORY-009 does not");
    let plan = project.run(&["run", "--dry-run", "--json"]).ends(3).json();
    assert_eq!(word(&plan, "result"), "stuck");
    let stuck = plan.get("stuck").and_then(Value::as_list).unwrap();
    assert_eq!(stuck.iter().map(|one| word(one, "story")).collect::<Vec<_>>(), ["STORY-001", "STORY-002", "STORY-003"]);
    project.story("STORY-004", story("STORY-004", "Failed", ""));
    project.story("STORY-005", story("STORY-005", "Draft", "STORY-004"));
    project.run(&["run", "--dry-run"]).ends(2).says("STORY-004 was given up");
}

#[test]
fn selections_and_limits_hold() {
    let project = Project::sound("some");
    project.story("STORY-001", story("STORY-001", "Ready", ""));
    project.story("STORY-002", story("STORY-002", "Ready", "").replace("EPIC-001", "EPIC-002"));
    project.story("STORY-003", story("STORY-003", "Ready", "STORY-002").replace("EPIC-001", "EPIC-003"));
    let total = |arguments: &[&str]| {
        let plan = project.run(&[&["run", "--dry-run", "--json"], arguments].concat()).json();
        number(plan.get("summary").unwrap(), "total")
    };
    assert_eq!(total(&["--story", "story-001"]), 1);
    assert_eq!(total(&["--epic", "EPIC-002"]), 1);
    assert_eq!(total(&["--epics", "EPIC-001..EPIC-002"]), 2);
    assert_eq!(total(&["--epics", "1,3"]), 2);
    project.run(&["run", "--dry-run", "--epic", "3"]).ends(3).says("STORY-002 is not Done and not part of this run");
    let once = project.run(&["run", "--dry-run", "--once", "--json"]).ends(0).json();
    assert_eq!(number(once.get("estimate").unwrap(), "turns"), 1);
    project.write(".regista/config.toml", "[limits]\nmax_iterations = 3\n");
    let stopped = project.run(&["run", "--dry-run", "--json"]).ends(3).json();
    assert_eq!(word(&stopped, "result"), "stopped");
    assert!(word(&stopped, "stop_reason").contains("max_iterations"));
}

#[test]
fn a_log_file_takes_the_plan_too() {
    let project = Project::sound("log");
    project.story("STORY-001", story("STORY-001", "Ready", ""));
    let log = project.world().path("plan.log");
    project.run(&["run", "--dry-run", "--json", "--log-file", log.to_str().unwrap()]).ends(0).json();
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.contains("Ready → Tests Ready") && text.contains("estimate: 4 turns"), "{text}");
}
