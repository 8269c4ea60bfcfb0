//! Real shapes of story files: a whole backlog, a life with a rejection, a hand-over, a log of four thousand lines.

use super::world::{Did, World, machine};
use crate::story::dry_run::{Style, simulate};
use crate::story::file::{StoryFile, append_log, set_status};
use crate::story::report::RunResult;
use crate::story::settings::{Settings, StoryInput};
use crate::story::validate::{ProjectFacts, Read, validate};
use crate::story::{Filter, Severity, Status, StoryId, Task, row};
use std::collections::BTreeMap;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/corpus/stories/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

pub fn backlog() -> Vec<Read> {
    (1..=28)
        .map(|number| {
            let id = StoryId::of(format!("STORY-{number:03}"));
            let story = StoryFile::parse(&id, &bytes(&format!("backlog/{id}.md")));
            Read { file: format!("stories/{id}.md"), id, story }
        })
        .collect()
}

fn input(read: &Read) -> StoryInput {
    StoryInput {
        id: read.id.clone(),
        file: read.file.clone(),
        status: read.story.state(),
        epic: read.story.epic.clone(),
        dependencies: read.story.dependencies.iter().map(|dependency| dependency.id.clone()).collect(),
    }
}

#[test]
fn the_backlog_validates() {
    let backlog = backlog();
    let mut states = BTreeMap::new();
    for read in &backlog {
        *states.entry(read.story.state().unwrap().as_str()).or_insert(0) += 1;
    }
    assert_eq!(states, BTreeMap::from([("Blocked", 1), ("Done", 15), ("Draft", 10), ("Ready", 2)]));
    let project = ProjectFacts { stories_dir: ("stories".to_owned(), true), ..ProjectFacts::default() };
    let findings = validate(&project, &Settings::default(), &backlog);
    assert_eq!(findings.iter().filter(|finding| finding.severity == Severity::Error).count(), 0);
    assert_eq!(findings, []);
    let five = backlog.iter().find(|read| read.id.as_str() == "STORY-027").unwrap();
    assert_eq!(five.story.dependencies.len(), 5);
}

#[test]
fn the_backlog_runs_dry() {
    let inputs: Vec<StoryInput> = backlog().iter().map(input).collect();
    let run = simulate(inputs.clone(), &Filter::All, Settings::default(), None, Style::Optimistic).unwrap();
    let report = crate::story::report::Report::of(&run.machine);
    assert_eq!((report.result, report.exit_code), (RunResult::Completed, 0));
    // Ten drafts of five turns, two ready ones and a blocked one of four.
    assert_eq!(run.estimate.turns, 62);
    let harder = simulate(inputs, &Filter::All, Settings::default(), None, Style::Pessimistic).unwrap();
    assert_eq!(harder.estimate.turns, 62 + 13 * 2);
}

#[test]
fn the_life_of_a_story_replays_along_the_table() {
    let id = StoryId::of("STORY-021");
    let states: Vec<Status> =
        (1..=8).map(|step| StoryFile::parse(&id, &bytes(&format!("lifecycle/{step}.md"))).state().unwrap()).collect();
    use Status::{Blocked, BusinessReview, Done, InProgress, InReview, Ready, TestsReady};
    assert_eq!(states, [Blocked, Ready, TestsReady, InReview, InProgress, InReview, BusinessReview, Done]);
    let inputs = [StoryInput {
        id: id.clone(),
        file: String::new(),
        status: Some(Blocked),
        epic: None,
        dependencies: Vec::new(),
    }];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let mut next = 2;
    let report = world.run(&mut engine, |world, turn| {
        assert_eq!(turn.task.status(), states[next - 1]);
        assert!(row(states[next - 1], states[next], turn.task.role()).is_some());
        world.set(&turn.story, states[next]);
        next += 1;
        Did::well()
    });
    assert_eq!((report.exit_code, next), (0, 8));
    assert_eq!(engine.state().stories()[0].memory.rejects, 1);
}

#[test]
fn the_hand_over_does_not_read_prose() {
    let id = StoryId::of("STORY-022");
    let files: Vec<StoryFile> =
        (1..=3).map(|step| StoryFile::parse(&id, &bytes(&format!("handover/{step}.md")))).collect();
    assert!(files.iter().all(|file| file.state() == Some(Status::TestsReady)));
    // The state of the three is the same and so is what the engine sees of them: only who ran differs.
    let inputs =
        [StoryInput { id, file: String::new(), status: files[0].state(), epic: None, dependencies: Vec::new() }];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings { max_iterations: 4, ..Settings::default() });
    world.run(&mut engine, |_, turn| match turn.task {
        Task::RepairTests => Did::well().with_files(),
        _ => Did::well(),
    });
    let tasks: Vec<Task> = world.turns.iter().map(|turn| turn.task).collect();
    assert_eq!(tasks, [Task::Implement, Task::RepairTests, Task::Implement, Task::RepairTests]);
}

#[test]
fn every_file_is_written_back_byte_for_byte() {
    for read in backlog() {
        let text = bytes(&format!("backlog/{}.md", read.id));
        let same = set_status(&text, &read.story, read.story.state().unwrap()).unwrap();
        assert_eq!(same, text);
        let line = "- 2026-11-30 | QA | añadido";
        let longer = append_log(&text, &read.story, line);
        assert_eq!(longer.len(), text.len() + line.len() + 1);
        assert!(longer.starts_with(&text[..text.len() - 2]), "{}", read.id);
        assert_eq!(longer.ends_with(b"\n"), text.ends_with(b"\n"));
    }
}

#[test]
fn a_log_of_four_thousand_lines_is_read_like_any_other() {
    let read = backlog().into_iter().find(|read| read.id.as_str() == "STORY-022").unwrap();
    let log = read.story.log.as_ref().unwrap();
    assert!(log.range.len() > 300_000);
    assert_eq!(read.story.state(), Some(Status::Done));
}
