//! The dry run: counts, impossibility, several jobs, scale; the report and the checkpoint.

use super::world::{id, story};
use crate::story::checkpoint::state_toml;
use crate::story::dry_run::{DryRun, Style, simulate};
use crate::story::report::{Report, RunResult, error_value, with_estimate, with_transitions};
use crate::story::settings::{Settings, StoryInput};
use crate::story::{Filter, Status, StoryId};
use Status::{Blocked, Done, Draft, Failed, InReview, Ready};

fn dry(inputs: &[StoryInput], settings: Settings, style: Style) -> (DryRun, Report) {
    let run = simulate(inputs.to_vec(), &Filter::All, settings, None, style).unwrap();
    let report = Report::of(&run.machine);
    (run, report)
}

#[test]
fn the_plan_counts_turns_and_says_who_unblocks_whom() {
    let inputs = [story(1, Draft, &[]), story(2, Draft, &[1])];
    let (run, report) = dry(&inputs, Settings::default(), Style::Optimistic);
    assert_eq!((report.exit_code, run.estimate.turns, run.estimate.minutes()), (0, 10, (50, 100)));
    let unblocked = run.transitions.all().iter().find(|transition| transition.row == 13).unwrap();
    assert_eq!((unblocked.story.clone(), unblocked.unblocked_by.clone()), (id(2), Some(id(1))));
    assert_eq!(run.transitions.all().last().unwrap().to, Done);

    let (run, _) = dry(&inputs, Settings { max_iterations: 100, ..Settings::default() }, Style::Pessimistic);
    assert_eq!(run.estimate.turns, 14);
    let (run, report) = dry(&inputs, Settings::default(), Style::Pessimistic);
    assert_eq!((run.estimate.turns, report.exit_code), (12, 3), "six turns for each story are not enough for that");
    let (run, _) = dry(
        &[story(1, Draft, &[]), story(2, Draft, &[])],
        Settings { jobs: 2, ..Settings::default() },
        Style::Optimistic,
    );
    assert_eq!((run.estimate.turns, run.estimate.rounds), (10, 5));
}

#[test]
fn an_impossible_backlog_is_said_to_be_impossible() {
    let (run, report) = dry(&[story(1, Ready, &[2]), story(2, Ready, &[1])], Settings::default(), Style::Optimistic);
    assert_eq!((report.result, report.exit_code, run.estimate.turns), (RunResult::Stuck, 3, 0));
    assert_eq!(report.stuck[0].causes[0].sentence(), "circle: STORY-001 → STORY-002 → STORY-001");
    let (_, report) = dry(&[story(1, Failed, &[]), story(2, Ready, &[1])], Settings::default(), Style::Optimistic);
    assert_eq!((report.result, report.exit_code), (RunResult::CompletedWithFailures, 2));
    let (_, report) =
        dry(&[story(1, Draft, &[])], Settings { max_iterations: 2, ..Settings::default() }, Style::Optimistic);
    assert_eq!((report.result, report.exit_code), (RunResult::Stopped, 3));
    assert_eq!(report.stop_reason.as_deref(), Some("max_iterations: the 2 turns of this run are spent"));
}

#[test]
fn the_report_has_the_keys_that_programs_read() {
    let (run, report) = dry(&[story(1, InReview, &[]), story(2, Ready, &[9])], Settings::default(), Style::Pessimistic);
    let value =
        with_estimate(with_transitions(report.to_value(&run.machine, ".", 42), &run.transitions), true, &run.estimate);
    for key in [
        "schema_version",
        "project_dir",
        "result",
        "exit_code",
        "stopped_early",
        "stop_reason",
        "summary",
        "stories",
        "strikes",
        "stuck",
        "transitions",
        "estimate",
    ] {
        assert!(value.get(key).is_some(), "{key}");
    }
    assert_eq!(value.get("result").unwrap().as_text(), Some("stuck"));
    let summary = value.get("summary").unwrap();
    for (key, number) in [
        ("total", 2),
        ("done", 1),
        ("failed", 0),
        ("blocked", 1),
        ("draft", 0),
        ("iterations", 4),
        ("elapsed_seconds", 42),
    ] {
        assert_eq!(summary.get(key).unwrap().as_int(), Some(number), "{key}");
    }
    let first = &value.get("stories").unwrap().as_list().unwrap()[0];
    assert_eq!(
        first.canonical(),
        r#"{"epic":"EPIC-001","id":"STORY-001","iterations":4,"reject_cycles":1,"status":"Done"}"#
    );
    assert_eq!(
        state_toml(run.machine.state()),
        "iteration = 4\n\n[reject_cycles]\n\"STORY-001\" = 1\n\n[story_iterations]\n\"STORY-001\" = 4\n\n[story_errors]\n"
    );
    assert_eq!(error_value(".", "no".into()).get("exit_code").unwrap().as_int(), Some(1));
}

