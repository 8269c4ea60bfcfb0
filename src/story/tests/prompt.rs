//! Prompts: every task in both languages names what its agent has to know, and nothing written elsewhere can break out.

use super::world::id;
use crate::story::finding::{Finding, Kind};
use crate::story::machine::Turn;
use crate::story::prompt::{Groom, Language, Surroundings, fenced, of_groom, of_turn, placeholders, template, values};
use crate::story::{Status, Task, targets};

fn turn(task: Task) -> Turn {
    Turn {
        number: 4,
        story: id(7),
        file: ".regista/stories/STORY-007.md".to_owned(),
        epic: Some("EPIC-001".to_owned()),
        task,
        attempt: 1,
        wait_seconds: 0,
        timeout_seconds: 1800,
        feedback: None,
        last: None,
        note: None,
        files: Vec::new(),
        cycle: vec![id(7), id(8)],
    }
}

const SURROUNDINGS: Surroundings<'_> =
    Surroundings { date: "2026-11-30", decisions_dir: ".regista/decisions", hook: None, commands: &[] };

#[test]
fn every_prompt_names_the_story_every_legal_state_and_the_log_line() {
    for &language in Language::ALL {
        for task in Task::ALL {
            let text = of_turn(&turn(task), &SURROUNDINGS, language);
            for target in targets(task.status(), task.role()) {
                assert!(text.matches(&format!("`{target}`")).count() >= 2, "{task:?} {language} {target}");
            }
            for part in [".regista/stories/STORY-007.md", "EPIC-001", ".regista/decisions", "Blocked", "Failed"] {
                assert!(text.contains(part), "{task:?} {language} {part}");
            }
            assert!(text.contains(&format!("- 2026-11-30 | {} | …", task.role().short())), "{task:?}");
            assert!(!text.contains("{{") && !text.contains("}}"), "{text}");
            assert_eq!(text.contains("STORY-007 → STORY-008 → STORY-007"), task == Task::BreakCycle);
            assert!(!text.contains("(this is attempt"), "no word of a retry in a first turn");
        }
    }
}

#[test]
fn a_retry_tells_what_happened_and_what_has_changed() {
    let again = Turn {
        attempt: 3,
        feedback: Some("```\nboom\n````".to_owned()),
        last: Some((Task::Review, Some(Status::InProgress))),
        note: Some("- 2026 | Reviewer | RECHAZO: a.rs:3 {{story_id}}".to_owned()),
        files: vec!["src/a.rs".to_owned()],
        ..turn(Task::Fix)
    };
    let commands = [("tests".to_owned(), "cargo test".to_owned())];
    let around = Surroundings { hook: Some("make check"), commands: &commands, ..SURROUNDINGS };
    for &language in Language::ALL {
        let text = of_turn(&again, &around, language);
        for part in [
            "`````\n```\nboom\n````\n`````",
            "a.rs:3 {{story_id}}",
            "- src/a.rs",
            "Reviewer: In Review → In Progress",
            "`make check`",
            "`cargo test`",
            " 3",
        ] {
            assert!(text.contains(part), "{language} {part}\n{text}");
        }
    }
}

#[test]
fn every_text_is_there_and_names_only_what_has_a_value() {
    let known = values(&turn(Task::Refine), &SURROUNDINGS);
    let groom = ["spec", "stories_dir", "epics_dir", "existing", "most", "date", "findings"];
    for &language in Language::ALL {
        for name in crate::story::prompt::NAMES {
            let text = template(language, name);
            assert!(text.len() > 80, "{language} {name}");
            for place in placeholders(text) {
                let has = if name.contains("groom") { groom.contains(&place) } else { known.contains_key(place) };
                assert!(has, "{language} {name}: {place}");
            }
            assert_ne!(
                text,
                template(if language == Language::English { Language::Spanish } else { Language::English }, name)
            );
        }
    }
    assert_eq!(template(Language::English, "nothing"), "");
    assert!(Task::ALL.iter().all(|task| crate::story::prompt::NAMES.contains(&task.as_str())));
}

#[test]
fn a_specification_cannot_break_out_and_taken_ids_are_named() {
    let existing = ["STORY-001".to_owned()];
    let groom = Groom {
        spec: "# Plan\n```\nx\n```\n{{date}}",
        stories_dir: "s",
        epics_dir: "e",
        existing: &existing,
        most: Some(4),
        date: "2026-11-30",
        findings: &[],
    };
    for &language in Language::ALL {
        let text = of_groom(&groom, language);
        assert!(text.contains("````\n# Plan\n```\nx\n```\n{{date}}\n````"), "{text}");
        assert!(text.contains("STORY-001\n") && text.contains(" 4 "));
        let findings = [Finding::new(Kind::Cycle, "a circle").file("s/STORY-002.md").line(9)];
        let text = of_groom(&Groom { findings: &findings, ..groom.clone() }, language);
        assert!(text.contains("- s/STORY-002.md:9: a circle (cycle)"), "{text}");
        assert!(!text.contains("# Plan"));
    }
    assert_eq!(fenced(""), "```\n\n```");
}
