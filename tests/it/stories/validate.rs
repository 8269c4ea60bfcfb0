//! Every kind of finding on a disk, and projects that have none.

use super::{Project, corpus, story};
use crate::harness::everything_below;
use git_rapid::domain::json::Value;
use git_rapid::story::Kind;
use std::collections::BTreeSet;

/// The findings of a check, as their codes with the files.
fn findings(document: &Value) -> BTreeSet<(String, String)> {
    let text = |finding: &Value, key: &str| finding.get(key).and_then(Value::as_text).unwrap_or("-").to_owned();
    let found = document.get("findings").and_then(Value::as_list).unwrap();
    found.iter().map(|finding| (text(finding, "code"), text(finding, "file"))).collect()
}

#[test]
fn a_sound_project_is_clean_and_the_corpus_too() {
    let project = Project::sound("sound");
    project.story("STORY-001", story("STORY-001", "Draft", ""));
    project.story("STORY-002", story("STORY-002", "Blocked", "STORY-001"));
    let clean = project.run(&["validate", "--json"]).ends(0).json();
    assert_eq!(findings(&clean), BTreeSet::new());
    assert_eq!(clean.get("exit_code").and_then(Value::as_int), Some(0));

    let real = Project::sound("real");
    corpus(&real);
    let before = everything_below(&real.top());
    real.run(&["validate"]).ends(0).says("28 stories").says("pi: stand-in 1.0");
    assert_eq!(everything_below(&real.top()), before, "a check writes nothing");
    assert!(!real.started().exists(), "a check starts no agent");
}

#[test]
fn a_check_works_from_below_and_by_name() {
    let project = Project::sound("named");
    project.story("STORY-001", story("STORY-001", "Draft", ""));
    let mut below = project.command(&["validate"]);
    below.current_dir(project.top().join(".regista/stories"));
    crate::harness::Output::of(&mut below).ends(0).says("1 stories");
    let mut outside = project.command(&["validate", "named"]);
    outside.current_dir(project.world().top());
    crate::harness::Output::of(&mut outside).ends(0).says("1 stories");
}

/// Whatever can be wrong at the same time, file by file.
fn everything_wrong() -> (Project, BTreeSet<(String, String)>) {
    let project = Project::bare("wrong");
    std::fs::write(project.world().path("bin/pi"), "#!/bin/sh\nexit 3\n").unwrap();
    project.write(
        ".regista/config.toml",
        "[project]\nstory_pattern = \"**/STORY-*.md\"\n\
         [agents.reviewer]\nprovider = \"nobody\"\n[agents.developer]\nprovider = \"claude\"\n\
         [limits]\nmax_iteratons = 3\nagent_timeout_seconds = 0\n",
    );
    project.write(".regista/decisions", "in the way");
    for role in ["product-owner", "developer"] {
        project.write(&format!(".pi/skills/{role}/SKILL.md"), "x");
    }
    let mut expected: BTreeSet<(String, String)> = [
        ("provider-silent", "-"),
        ("config-unknown-key", ".regista/config.toml"),
        ("limit-impossible", ".regista/config.toml"),
        ("path-unwritable", ".regista/decisions"),
        ("provider-unknown", "-"),
        ("provider-missing", "-"),
        ("instructions-missing", "-"),
        ("git-missing", "-"),
    ]
    .map(|(code, file)| (code.to_owned(), file.to_owned()))
    .into();
    let mut add = |id: &str, text: Vec<u8>, codes: &[&str]| {
        project.story(id, text);
        let file = format!(".regista/stories/{id}.md");
        expected.extend(codes.iter().map(|code| ((*code).to_owned(), file.clone())));
    };
    let good = |id: &str| story(id, "Draft", "");
    let changed = |id: &str, from: &str, to: &str| {
        let text = good(id).replace(from, to);
        assert_ne!(text, good(id), "{from} is in the story");
        text.into_bytes()
    };
    add("STORY-001", good("STORY-001").into_bytes(), &[]);
    add("sub/STORY-001", good("STORY-001").into_bytes(), &["id-twice"]);
    add("STORY-002", changed("STORY-002", "## Status\n**Draft**\n\n", ""), &["status-missing"]);
    add("STORY-003", changed("STORY-003", "Draft", "Drafty"), &["status-unknown"]);
    add("STORY-004", changed("STORY-004", "## Epic", "## Status\n**Done**\n\n## Epic"), &["status-twice"]);
    add("STORY-005", b"# STORY-005: \xff\n".to_vec(), &["not-utf8"]);
    add("STORY-x", good("STORY-x").into_bytes(), &["id-without-number", "title-missing"]);
    add("STORY-008", changed("STORY-008", "# STORY-008", "# STORY-009"), &["title-mismatch"]);
    add("STORY-009", good("STORY-009").into_bytes(), &["title-twice"]);
    add("STORY-010", changed("STORY-010", "# STORY-010: Title\n\n", ""), &["title-missing"]);
    add("STORY-011", changed("STORY-011", "EPIC-001", "none"), &["epic-unread"]);
    add("STORY-012", changed("STORY-012", "## Description\nFor whom.\n\n", ""), &["description-missing"]);
    add("STORY-013", changed("STORY-013", "## Acceptance criteria\n- [ ] One\n\n", ""), &["criteria-missing"]);
    let log = "## Activity Log\n- 2026-01-01 | PO | Created.\n";
    add("STORY-014", changed("STORY-014", log, ""), &["log-missing"]);
    add("STORY-015", changed("STORY-015", log, &format!("{log}```\n")), &["fence-open"]);
    let see = format!("## Dependencies\n- see STORY-001\n\n{log}");
    add("STORY-016", changed("STORY-016", log, &see), &["dependency-ignored"]);
    add("STORY-017", story("STORY-017", "Draft", "STORY-001, STORY-001").into_bytes(), &["dependency-twice"]);
    add("STORY-018", story("STORY-018", "Draft", "STORY-999").into_bytes(), &["dependency-missing"]);
    add("STORY-019", story("STORY-019", "Draft", "STORY-020").into_bytes(), &["dependency-failed"]);
    add("STORY-020", story("STORY-020", "Failed", "").into_bytes(), &[]);
    add("STORY-021", story("STORY-021", "Draft", "STORY-022").into_bytes(), &["cycle"]);
    add("STORY-022", story("STORY-022", "Draft", "STORY-021").into_bytes(), &[]);
    let link = project.top().join(".regista/stories/STORY-007.md");
    std::os::unix::fs::symlink("STORY-001.md", link).unwrap();
    expected.insert(("story-unreadable".to_owned(), ".regista/stories/STORY-007.md".to_owned()));
    (project, expected)
}