#[test]
fn the_selection_is_an_epic_or_a_range_of_them() {
    let epics = |text: &str| Filter::epics(text);
    let takes = |filter: &Filter, epic: &str| filter.takes(&StoryId::of("STORY-1"), Some(epic));
    for (text, inside, outside) in [
        ("EPIC-001..EPIC-003", "EPIC-2", "EPIC-004"),
        ("1-3", "EPIC-03", "EPIC-4"),
        ("EPIC-1-EPIC-3", "EPIC-001", "EPIC-004"),
        ("2", "EPIC-002", "EPIC-003"),
        ("1,5..6", "EPIC-05", "EPIC-002"),
    ] {
        let filter = epics(text).unwrap();
        assert!(takes(&filter, inside) && !takes(&filter, outside), "{text}");
    }
    for bad in ["", "x", "3..1", "1..", "EPIC", "1-x", "-"] {
        assert_eq!(epics(bad), None, "{bad}");
    }
    assert!(!Filter::Epic("EPIC-1".to_owned()).takes(&id(1), None));
}

/// Stories in the five shapes: flat, chain, wide, layered, with a circle.
pub fn shapes(count: u32) -> Vec<(&'static str, Vec<StoryInput>)> {
    let deps = |shape: &str, number: u32| -> Vec<u32> {
        match shape {
            _ if number == 1 && shape != "cycle" => Vec::new(),
            "flat" => Vec::new(),
            "chain" => vec![number - 1],
            "wide" => vec![1],
            "cycle" if number <= 3 => vec![[3, 1, 2][number as usize - 1]],
            _ => (0..number % 4)
                .map(|back| number.saturating_sub(1 + back * 7 % 50).max(1))
                .filter(|dep| *dep < number)
                .collect(),
        }
    };
    ["flat", "chain", "wide", "layered", "cycle"]
        .into_iter()
        .map(|shape| {
            let input = |number| {
                let deps = deps(shape, number);
                story(number, if deps.is_empty() { Draft } else { Blocked }, &deps)
            };
            (shape, (1..=count).map(input).collect())
        })
        .collect()
}

#[test]
fn large_backlogs_in_every_shape_are_planned_to_their_end() {
    let count = 3_000_u32;
    for (shape, inputs) in shapes(count) {
        let (run, report) = dry(&inputs, Settings::default(), Style::Optimistic);
        let drafts = inputs.iter().filter(|input| input.status == Some(Draft)).count() as u64;
        let stuck = report.stuck.len() as u64;
        assert_eq!(run.estimate.turns, 4 * (u64::from(count) - stuck) + drafts, "{shape}");
        let circles = report.stuck.iter().filter(|stuck| stuck.causes.iter().any(|cause| cause.code() == "cycle"));
        assert_eq!(circles.count(), if shape == "cycle" { 3 } else { 0 }, "{shape}");
        assert_eq!(report.exit_code, if shape == "cycle" { 3 } else { 0 }, "{shape}");
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_is_planned() {
    let deps = |number: u32| if number == 1 { Vec::new() } else { vec![number - 1] };
    let inputs: Vec<StoryInput> = (1..=100_000).map(|number| story(number, Ready, &deps(number))).collect();
    let settings = Settings { max_iterations: 400, ..Settings::default() };
    let (run, report) = dry(&inputs, settings, Style::Optimistic);
    assert_eq!((run.estimate.turns, report.exit_code), (400, 3));
    assert_eq!(run.machine.state().status(100), Some(Ready));
}
