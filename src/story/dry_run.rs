//! The dry run: the same engine, with agents that always succeed (or are rejected once), without a clock, calling nothing.
//!
//! A circle of dependencies is not broken by anybody here: it is reported as what it is.

use super::estimate::Estimate;
use super::fact::{Fact, Outcome};
use super::filter::Filter;
use super::id::StoryId;
use super::judge::{AgentReport, Exit, StoryAfter};
use super::machine::{Effect, Event, Machine, NothingToDo, Turn};
use super::settings::{Settings, StoryInput};
use super::state::State;
use super::status::Status;
use super::workflow::{Actor, Task, rows};
use crate::domain::json::Value;
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

/// A move that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The story.
    pub story: StoryId,
    /// From where.
    pub from: Status,
    /// To where.
    pub to: Status,
    /// By whom.
    pub by: Actor,
    /// The row of the table.
    pub row: u8,
    /// For a story that is unblocked: whose completion did it.
    pub unblocked_by: Option<StoryId>,
}

/// What a dry run found.
#[derive(Debug)]
pub struct DryRun {
    /// The engine at its end.
    pub machine: Machine,
    /// Every move, in order.
    pub transitions: Vec<Transition>,
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
    let mut run = DryRun { machine, transitions: Vec::new(), estimate: Estimate::default() };
    let mut rejected = BTreeSet::new();
    let mut done = None;
    let mut waiting = vec![Event::Start];
    while !waiting.is_empty() {
        let mut started = Vec::new();
        for event in std::mem::take(&mut waiting) {
            for effect in run.machine.handle(event) {
                match effect {
                    Effect::StartAgent(turn) => started.push(turn),
                    Effect::Record(fact) => run.note(fact, &mut done),
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

impl DryRun {
    fn note(&mut self, fact: Fact, done: &mut Option<StoryId>) {
        let transition = match fact {
            Fact::Moved { story, from, to, row, .. } => {
                let unblocked_by = if row == 13 { done.clone() } else { None };
                Transition { story, from, to, by: Actor::Orchestrator, row, unblocked_by }
            }
            Fact::TurnEnded { story, task, outcome: Outcome::Progress { to, row }, .. } => {
                if to == Status::Done {
                    *done = Some(story.clone());
                }
                Transition { story, from: task.status(), to, by: Actor::Agent(task.role()), row, unblocked_by: None }
            }
            _ => return,
        };
        self.transitions.push(transition);
    }
}

impl Transition {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        let by = match self.by {
            Actor::Agent(role) => role.as_str(),
            Actor::Orchestrator => "orchestrator",
        };
        Value::object([
            ("story", self.story.as_str().into()),
            ("from", self.from.into()),
            ("to", self.to.into()),
            ("by", by.into()),
            ("row", u32::from(self.row).into()),
        ])
        .with_some("unblocked_by", self.unblocked_by.as_ref().map(StoryId::as_str))
    }
}
