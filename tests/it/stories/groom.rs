//! A backlog made of a specification: what the product owner may write, what goes back to it, what a failure leaves.

use super::players::{Stage, signal, until};
use super::story;
use super::undone::files;
use crate::harness::Output;
use git_rapid::domain::json::Value;
use std::path::PathBuf;
use std::process::Stdio;

/// Writes a story; what a good product owner does.
const WRITE: &str = "write() { printf '# %s: T\\n\\n## Status\\n**%s**\\n\\n## Description\\nñ\\n\\n## Acceptance criteria\\n- [ ] one\\n\\n\
    %s## Activity Log\\n- 2026-01-01 | PO | Created.\\n' \"$1\" \"$2\" \"$3\" > .regista/stories/$1.md; }\n";

fn groomed(script: &str) -> Stage {
    let stage = Stage::new(&format!("{WRITE}{script}"));
    stage.project.write("spec.md", "# Build it\n\n```\na fence\n```\n");
    stage
}

fn names(document: &Value, key: &str) -> Vec<String> {
    let list = document.get(key).and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(|one| one.as_text().map(str::to_owned)).collect()
}

#[test]
fn a_specification_becomes_stories_and_their_faults_go_back() {
    let stage = groomed(
        "if test -e \"$CASE/again\"; then write STORY-008 Draft ''; rm .regista/stories/STORY-009.md; exit; fi; \
         touch \"$CASE/again\"; write STORY-007 Draft ''; printf 'no state\\n' > .regista/stories/STORY-009.md; \
         write STORY-008 Draft '## Dependencies\n- Blocked by: STORY-099\n\n'; \
         mkdir -p .regista/epics; echo '# EPIC-001: E' > .regista/epics/EPIC-001.md",
    );
    stage.story(1, "Done", "");
    stage.commit();
    let ended = stage.run(&["groom", "spec.md", "--json"]).ends(0);
    let document = ended.json();
    assert_eq!(names(&document, "stories"), ["STORY-007", "STORY-008"], "{ended}");
    assert_eq!(names(&document, "epics"), [".regista/epics/EPIC-001.md"]);
    assert_eq!(document.get("calls").and_then(Value::as_int), Some(2));
    let prompt = std::fs::read_to_string(stage.case().join("prompt")).unwrap();
    assert!(prompt.contains("STORY-099 does not exist") && prompt.contains("status-missing"), "{prompt}");
    assert_eq!(stage.status(1), "Done");
    assert!(stage.records().contains("\"fact\":\"taken\""), "the ledger knows them");
    stage.verifies();
    drop(stage.run(&["validate"]));
    let decisions = std::fs::read_dir(stage.project.top().join(".regista/decisions")).unwrap().count();
    assert_eq!(decisions, 2, "what it said in each call");
}

#[test]
fn the_prompt_names_what_is_taken_and_nothing_that_was_there_is_changed() {
    let stage = groomed(
        "grep -q STORY-001 \"$CASE/prompt\" || exit 9; write STORY-001 Draft ''; rm -f .regista/stories/STORY-002.md; \
         echo stray > src.txt; write STORY-003 Draft ''; write STORY-004 Done ''",
    );
    stage.configured("groom_max_iterations = 2\n");
    stage.story(1, "Done", "");
    stage.story(2, "In Review", "");
    stage.commit();
    let (one, two) = (stage.bytes(1), stage.bytes(2));
    let ended = stage.run(&["groom", "spec.md", "--merge", "--max-stories", "7", "--json"]).ends(2);
    assert_eq!((stage.bytes(1), stage.bytes(2)), (one, two), "{ended}");
    assert!(!stage.project.top().join("src.txt").exists(), "a stray file is put back");
    let prompt = std::fs::read_to_string(stage.case().join("prompt")).unwrap();
    assert!(prompt.contains("was there before and has been put back"), "{prompt}");
    assert!(prompt.contains("begins as Draft, not as Done"), "nothing reaches Done by being written so: {prompt}");
}

#[test]
fn what_is_replaced_is_kept_and_comes_back_on_failure() {
    let stage = groomed("write STORY-001 Draft ''");
    stage.story(1, "Done", "");
    stage.story(2, "Ready", "");
    let (one, two) = (stage.bytes(1), stage.bytes(2));
    let document = stage.run(&["groom", "spec.md", "--replace", "--json"]).ends(0).json();
    let kept = PathBuf::from(document.get("replaced").and_then(Value::as_text).unwrap());
    assert_eq!(std::fs::read(kept.join(".regista/stories/STORY-001.md")).unwrap(), one);
    assert_eq!(std::fs::read(kept.join(".regista/stories/STORY-002.md")).unwrap(), two);
    assert_eq!(stage.status(1), "Draft");
    assert!(!stage.project.top().join(".regista/stories/STORY-002.md").exists());
    stage.plays("rm -rf .regista/stories; exit 3");
    let before = files(&stage.project.top());
    let _ = stage.run(&["groom", "spec.md", "--replace"]).ends(1).names("RAPID1851");
    assert_eq!(files(&stage.project.top()), before, "uncommitted stories too");
}

