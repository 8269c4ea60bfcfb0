//! The dry run: the same engine, with agents that always succeed (or are rejected once), without a clock, calling nothing.
//!
//! A circle of dependencies is not broken by anybody here: it is reported as what it is.

use super::estimate::Estimate;
use super::filter::Filter;
use super::id::StoryId;
use super::judge::{AgentReport, Exit, StoryAfter};
use super::machine::{Effect, Event, Machine, NothingToDo, Turn};
use super::settings::{Settings, StoryInput};
use super::state::State;
use super::status::Status;
use super::transition::Transitions;
use super::workflow::{Task, rows};
use std::collections::{BTreeSet, HashMap};

/// How well the agents do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// They always succeed.
    #[default]
    Optimistic,
    /// The reviewer rejects each story once.
    Pessimistic,
}

/// What a dry run found.
#[derive(Debug)]
pub struct DryRun {
    /// The engine at its end.
    pub machine: Machine,
    /// Every move, in order.
    pub transitions: Transitions,
    /// How long it will take.
    pub estimate: Estimate,
}

/// Runs a backlog to its end.
pub fn simulate(
    inputs: Vec<StoryInput>,
    filter: &Filter,
    settings: Settings,
    earlier: Option<&State>,
    style: Style,
) -> Result<DryRun, NothingToDo> {
    let settings = Settings { max_cycle_breaks: 0, max_wall_time_seconds: 0, hooks: BTreeSet::new(), ..settings };
    let known: HashMap<StoryId, (Vec<String>, Option<String>)> =
        inputs.iter().map(|input| (input.id.clone(), (input.dependencies.clone(), input.epic.clone()))).collect();
    let machine = Machine::new(inputs, filter, settings, earlier)?;
    let mut run = DryRun { machine, transitions: Transitions::default(), estimate: Estimate::default() };
    let mut rejected = BTreeSet::new();
    let mut waiting = vec![Event::Start];
    while !waiting.is_empty() {
        let mut started = Vec::new();
        for event in std::mem::take(&mut waiting) {
            for effect in run.machine.handle(event) {
                match effect {
                    Effect::StartAgent(turn) => started.push(turn),
                    Effect::Record(fact) => run.transitions.note(&fact),
                    _ => {}
                }
            }
        }
        run.estimate.rounds += u64::from(!started.is_empty());
        for turn in started {
            run.estimate.turn(turn.task.role());
            let (dependencies, epic) = known.get(&turn.story).cloned().unwrap_or_default();
            let reject =
                style == Style::Pessimistic && turn.task == Task::Review && rejected.insert(turn.story.clone());
            let status = leads_to(&turn, reject);
            let report = AgentReport {
                exit: Exit::Code(0),
                output: String::new(),
                story: StoryAfter::Read { status, dependencies, epic },
                others: Vec::new(),
                files: vec!["(simulated)".to_owned()],
                note: None,
            };
            waiting.push(Event::AgentFinished { turn: turn.number, report });
        }
    }
    Ok(run)
}

fn leads_to(turn: &Turn, reject: bool) -> Status {
    let mut targets = rows(turn.task.status(), turn.task.role()).map(|row| row.to);
    let forward = targets.next();
    let target = if reject { targets.next().or(forward) } else { forward };
    target.unwrap_or(turn.task.status())
}
