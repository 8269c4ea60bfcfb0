//! The engine with agents of every kind: what counts, what is undone, who is next.

use super::world::{Did, World, ended, good, id, kinds, machine, replayed, story};
use crate::safety::{FailureKind, ProviderFault};
use crate::story::fact::StopReason;
use crate::story::judge::Exit;
use crate::story::machine::{Event, Turn};
use crate::story::report::RunResult;
use crate::story::settings::{Settings, Unblock};
use crate::story::{Hook, Status, Task};
use Status::{Blocked, BusinessReview, Done, Draft, Failed, InProgress, InReview, Ready, TestsReady};
use std::collections::BTreeSet;

#[test]
fn a_backlog_is_worked_to_done_in_the_seeds_order() {
    let inputs = [
        story(1, Draft, &[]),
        story(2, Ready, &[]),
        story(3, TestsReady, &[]),
        story(4, InProgress, &[]),
        story(5, InReview, &[]),
        story(6, BusinessReview, &[]),
        story(7, Ready, &[]),
        story(8, Blocked, &[7]),
    ];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, good);
    assert_eq!((report.result, report.exit_code), (RunResult::Completed, 0));
    let order: Vec<String> = world.turns.iter().map(|turn| turn.story.as_str()[7..].to_owned()).collect();
    // Nearest to Done first; of the two ready ones the one that unblocks another; the draft last.
    assert_eq!(order.join(" "), "06 05 05 04 04 04 03 03 03 07 07 07 07 02 02 02 02 08 08 08 08 01 01 01 01 01");
    assert_eq!(engine.state(), &replayed(&inputs, &world.facts));
    assert!(world.log.iter().any(|(story, line)| story == "STORY-001" && line == "PO | Draft → Ready"));
}

#[test]
fn what_the_table_does_not_allow_is_undone_and_a_strike() {
    type Bad = fn(&mut World, &Turn);
    let cases: &[(&str, Bad, FailureKind)] = &[
        ("jump", |world, turn| world.set(&turn.story, Done), FailureKind::IllegalMove),
        ("blocked", |world, turn| world.set(&turn.story, Blocked), FailureKind::IllegalMove),
        ("failed", |world, turn| world.set(&turn.story, Failed), FailureKind::IllegalMove),
        ("deleted", |world, turn| drop(world.files.remove(&turn.story)), FailureKind::Deleted),
        ("broken", |world, turn| drop(world.files.insert(turn.story.clone(), None)), FailureKind::Unreadable),
        ("another", |world, _| world.set(&id(2), Done), FailureKind::ForeignEdit),
        ("new one", |world, _| drop(world.files.insert(id(9), Some((Ready, vec![])))), FailureKind::ForeignEdit),
        ("nothing", |_, _| {}, FailureKind::NoProgress),
    ];
    for (name, bad, kind) in cases {
        let inputs = [story(1, Ready, &[]), story(2, Ready, &[1])];
        let mut world = World::of(&inputs);
        let mut engine = machine(&inputs, Settings::default());
        let report = world.run(&mut engine, |world, turn| {
            bad(world, turn);
            Did::well()
        });
        assert_eq!(kinds(&world), vec![*kind; 5], "{name}");
        assert_eq!((world.status(1), world.status(2)), (Some(Failed), Some(Blocked)), "{name}");
        assert_eq!((report.result, report.exit_code), (RunResult::CompletedWithFailures, 2), "{name}");
        assert_eq!(report.stuck.len(), 1, "{name}");
        let undone = if *kind == FailureKind::NoProgress { 0 } else { 5 };
        assert_eq!(world.restored.len(), undone, "{name}");
        assert!(!world.files.contains_key(&id(9)));
        let reason = engine.state().stories()[0].memory.reason.clone().unwrap();
        assert!(reason.starts_with("max_retries_per_step: 5 strikes in Ready"), "{reason}");
    }
}

