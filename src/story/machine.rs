//! The engine: events in, effects out. It starts nothing and writes nothing; it says what is to be started and written.
//!
//! Everything that changes the state is a [`Fact`], applied to the state and handed out to be recorded in the same step. The
//! performer carries the effects out in their order and answers each [`Effect::StartAgent`] and [`Effect::RunHook`] with
//! one event.

mod effect;
mod settle;
mod stop;
mod turn;

pub use effect::{Effect, Event, Turn};

use super::fact::{Fact, StopReason};
use super::filter::Filter;
use super::graph::{Graph, Node};
use super::id::StoryId;
use super::judge::{AgentReport, Judgement};
use super::scheduler::Queue;
use super::settings::{Settings, StoryInput};
use super::state::State;
use super::status::Status;
use crate::safety::Streak;
use std::collections::BTreeMap;

/// A run cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NothingToDo {
    /// There are no stories.
    NoStories,
    /// The selection takes none of them.
    NoneSelected,
}

/// The engine.
#[derive(Debug)]
pub struct Machine {
    state: State,
    settings: Settings,
    graph: Graph,
    names: Vec<Vec<String>>,
    selected: Vec<bool>,
    /// How many blockers of each story are not Done.
    open: Vec<usize>,
    queue: Queue,
    /// Turns that wait for their hook.
    hooked: BTreeMap<u32, (Judgement, AgentReport)>,
    streak: Streak<(Node, Status)>,
    stopping: Option<StopReason>,
    effects: Vec<Effect>,
}

impl Machine {
    /// An engine for these stories, of which the filter takes some; `earlier` is the state that an earlier run left.
    pub fn new(
        inputs: Vec<StoryInput>,
        filter: &Filter,
        settings: Settings,
        earlier: Option<&State>,
    ) -> Result<Machine, NothingToDo> {
        if inputs.is_empty() {
            return Err(NothingToDo::NoStories);
        }
        let mut named: BTreeMap<StoryId, Vec<String>> =
            inputs.iter().map(|input| (input.id.clone(), input.dependencies.clone())).collect();
        let state = match earlier {
            Some(earlier) => State::after(inputs, earlier),
            None => State::of(inputs),
        };
        let names: Vec<Vec<String>> =
            state.stories().iter().map(|story| named.remove(&story.id).unwrap_or_default()).collect();
        let pairs = state.stories().iter().map(|story| &story.id).zip(names.iter().map(Vec::as_slice));
        let graph = Graph::of(pairs);
        let selected: Vec<bool> =
            state.stories().iter().map(|story| filter.takes(&story.id, story.epic.as_deref())).collect();
        if !selected.contains(&true) {
            return Err(NothingToDo::NoneSelected);
        }
        let stories = state.stories().len();
        let mut machine = Machine {
            state,
            settings,
            graph,
            names,
            selected,
            open: vec![0; stories],
            queue: Queue::of(stories),
            hooked: BTreeMap::new(),
            streak: Streak::default(),
            stopping: None,
            effects: Vec::new(),
        };
        (0..stories).for_each(|node| machine.count_open(node));
        Ok(machine)
    }

    /// Takes in an event; what is to be done, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Start => self.start(),
            Event::AgentFinished { turn, report } => self.agent_finished(turn, report),
            Event::HookFinished { turn, exit, output } => self.hook_finished(turn, &exit, &output),
            Event::StoryLost { story, reason } => {
                if let Some(node) = self.state.place(&story) {
                    self.queue.take_out(node);
                    self.record(Fact::Lost { story, reason });
                }
            }
            Event::Tick { elapsed } => {
                let limit = self.settings.max_wall_time_seconds;
                if limit > 0 && elapsed >= limit {
                    self.stop(StopReason::WallTime(limit));
                }
            }
            Event::Interrupt => self.stop(StopReason::Interrupted),
        }
        self.advance();
        std::mem::take(&mut self.effects)
    }

    /// The state, which is the fold of all facts.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who waits for whom.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether a story is part of this run.
    pub fn is_selected(&self, node: Node) -> bool {
        self.selected.get(node).copied().unwrap_or(false)
    }

    /// The most turns that this run can take, whatever its agents do, beside those that the performer undoes because another
    /// turn was at the same files: at most `jobs - 1` for each turn that counted.
    pub fn most_turns(&self) -> u64 {
        let stories = self.selected.iter().filter(|selected| **selected).count() as u64;
        let structure = self.settings.most_turns_per_story().saturating_mul(stories);
        structure.min(u64::from(self.settings.allowance(self.selected.len())))
    }

    fn start(&mut self) {
        if self.state.allowance > 0 && self.state.ended.is_none() {
            return;
        }
        let allowance = self.settings.allowance(self.state.stories().len());
        self.record(Fact::Begun { allowance });
        let interrupted: Vec<_> = self.state.active().collect();
        for (turn, node, task) in interrupted {
            self.forget_turn(turn, node, task);
        }
        for node in 0..self.state.stories().len() {
            if self.is_selected(node) {
                self.taken_by_a_person(node);
                self.settle(node);
            }
        }
    }

    fn record(&mut self, fact: Fact) {
        self.state.apply(&fact);
        self.effects.push(Effect::Record(fact));
    }

    fn id(&self, node: Node) -> StoryId {
        self.state.story(node).map_or_else(|| StoryId::of(""), |story| story.id.clone())
    }
}
