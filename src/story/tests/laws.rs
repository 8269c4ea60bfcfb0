//! Laws: whatever agents do, a run ends within the bound that the engine states, every move has a row of the table, and the
//! state is the fold of the recorded facts.

use super::world::{Did, World, id, replayed, story};
use crate::diagnostics::Code;
use crate::domain::json;
use crate::story::fact::Fact;
use crate::story::judge::Exit;
use crate::story::machine::{Event, Machine, Turn};
use crate::story::settings::{Settings, StoryInput};
use crate::story::workflow::{TABLE, targets};
use crate::story::{Filter, Hook, Status, Task};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A small stream of numbers that a seed decides.
struct Dice(u64);

/// What agents do: anything, or in each task the same thing over and over, which is how loops are made.
type Habit = Vec<u64>;

fn habits() -> impl Strategy<Value = Habit> {
    let one = prop_oneof![3 => Just(0_u64), 1 => 0_u64..24, 2 => Just(BACKWARDS)];
    prop_oneof![1 => Just(Vec::new()), 2 => proptest::collection::vec(one, Task::ALL.len())]
}

/// The last row that the table has for the agent.
const BACKWARDS: u64 = 24;

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// An agent without any manners. `alone` is when no other agent works at the same time.
fn agent(world: &mut World, turn: &Turn, dice: &mut Dice, habit: &Habit, alone: bool, stories: u64) -> Did {
    let some = |dice: &mut Dice| id(dice.roll(stories + 1) as u32 + 1);
    let anything = |dice: &mut Dice| Status::ALL[dice.roll(9) as usize];
    let usual = Task::ALL.iter().position(|task| *task == turn.task).and_then(|at| habit.get(at)).copied();
    let does = usual.unwrap_or_else(|| dice.roll(24));
    match does {
        0..=7 => world.forward(turn),
        8..=10 => {
            let legal: Vec<Status> = targets(turn.task.status(), turn.task.role()).collect();
            if let Some(to) = legal.get(dice.roll(legal.len().max(1) as u64) as usize) {
                world.set(&turn.story, *to);
            }
        }
        11 | 12 => {
            let to = anything(dice);
            world.set(&turn.story, to);
        }
        13 => drop(world.files.remove(&turn.story)),
        14 => drop(world.files.insert(turn.story.clone(), None)),
        15 if alone => {
            let (other, to) = (some(dice), anything(dice));
            world.files.insert(other, Some((to, Vec::new())));
        }
        16 => {
            let dep = some(dice).to_string();
            if let Some(Some(file)) = world.files.get_mut(&turn.story) {
                file.1.push(dep);
            }
            world.forward(turn);
        }
        17 => {
            if let Some(Some(file)) = world.files.get_mut(&turn.story) {
                file.1.clear();
            }
        }
        BACKWARDS => {
            if let Some(to) = targets(turn.task.status(), turn.task.role()).last() {
                world.set(&turn.story, to);
            }
        }
        18 => return Did { exit: Exit::TimedOut, ..Did::well() },
        19 => {
            world.forward(turn);
            return Did::badly(1, &format!("boom {}", dice.roll(100)));
        }
        20 => return Did::badly(1, ["x", "y", "z"][dice.roll(3) as usize]),
        21 if dice.roll(12) == 0 => return Did::badly(1, "error: usage limit reached"),
        22 if dice.roll(6) == 0 => return Did { exit: Exit::NotStarted("gone".to_owned()), ..Did::well() },
        _ => {}
    }
    if dice.roll(2) == 0 { Did::well() } else { Did::well().with_files() }
}