#[test]
fn every_kind_of_finding_is_found_on_a_disk() {
    let (wrong, expected) = everything_wrong();
    let before = everything_below(&wrong.top());
    let seen = wrong.run(&["validate", "--json"]).ends(1).json();
    assert_eq!(findings(&seen), expected);
    assert_eq!(everything_below(&wrong.top()), before, "a check writes nothing");
    let mut kinds: BTreeSet<String> = expected.into_iter().map(|(code, _)| code).collect();

    let empty = Project::bare("empty");
    let seen = findings(&empty.run(&["validate", "--json"]).ends(1).json());
    kinds.extend(seen.into_iter().map(|(code, _)| code));
    let broken = Project::sound("broken");
    broken.write(".regista/config.toml", "[[");
    let seen = findings(&broken.run(&["validate", "--json"]).ends(1).json());
    assert_eq!(seen, [("config-unreadable".to_owned(), ".regista/config.toml".to_owned())].into());
    kinds.extend(seen.into_iter().map(|(code, _)| code));
    let busy = Project::sound("busy");
    busy.story("STORY-001", story("STORY-001", "Draft", ""));
    let lock = busy.top().join(".git/rapid/story/lock");
    std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let lock = std::fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    let seen = findings(&busy.run(&["validate", "--json"]).ends(2).json());
    assert_eq!(seen, [("orchestrator-live".to_owned(), "-".to_owned())].into());
    kinds.extend(seen.into_iter().map(|(code, _)| code));
    let all: BTreeSet<String> = Kind::ALL.iter().map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(kinds, all);
}

#[test]
fn warnings_alone_end_with_2_and_people_see_file_and_line() {
    let project = Project::sound("warned");
    project.story("STORY-001", story("STORY-001", "Draft", "").replace("## Description\nFor whom.\n\n", ""));
    project.run(&["validate"]).ends(2).says("warning[description-missing] .regista/stories/STORY-001.md");
    project.story("STORY-002", story("STORY-002", "Draft", "STORY-909"));
    project.run(&["validate"]).ends(1).says("error[dependency-missing] .regista/stories/STORY-002.md:16: STORY-909");
    project.write(".regista/config.toml", "\n[limits]\nmax_iteratons = 3\n");
    project
        .run(&["validate"])
        .ends(1)
        .says(".regista/config.toml:3: nothing reads 'limits.max_iteratons'; did you mean");
}

#[test]
fn our_configuration_is_strict_and_goes_first() {
    let project = Project::sound("ours");
    project.story("STORY-001", story("STORY-001", "Draft", ""));
    project.write(".rapid/config.toml", "[story.limits]\nmax_iteratons = 3\n");
    let seen = findings(&project.run(&["validate", "--json"]).ends(1).json());
    assert_eq!(seen, [("config-unknown-key".to_owned(), ".rapid/config.toml".to_owned())].into());
    crate::harness::Output::of(project.world().tool(&project.top()).arg("validate")).ends(1).says("RAPID1601");
    project.write(".rapid/config.toml", "[story.project]\nstories_dir = \"elsewhere\"\n");
    project.run(&["validate"]).ends(1).says("error[stories-dir-missing] the folder elsewhere is not there");
    // Without `[story]` the old file holds, and what ours says of agents holds beside it.
    project.write(".regista/config.toml", "");
    project.write(".rapid/config.toml", "[agents]\nprovider = \"mine\"\n[providers.mine]\nbinary = \"gone\"\n");
    project.run(&["validate"]).ends(1).says("the program 'gone' of mine is not there");
    project.run(&["validate", "--provider", "pi"]).ends(0);
    project.write("other.toml", "[project]\nstories_dir = \"other\"\n");
    project.run(&["validate", "--config", "other.toml"]).ends(1).says("the folder other is not there");
}
