//! Circles and other dead ends: broken, given up, or named with their causes; never a spin.

use super::world::{Did, World, good, id, kinds, machine, replayed, story};
use crate::safety::FailureKind;
use crate::story::machine::Machine;
use crate::story::report::RunResult;
use crate::story::settings::Settings;
use crate::story::{Filter, Status, Task};
use Status::{Failed, Ready};

#[test]
fn a_circle_is_broken_by_the_product_owner_or_given_up() {
    let inputs = [story(1, Ready, &[2]), story(2, Ready, &[3]), story(3, Ready, &[1]), story(4, Ready, &[2])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, good);
    assert_eq!(report.exit_code, 0);
    let first = &world.turns[0];
    // The one that unblocks most, with the exact path from there.
    assert_eq!((first.task, &first.story), (Task::BreakCycle, &id(2)));
    assert_eq!(first.cycle, [id(2), id(3), id(1)]);

    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, |_, _| Did::well());
    assert_eq!(report.exit_code, 2);
    assert!(kinds(&world).iter().all(|kind| *kind == FailureKind::NoProgress));
    assert_eq!(engine.state(), &replayed(&inputs, &world.facts));
}

#[test]
fn a_circle_that_comes_back_is_broken_so_often_and_no_more() {
    // The product owner breaks it, the tester makes it again and gets on with nothing.
    let inputs = [story(1, Ready, &[1])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings { max_retries_per_step: 9, ..Settings::default() });
    let report = world.run(&mut engine, |world, turn| {
        let deps = if turn.task == Task::BreakCycle { Vec::new() } else { vec!["STORY-001".to_owned()] };
        world.files.insert(turn.story.clone(), Some((turn.task.status(), deps)));
        Did::well()
    });
    assert_eq!((report.result, report.exit_code, world.turns.len()), (RunResult::Stuck, 3, 6));
    assert_eq!(report.stuck[0].causes[0].sentence(), "circle: STORY-001 → STORY-001");
}

#[test]
fn stuck_stories_are_named_with_their_causes() {
    let mut broken = story(5, Ready, &[]);
    broken.status = None;
    let inputs = [
        story(1, Failed, &[]),
        story(2, Ready, &[1]),
        story(3, Ready, &[99]),
        story(4, Ready, &[5]),
        broken,
        story(6, Ready, &[2]),
        story(11, Ready, &[]),
    ];
    let mut engine =
        Machine::new(inputs.to_vec(), &Filter::Epic("EPIC-1".to_owned()), Settings::default(), None).unwrap();
    let mut world = World::of(&inputs);
    let report = world.run(&mut engine, good);
    let causes: Vec<String> = report
        .stuck
        .iter()
        .map(|stuck| {
            format!("{} {}", stuck.story, stuck.causes.iter().map(|cause| cause.code()).collect::<Vec<_>>().join(" "))
        })
        .collect();
    assert_eq!(
        causes,
        [
            "STORY-002 blocked_by_failed",
            "STORY-003 blocked_by_missing",
            "STORY-004 blocked_by_unreadable",
            "STORY-005 unreadable",
            "STORY-006 blocked_by_stuck",
        ]
    );
    assert!(world.turns.is_empty(), "never a spin");
    assert_eq!((report.result, report.exit_code), (RunResult::CompletedWithFailures, 2));

    let inputs = [story(1, Ready, &[]), story(11, Ready, &[1])];
    let mut engine =
        Machine::new(inputs.to_vec(), &Filter::Story("story-011".to_owned()), Settings::default(), None).unwrap();
    let report = World::of(&inputs).run(&mut engine, good);
    assert_eq!((report.result, report.exit_code), (RunResult::Stuck, 3));
    assert_eq!(report.stuck[0].causes[0].sentence(), "STORY-001 is not Done and not part of this run");
    assert!(Machine::new(inputs.to_vec(), &Filter::Story("x".to_owned()), Settings::default(), None).is_err());
    assert!(Machine::new(Vec::new(), &Filter::All, Settings::default(), None).is_err());
}
