//! Limits, restarts, one turn, several jobs.

use super::world::{Did, World, ended, id, machine, story};
use crate::story::fact::{Fact, StopReason};
use crate::story::machine::{Effect, Event, Machine};
use crate::story::settings::Settings;
use crate::story::state::State;
use crate::story::{Filter, Status, Task, checkpoint};
use Status::{Done, Failed, Ready, TestsReady};

#[test]
fn the_turns_of_a_run_are_limited_and_a_resume_has_new_ones() {
    let inputs = [story(1, Ready, &[]), story(2, Ready, &[])];
    let settings = Settings { max_iterations: 3, ..Settings::default() };
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, settings.clone());
    let good = |world: &mut World, turn: &crate::story::Turn| {
        world.forward(turn);
        Did::well()
    };
    let report = world.run(&mut engine, good);
    assert_eq!((ended(&engine), report.exit_code, world.turns.len()), (&StopReason::Iterations(3), 3, 3));
    let mut next = Machine::new(world.inputs(), &Filter::All, settings, Some(engine.state())).unwrap();
    let report = world.run(&mut next, good);
    assert_eq!((report.exit_code, world.turns.len(), next.state().iteration), (3, 6, 6));
    assert_eq!(world.turns[3].number, 4, "numbers go on");
    assert_eq!(Settings::default().allowance(1), 10);
    assert_eq!(Settings::default().allowance(28), 168);
}

#[test]
fn strikes_outlive_a_restart_and_a_person_takes_them_away() {
    let inputs = [story(1, Ready, &[])];
    let settings = Settings { max_iterations: 2, ..Settings::default() };
    let mut world = World::of(&inputs);
    let mut state: Option<State> = None;
    for run in 1..=3 {
        let mut engine = Machine::new(world.inputs(), &Filter::All, settings.clone(), state.as_ref()).unwrap();
        world.run(&mut engine, |_, _| Did::well());
        state = Some(engine.state().clone());
        assert_eq!(world.status(1) == Some(Failed), run == 3);
    }
    assert_eq!(world.turns.len(), 5);
    assert_eq!(checkpoint::state_toml(state.as_ref().unwrap()).lines().next(), Some("iteration = 5"));

    // A person moves it: its budgets begin anew.
    world.set(&id(1), TestsReady);
    let mut engine = Machine::new(world.inputs(), &Filter::All, Settings::default(), state.as_ref()).unwrap();
    let report = world.run(&mut engine, |world, turn| {
        world.forward(turn);
        Did::well()
    });
    assert!(world.facts.iter().any(|fact| matches!(fact, Fact::Taken { .. })));
    assert_eq!((report.exit_code, world.status(1)), (0, Some(Done)));
}

#[test]
fn a_turn_that_was_cut_off_is_recorded_as_interrupted() {
    let inputs = [story(1, Ready, &[])];
    let mut engine = machine(&inputs, Settings::default());
    engine.handle(Event::Start);
    let mut next = Machine::new(inputs.to_vec(), &Filter::All, Settings::default(), Some(engine.state())).unwrap();
    let effects = next.handle(Event::Start);
    let interrupted = |effect: &Effect| matches!(effect, Effect::Record(Fact::TurnEnded { turn: 1, .. }));
    assert_eq!(effects.iter().filter(|effect| interrupted(effect)).count(), 1);
    assert_eq!(next.state().active().map(|(turn, _, _)| turn).collect::<Vec<_>>(), [2]);
    assert_eq!(next.state().all_strikes().count(), 0);
}

#[test]
fn the_wall_clock_ends_agents_that_still_work() {
    let inputs = [story(1, Ready, &[]), story(2, Ready, &[])];
    let mut engine = machine(&inputs, Settings { jobs: 2, ..Settings::default() });
    engine.handle(Event::Start);
    assert!(engine.handle(Event::Tick { elapsed: 28_799 }).is_empty());
    assert_eq!(engine.handle(Event::Tick { elapsed: 28_800 }), [Effect::EndAgents { turns: vec![1, 2] }]);
    assert!(engine.handle(Event::Tick { elapsed: 28_801 }).is_empty(), "said once");
}

#[test]
fn one_turn_says_whether_it_got_on() {
    for (gets_on, code) in [(true, 0), (false, 3)] {
        let inputs = [story(1, Ready, &[]), story(2, Ready, &[])];
        let mut world = World::of(&inputs);
        let mut engine = machine(&inputs, Settings { once: true, ..Settings::default() });
        let report = world.run(&mut engine, |world, turn| {
            if gets_on {
                world.forward(turn);
            }
            Did::well()
        });
        assert_eq!((report.exit_code, world.turns.len()), (code, 1));
    }
}

#[test]
fn jobs_work_different_stories_at_the_same_time() {
    let inputs = [story(1, Ready, &[]), story(2, Ready, &[]), story(3, Ready, &[1])];
    let mut engine = machine(&inputs, Settings { jobs: 8, ..Settings::default() });
    let started = |effects: Vec<Effect>| -> Vec<String> {
        let turn = |effect| match effect {
            Effect::StartAgent(turn) => Some(turn.story.to_string()),
            _ => None,
        };
        effects.into_iter().filter_map(turn).collect()
    };
    assert_eq!(started(engine.handle(Event::Start)), ["STORY-001", "STORY-002"]);
    let mut engine = machine(
        &[story(1, Ready, &[]), story(2, Ready, &[]), story(3, Ready, &[])],
        Settings { jobs: 2, ..Settings::default() },
    );
    assert_eq!(started(engine.handle(Event::Start)), ["STORY-001", "STORY-002"], "no more than were asked for");
    let mut world = World::of(&inputs);
    let mut engine = machine(&inputs, Settings { jobs: 8, ..Settings::default() });
    let report = world.run(&mut engine, |world, turn| {
        assert_ne!(turn.task, Task::Refine);
        world.forward(turn);
        Did::well()
    });
    assert_eq!(report.exit_code, 0);
}

#[test]
fn a_story_whose_file_is_lost_stands_alone() {
    let inputs = [story(1, Ready, &[]), story(2, Ready, &[]), story(3, Ready, &[1])];
    let mut engine = machine(&inputs, Settings::default());
    engine.handle(Event::StoryLost { story: id(1), reason: "read-only".to_owned() });
    let mut world = World::of(&inputs);
    let report = world.run(&mut engine, |world, turn| {
        world.forward(turn);
        Did::well()
    });
    assert_eq!((report.exit_code, world.status(2)), (3, Some(Done)));
    assert_eq!(report.stuck.len(), 2);
}
