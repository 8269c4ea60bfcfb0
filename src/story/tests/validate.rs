//! The check before a run: every kind of finding is raised, in a stable order, with its place.

use super::corpus::backlog;
use crate::story::file::StoryFile;
use crate::story::settings::Settings;
use crate::story::validate::{ProjectFacts, Read, RoleFacts, exit_code, to_value, validate};
use crate::story::{Kind, Role, StoryId};
use std::collections::BTreeSet;

fn fine() -> ProjectFacts {
    ProjectFacts {
        config_file: "config.toml".to_owned(),
        stories_dir: ("stories".to_owned(), true),
        ..ProjectFacts::default()
    }
}

fn story(id: &str, status: &str, deps: &str) -> Read {
    let text = format!(
        "# {id}: t\n\n## Status\n**{status}**\n\n## Description\nx\n\n## Acceptance criteria\n- [ ] a\n\n## Dependencies\n{deps}\n\n## Activity Log\n- x\n"
    );
    let id = StoryId::of(id);
    Read { file: format!("stories/{id}.md"), story: StoryFile::parse(&id, text.as_bytes()), id }
}

fn shown(stories: &[Read]) -> Vec<String> {
    validate(&fine(), &Settings::default(), stories)
        .iter()
        .map(|finding| {
            let line = finding.line.map(|line| line.to_string()).unwrap_or_default();
            format!("{}:{line} {} {}", finding.story.as_deref().unwrap_or("-"), finding.kind.as_str(), finding.message)
        })
        .collect()
}

#[test]
fn dependencies_are_weighed_against_the_backlog() {
    let stories = [
        story("STORY-001", "Ready", "- Blocked by: STORY-003"),
        story("STORY-002", "Ready", "- Blocked by: STORY-001"),
        story("STORY-003", "Ready", "- Blocked by: STORY-002, STORY-9, STORY-4"),
        story("STORY-004", "Failed", ""),
        story("STORY-005", "Ready", "- Blocked by: STORY-004"),
        story("STORY-006", "Ready", "- Blocked by: STORY-006"),
        story("STORY-007", "Done", "- Blocked by: STORY-004"),
    ];
    for _ in 0..3 {
        assert_eq!(
            shown(&stories),
            [
                "STORY-001:13 cycle these stories wait for each other: STORY-001 → STORY-003 → STORY-002 → STORY-001",
                "STORY-003:13 dependency-missing STORY-4 does not exist; did you mean STORY-004?",
                "STORY-003:13 dependency-missing STORY-9 does not exist",
                "STORY-005:13 dependency-failed STORY-004 was given up, so this story stays blocked",
                "STORY-006:13 cycle these stories wait for each other: STORY-006 → STORY-006",
            ]
        );
    }
}

#[test]
fn ids_are_there_once() {
    let mut second = story("STORY-001", "Ready", "");
    second.file = "stories/more/STORY-001.md".to_owned();
    let mut third = story("STORY-002", "Ready", "");
    third.id = StoryId::of("STORY-003");
    third.file = "stories/STORY-003.md".to_owned();
    let stories = [
        story("STORY-001", "Ready", ""),
        second,
        story("STORY-002", "Ready", ""),
        third,
        story("STORY-x", "Ready", ""),
    ];
    let kinds: Vec<String> =
        shown(&stories).iter().filter_map(|line| line.split(' ').nth(1).map(str::to_owned)).collect();
    assert_eq!(kinds, ["title-twice", "id-without-number", "title-missing", "id-twice"]);
}

#[test]
fn what_the_caller_saw_becomes_findings() {
    let role = |role, known, program, instructions| RoleFacts {
        role,
        provider: "pi".to_owned(),
        known,
        program: ("pi".to_owned(), program),
        version: program.then(|| Err("it says nothing".to_owned())),
        instructions: (".pi/skills/x/SKILL.md".to_owned(), instructions),
    };
    let project = ProjectFacts {
        config_missing: true,
        config_fault: Some("line 3: expected a value".to_owned()),
        unknown_keys: vec![("limits.max_iteratons".to_owned(), Some(4), Some("limits.max_iterations".to_owned()))],
        stories_dir: ("stories".to_owned(), false),
        unwritable: vec!["stories/STORY-001.md".to_owned()],
        unreadable: vec![("stories/STORY-002.md".to_owned(), "permission denied".to_owned())],
        roles: vec![role(Role::ProductOwner, false, false, false), role(Role::Developer, true, false, false)],
        git_enabled: true,
        repository: false,
        orchestrator: Some("process 7".to_owned()),
        ..fine()
    };
    let settings =
        Settings { agent_timeout_seconds: 0, max_reject_cycles: 0, max_retries_per_step: 0, ..Settings::default() };
    let findings = validate(&project, &settings, &[]);
    let kinds: BTreeSet<Kind> = findings.iter().map(|finding| finding.kind).collect();
    use Kind::*;
    let expected = [
        ConfigMissing,
        ConfigUnreadable,
        ConfigUnknownKey,
        LimitImpossible,
        StoriesDirMissing,
        PathUnwritable,
        OrchestratorLive,
        ProviderUnknown,
        ProviderMissing,
        InstructionsMissing,
        GitMissing,
        StoryUnreadable,
    ];
    assert_eq!(kinds, expected.into_iter().collect());
    let unknown = findings.iter().find(|finding| finding.kind == ConfigUnknownKey).unwrap();
    assert_eq!(
        (unknown.line, unknown.message.as_str()),
        (Some(4), "nothing reads 'limits.max_iteratons'; did you mean 'limits.max_iterations'?")
    );
    assert_eq!(exit_code(&findings), 1);
    let value = to_value(&findings);
    assert_eq!(
        value.get("errors").unwrap().as_int().unwrap() + value.get("warnings").unwrap().as_int().unwrap(),
        findings.len() as i64
    );

    let empty = validate(&fine(), &Settings::default(), &[]);
    assert_eq!((empty[0].kind, exit_code(&empty)), (StoriesNone, 2));
    let short = Settings { max_wall_time_seconds: 5, ..Settings::default() };
    assert_eq!(exit_code(&validate(&fine(), &short, &backlog())), 2);
    assert_eq!(exit_code(&validate(&fine(), &Settings::default(), &backlog())), 0);
}
