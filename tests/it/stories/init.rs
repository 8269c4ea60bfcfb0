//! Setting stories up: what is written, and that nothing that exists is lost.

use super::{Project, story};
use crate::harness::everything_below;
use std::fs::read_to_string;

#[test]
fn a_project_is_set_up_once_and_is_valid_then() {
    let project = Project::bare("fresh");
    project.world().repository("fresh", &[]);
    let said = project.run(&["init"]).ends(0);
    for path in [".rapid/config.toml", ".regista/stories/TEMPLATE.md", ".pi/skills/reviewer/SKILL.md"] {
        assert!(said.stdout.contains(&format!("wrote {path}")), "{said}");
    }
    // A template is no story yet.
    project.run(&["validate"]).ends(2).says("warning[stories-none]");
    let template = read_to_string(project.top().join(".regista/stories/TEMPLATE.md")).unwrap();
    let alone = template.replace("## Dependencies\n- Blocked by: STORY-002\n\n", "");
    project.story("STORY-001", alone);
    project.run(&["validate"]).ends(0);
    let before = everything_below(&project.top());
    let again = project.run(&["init"]).ends(0);
    assert!(!again.stdout.contains("wrote"), "{again}");
    assert_eq!(everything_below(&project.top()), before, "twice is once");
}

#[test]
fn what_is_commented_in_the_configuration_is_what_holds() {
    let project = Project::bare("comments");
    project.run(&["init", "--provider", "codex"]).ends(0);
    let path = project.top().join(".rapid/config.toml");
    let text = read_to_string(&path).unwrap();
    assert!(text.contains("provider = \"codex\""));
    // Every commented key is one that is read.
    let open: String = text
        .lines()
        .filter(|line| !line.contains('…'))
        .map(|line| match line.strip_prefix("# ") {
            Some(key) if key.contains(" = ") || key.starts_with('[') => format!("{key}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    std::fs::write(&path, open).unwrap();
    project.story("STORY-001", story("STORY-001", "Draft", ""));
    let seen = project.run(&["run", "--dry-run"]).ends(0);
    assert!(seen.stdout.contains("estimate: 5 turns"), "{seen}");
}

#[test]
fn what_exists_stays() {
    let project = Project::bare("kept");
    project.write(".rapid/config.toml", "ruleset = 4 # mine");
    project.write(".claude/agents/developer.md", "mine\n");
    let said = project.run(&["init", "--provider", "claude"]).ends(0);
    assert!(said.stdout.contains("extended .rapid/config.toml"), "{said}");
    assert!(said.stdout.contains("kept .claude/agents/developer.md"), "{said}");
    let config = read_to_string(project.top().join(".rapid/config.toml")).unwrap();
    assert!(config.starts_with("ruleset = 4 # mine\n\n[story]\n"), "{config}");
    assert_eq!(read_to_string(project.top().join(".claude/agents/developer.md")).unwrap(), "mine\n");
    // An old project keeps its configuration.
    let old = Project::sound("old");
    old.run(&["init"]).ends(0);
    assert!(!old.top().join(".rapid").exists());
}
