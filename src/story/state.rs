//! The state of a run: the fold of its facts. Nothing here decides; the same facts always give the same state.

use super::fact::{Fact, Outcome, StopReason};
use super::graph::Node;
use super::id::StoryId;
use super::settings::StoryInput;
use super::status::Status;
use super::workflow::{TABLE, Task, Way};
use crate::safety::{FailureKind, Strikes};
use std::collections::{BTreeMap, HashMap};

/// One story in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The id.
    pub id: StoryId,
    /// Its file.
    pub file: String,
    /// Its epic.
    pub epic: Option<String>,
    /// Its state; `None` when its file cannot be read.
    pub status: Option<Status>,
    /// Its budgets and what is remembered of it.
    pub memory: Memory,
}

/// What is remembered of a story from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The state in which we left it.
    pub left_in: Option<Status>,
    /// Where it was before it was blocked.
    pub blocked_from: Option<Status>,
    /// How often a review sent it back.
    pub rejects: u32,
    /// How often it was sent back as not testable.
    pub rollbacks: u32,
    /// How often tests were repaired after a report.
    pub pairs: u32,
    /// How often a circle was broken at it.
    pub cycle_breaks: u32,
    /// How many turns it took.
    pub turns: u32,
    /// The developer ran and left it: the tests are repaired next.
    pub repair: bool,
    /// How the last turn failed, if it did.
    pub last_failure: Option<FailureKind>,
    /// Why the last strike was one.
    pub last_reason: Option<String>,
    /// What went wrong in the last turn.
    pub feedback: Option<String>,
    /// What the last agent wrote into the log.
    pub note: Option<String>,
    /// The files of the last turn.
    pub files: Vec<String>,
    /// The last turn: what was asked and where it led.
    pub last: Option<(Task, Option<Status>)>,
    /// Why it was given up.
    pub reason: Option<String>,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    stories: Vec<Story>,
    places: HashMap<StoryId, Node>,
    strikes: Strikes<(Node, Status)>,
    /// Each with how many turns had counted when it began.
    active: BTreeMap<u32, (Node, Task, u32)>,
    /// The turns of this run that counted.
    counted: u32,
    /// All turns ever.
    pub iteration: u32,
    /// The turns of this run.
    pub spent: u32,
    /// The turns that this run may take.
    pub allowance: u32,
    /// Why it ended.
    pub ended: Option<StopReason>,
}

impl State {
    /// Before anything happened. Stories are put in the order of their numbers.
    pub fn of(mut inputs: Vec<StoryInput>) -> State {
        inputs.sort_by(|one, other| {
            let number = |input: &StoryInput| input.id.number().unwrap_or(u64::MAX);
            (number(one), &one.id).cmp(&(number(other), &other.id))
        });
        let story = |input: StoryInput| Story {
            id: input.id,
            file: input.file,
            epic: input.epic,
            status: input.status,
            memory: Memory::default(),
        };
        let stories: Vec<Story> = inputs.into_iter().map(story).collect();
        let places = stories.iter().enumerate().map(|(node, story)| (story.id.clone(), node)).collect();
        State {
            stories,
            places,
            strikes: Strikes::default(),
            active: BTreeMap::new(),
            counted: 0,
            iteration: 0,
            spent: 0,
            allowance: 0,
            ended: None,
        }
    }

