//! What cannot run: a code, a next step, exit status 1, and one document under `--json`.

use super::{Project, story};
use git_rapid::domain::json::Value;

fn refused(project: &Project, arguments: &[&str], code: &str) {
    project.run(arguments).ends(1).names(code);
    let document = project.run(&[arguments, &["--json"]].concat()).ends(1).json();
    let error = document.get("error").unwrap();
    assert_eq!(error.get("code").and_then(Value::as_text), Some(code));
    assert!(error.get("hint").and_then(Value::as_text).is_some_and(|hint| !hint.is_empty()));
    if arguments.first() == Some(&"run") {
        assert_eq!(document.get("result").and_then(Value::as_text), Some("error"));
        assert_eq!(document.get("exit_code").and_then(Value::as_int), Some(1));
    }
}

#[test]
fn what_cannot_run_says_why_and_ends_with_1() {
    let project = Project::sound("no");
    refused(&project, &["run", "--dry-run"], "RAPID1700");
    project.story("STORY-001", story("STORY-001", "Draft", ""));
    refused(&project, &["run", "--dry-run", "--story", "STORY-909"], "RAPID1700");
    refused(&project, &["run", "--dry-run", "--epic", "EPIC-909"], "RAPID1700");
    refused(&project, &["run", "--dry-run", "--provider", "nobody"], "RAPID1701");
    refused(&project, &["init", "--provider", "nobody"], "RAPID1701");
    refused(&project, &["run", "--dry-run", "--epics", "3..1"], "RAPID1702");
    refused(&project, &["run", "--dry-run", "gone"], "RAPID1704");
    refused(&project, &["validate", "gone"], "RAPID1704");
    refused(&project, &["run", "--dry-run", "--config", "gone.toml"], "RAPID002");
    project.write(".regista/config.toml", "[project]\nstory_pattern = \"**/*.md\"\n");
    project.story("old/STORY-001", story("STORY-001", "Draft", ""));
    refused(&project, &["run", "--dry-run"], "RAPID1703");
    for wrong in ["[limits]\nmax_iterations = -1\n", "[git]\nenabled = \"no\"\n", "[agents]\nprovider = 1\n", "x"] {
        project.write(".regista/config.toml", wrong);
        project.run(&["run", "--dry-run"]).ends(1).names("RAPID1600").says(".regista/config.toml");
    }
    project.write(".rapid/config.toml", "[story]\nstories = 1\n");
    refused(&project, &["run", "--dry-run"], "RAPID1601");
}

#[test]
fn arguments_that_contradict_each_other_end_with_1() {
    let project = Project::sound("args");
    for arguments in [
        &["run", "--dry-run", "--story", "a", "--epic", "b"][..],
        &["run", "--dry-run", "--epic", "a", "--epics", "1-2"],
        &["run", "--dry-run=sometimes"],
        &["run", "--resume", "--clean-state"],
        &["run", "--jobs", "0"],
    ] {
        project.run(arguments).ends(1).names("RAPID001");
    }
}