fn backlog() -> impl Strategy<Value = Vec<StoryInput>> {
    let one = (0_usize..10, proptest::collection::vec(1_u32..8, 0..3));
    proptest::collection::vec(one, 1..7).prop_map(|stories| {
        let input = |(at, (status, deps)): (usize, (usize, Vec<u32>))| {
            let mut input = story(at as u32 + 1, Status::Draft, &deps);
            input.status = Status::ALL.get(status).copied();
            input
        };
        stories.into_iter().enumerate().map(input).collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    (1_u32..5, 0_u32..5, 0_u32..3, 1_u32..4, any::<bool>()).prop_map(|(retries, rejects, breaks, jobs, hooks)| {
        Settings {
            max_iterations: u32::MAX,
            max_retries_per_step: retries,
            max_reject_cycles: rejects,
            max_cycle_breaks: breaks,
            jobs,
            hooks: if hooks { BTreeSet::from([Hook::PostQa, Hook::PostDev]) } else { BTreeSet::new() },
            ..Settings::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_ends_in_its_bound_and_moves_only_along_the_table(inputs in backlog(), settings in settings(), seed in any::<u64>(), habit in habits(), interrupt in 1_usize..60) {
        let mut world = World::of(&inputs);
        world.hook = |turn| Exit::Code(i32::from(turn % 3 == 0));
        let alone = settings.jobs == 1;
        let mut engine = Machine::new(inputs.clone(), &Filter::All, settings, None).unwrap();
        let mut dice = Dice(seed);
        let stories = inputs.len() as u64;
        // The world fails when the run does not end or takes more turns than the engine states.
        let late = if interrupt > 40 { vec![(interrupt, Event::Interrupt)] } else { Vec::new() };
        world.run_with(&mut engine, late, &mut |world, turn| agent(world, turn, &mut dice, &habit, alone, stories));

        let mut at: BTreeMap<_, _> = inputs.iter().map(|input| (input.id.clone(), input.status)).collect();
        for (story, from, to, number) in world.moves() {
            prop_assert_eq!(at[&story], Some(from), "{} moves from where it is", &story);
            let row = TABLE.iter().find(|row| row.number == number).unwrap();
            prop_assert!(row.from.is_none_or(|known| known == from));
            prop_assert!(row.to == to || number == 13);
            prop_assert!(to != Status::Done || number == 9, "only the product owner ends a story");
            prop_assert!(!from.is_terminal(), "nothing follows an end");
            at.insert(story, Some(to));
        }
        let written: Vec<Fact> = world.facts.iter().map(|fact| {
            let text = fact.to_value().canonical();
            Fact::from_value(json::parse_text(&text).unwrap(), Code::Rapid003).unwrap()
        }).collect();
        prop_assert_eq!(&written, &world.facts, "what is written is read as it was");
        prop_assert_eq!(engine.state(), &replayed(&inputs, &written));
        for story in engine.state().stories() {
            prop_assert_eq!(world.files[&story.id].as_ref().map(|file| file.0), story.status, "{}", &story.id);
            prop_assert_eq!(at[&story.id], story.status);
        }
        prop_assert_eq!(world.files.len(), inputs.len(), "nothing was left behind");
        prop_assert!(engine.state().active().next().is_none());
    }

    /// Nothing is read that is not a fact.
    #[test]
    fn a_fact_with_another_key_is_refused(key in "[a-z]{1,6}") {
        let fact = Fact::Lost { story: id(1), reason: "x".to_owned() }.to_value();
        let known = fact.get(&key).is_some();
        let changed = fact.clone().with(&key, 1);
        prop_assert!(known || Fact::from_value(changed, Code::Rapid003).is_err());
        prop_assert!(Fact::from_value(fact.without("story"), Code::Rapid003).is_err());
    }

    /// However often a run is started again, the budgets of its stories outlive it, and there comes an end.
    #[test]
    fn restarts_do_not_renew_the_budgets(inputs in backlog(), seed in any::<u64>()) {
        let settings = Settings { max_iterations: 2, ..Settings::default() };
        let unlimited = Settings { max_iterations: u32::MAX, ..Settings::default() };
        let most = unlimited.most_turns_per_story() * inputs.len() as u64;
        let mut world = World::of(&inputs);
        let mut dice = Dice(seed);
        let mut engine = Machine::new(world.inputs(), &Filter::All, settings.clone(), None).unwrap();
        for _ in 0..most {
            let spent = world.turns.len();
            world.run(&mut engine, |world, turn| match dice.roll(4) {
                0 => {
                    world.forward(turn);
                    Did::well().with_files()
                }
                1 => Did::badly(1, &format!("{spent}boom")),
                _ => Did::well().with_files(),
            });
            if world.turns.len() == spent {
                break;
            }
            engine = Machine::new(world.inputs(), &Filter::All, settings.clone(), Some(engine.state())).unwrap();
        }
        let open = engine.state().stories().iter().filter(|story| {
            story.status.is_some_and(|status| !status.is_terminal() && status != Status::Blocked)
        });
        prop_assert_eq!(open.count(), 0);
    }
}