#[test]
fn what_cannot_be_groomed_leaves_everything_as_it_was() {
    let stage = groomed("echo half > half.txt; write STORY-005 Draft ''; echo ñ no >&2; exit 4");
    stage.story(1, "Ready", "");
    stage.project.write(".gitignore", ".regista/stories/\n");
    let before = files(&stage.project.top());
    let _ = stage.run(&["groom", "nowhere.md"]).ends(1).names("RAPID1850");
    stage.project.write("empty.md", " \n");
    let _ = stage.run(&["groom", "empty.md"]).ends(1).names("RAPID1850");
    std::fs::remove_file(stage.project.top().join("empty.md")).unwrap();
    let failed = stage.run(&["groom", "spec.md", "--json"]).ends(1).names("RAPID1851");
    assert!(failed.stderr.contains("ñ no"), "{failed}");
    assert_eq!(failed.json().get("result").and_then(Value::as_text), Some("error"));
    assert_eq!(files(&stage.project.top()), before);
    stage.plays("echo done");
    stage.configured("groom_max_iterations = 3\n");
    std::fs::remove_file(stage.case().join("turns")).unwrap();
    let before = files(&stage.project.top());
    let _ = stage.run(&["groom", "spec.md"]).ends(1).names("RAPID1852");
    assert_eq!((stage.turns().len(), files(&stage.project.top())), (3, before));
}

#[test]
fn it_works_from_a_folder_below_and_under_another_provider() {
    let stage = groomed("test -d .regista/stories && write STORY-001 Draft ''");
    std::fs::create_dir(stage.project.top().join("docs")).unwrap();
    stage.project.write("docs/own.md", story("x", "Draft", ""));
    let mut command = stage.command(&["groom", "own.md", "--provider", "claude", "--quiet"]);
    let ended = Output::of(command.current_dir(stage.project.top().join("docs"))).ends(0);
    assert!(stage.turns()[0].starts_with("claude"), "{ended}");
    assert_eq!(stage.status(1), "Draft");
}

#[test]
fn killed_while_it_works_the_next_start_ends_its_agent_and_says_where_the_old_stories_are() {
    let stage = groomed("write STORY-007 Draft ''; touch \"$CASE/up\"; sleep 600 & sleep 600");
    stage.story(1, "Done", "");
    let one = stage.bytes(1);
    let mut child =
        stage.command(&["groom", "spec.md", "--replace"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    let _ = stage.run(&["groom", "spec.md"]).ends(1).names("RAPID1723");
    signal(child.id(), "KILL");
    child.wait().unwrap();
    stage.plays("forward");
    let ended = stage.run(&["run"]).ends(0);
    assert!(ended.stderr.contains("a groom was interrupted"), "{ended}");
    assert_eq!((stage.processes(), stage.status(7)), (Vec::new(), "Done".to_owned()));
    let (_, kept) = ended.stderr.split_once("kept in '").unwrap();
    let kept = PathBuf::from(kept.split('\'').next().unwrap());
    assert_eq!(std::fs::read(kept.join(".regista/stories/STORY-001.md")).unwrap(), one);
}

#[test]
fn asked_to_end_it_puts_everything_back() {
    let stage = groomed("rm .regista/stories/*; write STORY-007 Draft ''; touch \"$CASE/up\"; sleep 600");
    stage.story(1, "Done", "");
    let before = files(&stage.project.top());
    let child = stage.command(&["groom", "spec.md"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    signal(child.id(), "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert_eq!((stage.processes(), files(&stage.project.top())), (Vec::new(), before));
}

#[test]
fn what_the_user_commits_meanwhile_stays_when_it_fails() {
    let stage = groomed("touch \"$CASE/up\"; until test -e \"$CASE/go\"; do sleep 0.01; done; exit 4");
    stage.story(1, "Ready", "");
    stage.commit();
    let child = stage.command(&["groom", "spec.md"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until("the product owner", || stage.case().join("up").exists());
    stage.project.write("mine.txt", "mine");
    stage.git(&["add", "mine.txt"]);
    stage.git(&["commit", "-q", "-m", "mine"]);
    stage.project.write("new.txt", "new");
    let head = stage.git(&["rev-parse", "HEAD"]);
    std::fs::write(stage.case().join("go"), "").unwrap();
    let ended = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head, "{ended}");
    assert_eq!(std::fs::read_to_string(stage.project.top().join("mine.txt")).unwrap(), "mine");
    let tree = ended.split("what lay there is the tree ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    assert_eq!(stage.git(&["cat-file", "blob", &format!("{tree}:new.txt")]), "new");
}