#[test]
fn the_hundred_verifications_end_and_others_are_worked_meanwhile() {
    let inputs = [story(22, TestsReady, &[]), story(23, Ready, &[]), story(24, Ready, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, |world, turn| match turn.story == id(22) {
        true => Did::well(),
        false => good(world, turn),
    });
    assert_eq!(report.exit_code, 2);
    let mine: Vec<usize> =
        world.turns.iter().enumerate().filter(|(_, turn)| turn.story == id(22)).map(|(at, _)| at).collect();
    // One strike, then everything else, then developer and tester in turns until the strikes are used up.
    assert_eq!(mine, [0, 9, 10, 11, 12]);
    let tasks: Vec<Task> = mine.iter().map(|at| world.turns[*at].task).collect();
    use Task::{Implement, RepairTests};
    assert_eq!(tasks, [Implement, RepairTests, Implement, RepairTests, Implement]);
    assert_eq!((world.status(22), world.status(24)), (Some(Failed), Some(Done)));
}

#[test]
fn a_hand_over_is_decided_by_who_ran_and_is_bounded() {
    // The tester really repairs something each time, the developer reports each time.
    let inputs = [story(1, TestsReady, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    world.run(&mut engine, |_, turn| match turn.task {
        Task::RepairTests => Did::well().with_files(),
        _ => Did { note: Some("a bullet\n  without any actor".to_owned()), ..Did::well() },
    });
    let attempts: Vec<u32> = world.turns.iter().map(|turn| turn.attempt).collect();
    assert_eq!(attempts, [1, 2, 2, 3, 3, 4, 4], "repairing tests takes no strike away");
    let reason = engine.state().stories()[0].memory.reason.clone().unwrap();
    assert!(reason.starts_with("hand-over: the tests were repaired 3 times"), "{reason}");
    assert_eq!(world.turns[1].note.as_deref(), Some("a bullet\n  without any actor"));

    // A healthy round costs nothing that stays.
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let mut reported = false;
    let report = world.run(&mut engine, |world, turn| match turn.task {
        Task::Implement if !std::mem::replace(&mut reported, true) => Did::well(),
        Task::RepairTests => Did::well().with_files(),
        _ => good(world, turn),
    });
    assert_eq!((report.exit_code, world.turns.len()), (0, 5));
    assert_eq!(engine.state().all_strikes().count(), 0);
    // A crash of the developer is no report.
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    world.run(&mut engine, |_, _| Did::badly(1, "segfault"));
    assert!(world.turns.iter().all(|turn| turn.task == Task::Implement));
    assert_eq!(world.turns.iter().map(|turn| turn.wait_seconds).collect::<Vec<_>>(), [0, 10, 20, 40, 80]);
}

#[test]
fn rejects_and_rollbacks_end_in_failed() {
    let inputs = [story(1, InReview, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, |world, turn| match turn.task {
        Task::Review => {
            world.set(&turn.story, InProgress);
            Did { note: Some("rejected: a.rs:3".to_owned()), ..Did::well() }
        }
        _ => good(world, turn),
    });
    assert_eq!((report.exit_code, world.turns.len()), (2, 5), "R D R D R");
    assert_eq!(world.turns[1].note.as_deref(), Some("rejected: a.rs:3"));
    assert_eq!(engine.state().stories()[0].memory.rejects, 3);

    let inputs = [story(1, Ready, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, |world, turn| match turn.task {
        Task::WriteTests => {
            world.set(&turn.story, Draft);
            Did::well()
        }
        _ => good(world, turn),
    });
    assert_eq!((report.exit_code, world.turns.len()), (2, 5), "Q P Q P Q");
}

#[test]
fn a_failing_hook_undoes_the_turn_and_tells_the_next_one() {
    let inputs = [story(1, TestsReady, &[])];
    let hooks = BTreeSet::from([Hook::PostDev, Hook::PostReviewer]);
    let mut world = World::of(&inputs);
    world.hook = |turn| Exit::Code(i32::from(turn == 1));
    let mut engine = machine(&inputs, Settings { hooks: hooks.clone(), ..Settings::default() });
    let report = world.run(&mut engine, good);
    assert_eq!((report.exit_code, world.restored.clone()), (0, vec![1]));
    let feedback = world.turns[1].feedback.clone().unwrap();
    assert_eq!(feedback, "post_dev ended with status 1\n\nhook said ñ");
    assert_eq!(world.turns[1].attempt, 2);

    let mut world = World::of(&inputs);
    world.hook = |_| Exit::TimedOut;
    let mut engine = machine(&inputs, Settings { hooks, ..Settings::default() });
    let report = world.run(&mut engine, good);
    assert_eq!((report.exit_code, world.turns.len(), world.status(1)), (2, 5, Some(Failed)));
}

#[test]
fn a_blocked_story_goes_back_to_where_it_was() {
    for (unblock, expected) in [(Unblock::Remembered, Draft), (Unblock::Seed, Ready)] {
        let inputs = [story(1, Ready, &[]), story(2, Draft, &[1])];
        let mut world = World::of(&inputs);
        let mut engine = machine(&inputs, Settings { unblock, ..Settings::default() });
        let report = world.run(&mut engine, good);
        assert_eq!(report.exit_code, 0);
        let back = world.moves().into_iter().find(|(_, _, _, row)| *row == 13).unwrap();
        assert_eq!(back, (id(2), Blocked, expected, 13));
    }
}

#[test]
fn a_providers_fault_stops_the_run_and_is_charged_to_nobody() {
    let inputs = [story(1, Ready, &[]), story(2, Ready, &[]), story(3, Ready, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run(&mut engine, |_, _| Did::badly(1, "HTTP 429 too many requests"));
    assert_eq!(ended(&engine), &StopReason::Provider(ProviderFault::Quota));
    assert_eq!((report.exit_code, world.turns.len(), engine.state().all_strikes().count()), (3, 1, 0));

    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let mut number = 0;
    let report = world.run(&mut engine, |_, _| {
        number += 1;
        Did::badly(7, &format!("connection to 10.0.0.{number} refused at 12:0{number}:00"))
    });
    assert!(matches!(ended(&engine), StopReason::Circuit(_)));
    assert_eq!((report.exit_code, world.turns.len(), engine.state().all_strikes().count()), (3, 3, 0));
    assert_eq!(engine.state(), &replayed(&inputs, &world.facts));
}

#[test]
fn an_interrupt_ends_the_agents_and_charges_nobody() {
    let inputs = [story(1, Ready, &[])];
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings::default());
    let report = world.run_with(&mut engine, vec![(1, Event::Interrupt)], &mut |world, turn| {
        world.set(&turn.story, Done);
        Did { exit: Exit::Ended, ..Did::well() }
    });
    assert_eq!((ended(&engine), report.exit_code), (&StopReason::Interrupted, 3));
    assert_eq!((world.status(1), world.restored.len()), (Some(Ready), 1));
    assert_eq!(engine.state().all_strikes().count(), 0);
}