    /// The state that these facts give.
    pub fn fold<'a>(inputs: Vec<StoryInput>, facts: impl IntoIterator<Item = &'a Fact>) -> State {
        let mut state = State::of(inputs);
        facts.into_iter().for_each(|fact| state.apply(fact));
        state
    }

    /// Stories as they are read now, with what an earlier state remembers of them. Turns that were in flight are in flight
    /// still: whoever calls has put their changes back before reading the stories.
    pub fn after(inputs: Vec<StoryInput>, earlier: &State) -> State {
        let mut state = State::of(inputs);
        state.iteration = earlier.iteration;
        for (node, story) in earlier.stories.iter().enumerate() {
            let strikes: Vec<(Status, u32)> =
                Status::ALL.iter().map(|status| (*status, earlier.strikes(node, *status))).collect();
            state.remember(&story.id, story.memory.clone(), &strikes);
        }
        for (turn, node, task) in earlier.active() {
            if let Some(place) = earlier.story(node).and_then(|story| state.place(&story.id)) {
                state.active.insert(turn, (place, task, 0));
            }
        }
        state
    }

    /// Every story, in the order of their numbers.
    pub fn stories(&self) -> &[Story] {
        &self.stories
    }

    /// One story.
    pub fn story(&self, node: Node) -> Option<&Story> {
        self.stories.get(node)
    }

    /// A story's state.
    pub fn status(&self, node: Node) -> Option<Status> {
        self.story(node).and_then(|story| story.status)
    }

    /// A story's place.
    pub fn place(&self, id: &StoryId) -> Option<Node> {
        self.places.get(id).copied()
    }

    /// The strikes of a story in a state.
    pub fn strikes(&self, node: Node, status: Status) -> u32 {
        self.strikes.count(&(node, status))
    }

    /// Every strike that still counts: the story, the state, how many.
    pub fn all_strikes(&self) -> impl Iterator<Item = (Node, Status, u32)> {
        self.strikes.iter().map(|((node, status), count)| (*node, *status, count))
    }

    /// The turns that have begun and not ended.
    pub fn active(&self) -> impl Iterator<Item = (u32, Node, Task)> {
        self.active.iter().map(|(turn, (node, task, _))| (*turn, *node, *task))
    }

    /// Puts back what was remembered of a story.
    pub fn remember(&mut self, id: &StoryId, memory: Memory, strikes: &[(Status, u32)]) {
        let Some(node) = self.place(id) else { return };
        for (status, count) in strikes {
            self.strikes.restore((node, *status), *count);
        }
        if let Some(story) = self.stories.get_mut(node) {
            story.memory = memory;
        }
    }

    /// Takes in what happened.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Begun { allowance } => {
                (self.allowance, self.spent, self.counted, self.ended) = (*allowance, 0, 0, None);
            }
            Fact::Taken { story, status } => self.with(story, |story, strikes, node| {
                strikes.retain(|(other, _)| *other != node);
                story.memory = Memory { left_in: Some(*status), turns: story.memory.turns, ..Memory::default() };
            }),
            Fact::Moved { story, from, to, reason, .. } => self.with(story, |story, _, _| {
                story.set(*to);
                match to {
                    Status::Blocked => story.memory.blocked_from = Some(*from),
                    Status::Failed => story.memory.reason = Some(reason.clone()),
                    _ => story.memory.blocked_from = None,
                }
            }),
            Fact::TurnBegun { turn, story, task } => {
                self.iteration = self.iteration.max(*turn);
                self.spent = self.spent.saturating_add(1);
                if let Some(node) = self.place(story) {
                    self.active.insert(*turn, (node, *task, self.counted));
                }
                self.with(story, |story, _, _| story.memory.turns = story.memory.turns.saturating_add(1));
            }
            Fact::TurnEnded { turn, story, task, outcome, told } => {
                let begun = self.active.remove(turn).map(|(_, _, counted)| counted);
                match outcome {
                    Outcome::Progress { .. } | Outcome::CycleBroken => self.counted = self.counted.saturating_add(1),
                    // Another turn came home first: that costs no turn. One for each that counted, so it stays bounded.
                    Outcome::Interrupted if begun.is_some_and(|begun| begun < self.counted) => {
                        self.spent = self.spent.saturating_sub(1);
                    }
                    _ => {}
                }
                self.with(story, |story, strikes, node| {
                    let memory = &mut story.memory;
                    memory.last_failure = None;
                    let led = match outcome {
                        Outcome::Progress { to, .. } => Some(*to),
                        _ => None,
                    };
                    memory.last = Some((*task, led));
                    memory.feedback = told.feedback.clone();
                    if told.note.is_some() {
                        memory.note = told.note.clone();
                    }
                    memory.files = told.files.clone();
                    story.ended(*task, outcome, strikes, node);
                });
            }
            Fact::Lost { story, reason } => self.with(story, |story, _, _| {
                story.status = None;
                story.memory.reason = Some(reason.clone());
            }),
            Fact::Forgiven { strikes } => {
                for (story, status) in strikes {
                    if let Some(node) = self.place(story) {
                        self.strikes.forgive(&(node, *status));
                    }
                }
            }
            Fact::Ended { reason } => self.ended = Some(reason.clone()),
        }
    }

    fn with(&mut self, id: &StoryId, change: impl FnOnce(&mut Story, &mut Strikes<(Node, Status)>, Node)) {
        let Some(node) = self.place(id) else { return };
        if let Some(story) = self.stories.get_mut(node) {
            change(story, &mut self.strikes, node);
        }
    }
}

impl Story {
    fn set(&mut self, status: Status) {
        self.status = Some(status);
        self.memory.left_in = Some(status);
    }

    fn ended(&mut self, task: Task, outcome: &Outcome, strikes: &mut Strikes<(Node, Status)>, node: Node) {
        let was = task.status();
        match outcome {
            Outcome::Progress { to, row } => {
                match TABLE.iter().find(|known| known.number == *row).map(|row| row.way) {
                    Some(Way::Reject) => self.memory.rejects += 1,
                    Some(Way::Rollback) => self.memory.rollbacks += 1,
                    _ => {}
                }
                // Leaving a state is what clears its strikes; repairing tests does not leave it.
                if *to != was {
                    strikes.clear(&(node, was));
                }
                self.set(*to);
            }
            Outcome::CycleBroken => self.memory.cycle_breaks += 1,
            Outcome::Strike { kind, reason, .. } => {
                strikes.strike((node, was));
                self.memory.last_reason = Some(reason.clone());
                self.memory.last_failure = Some(*kind);
            }
            Outcome::Provider(_) | Outcome::Interrupted => return,
        }
        // The hand-over is decided by what was run: who ran last on Tests Ready, and left it as it is.
        let ran = match outcome {
            Outcome::Progress { .. } => true,
            Outcome::Strike { kind, .. } => *kind == FailureKind::NoProgress,
            _ => false,
        };
        match task {
            Task::Implement => self.memory.repair = ran && self.status == Some(Status::TestsReady),
            Task::RepairTests if ran => {
                self.memory.repair = false;
                self.memory.pairs += 1;
            }
            _ => {}
        }
    }
}
