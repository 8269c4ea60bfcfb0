//! Large backlogs in five shapes, made here: checked and planned to the end. The sizes grow with RAPID_SLOW_TESTS.

use super::Project;
use super::shapes::{SHAPES, blockers};
use git_rapid::domain::json::Value;
use std::fmt::Write;

fn fill(project: &Project, shape: &str, stories: u32) {
    let mut dice = 7;
    std::fs::create_dir_all(project.top().join(".regista/stories")).unwrap();
    for number in 1..=stories {
        let id = format!("STORY-{number:05}");
        let blockers = blockers(shape, number, stories, &mut dice);
        let names: Vec<String> = blockers.iter().map(|number| format!("STORY-{number:05}")).collect();
        let status = if names.is_empty() { "Draft" } else { "Blocked" };
        let mut text = super::story(&id, status, &names.join(", "));
        for note in 0..3 {
            writeln!(text, "- 2026-01-02 | PO | note {note}: áéíóú").unwrap();
        }
        std::fs::write(project.top().join(format!(".regista/stories/{id}.md")), text).unwrap();
    }
}

#[test]
fn five_shapes_are_checked_and_planned_to_the_end() {
    let stories = if std::env::var_os("RAPID_SLOW_TESTS").is_some() { 10_000 } else { 1_000 };
    for shape in SHAPES {
        let project = Project::sound("large");
        fill(&project, shape, stories);
        let clean = shape != "cycle";
        let seen = project.run(&["validate", "--json"]).ends(if clean { 0 } else { 1 }).json();
        let errors = seen.get("errors").and_then(Value::as_int);
        assert_eq!(errors, Some(if clean { 0 } else { 2 }), "{shape}: a circle and a missing one");
        let plan = project.run(&["run", "--dry-run", "--json"]).ends(if clean { 0 } else { 3 }).json();
        let turns = plan.get("estimate").and_then(|estimate| estimate.get("turns")).and_then(Value::as_int).unwrap();
        if clean {
            assert_eq!(turns, i64::from(stories) * 5 - blocked(&project), "{shape}");
        }
    }
}

/// A Blocked story whose past is not known is Ready afterwards: one turn less.
fn blocked(project: &Project) -> i64 {
    let files = std::fs::read_dir(project.top().join(".regista/stories")).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts.filter(|text| text.contains("**Blocked**")).count() as i64
}
