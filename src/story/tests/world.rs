//! A backlog in memory with agents that are closures: carries effects out and answers with what is seen afterwards.

use crate::safety::FailureKind;
use crate::story::fact::{Fact, Outcome, StopReason};
use crate::story::judge::{AgentReport, Exit, StoryAfter};
use crate::story::machine::{Effect, Event, Machine, Turn};
use crate::story::report::Report;
use crate::story::settings::{Settings, StoryInput};
use crate::story::state::State;
use crate::story::workflow::rows;
use crate::story::{Filter, Status, StoryId, Task};
use std::collections::{BTreeMap, VecDeque};

/// A story's file: its state and what blocks it; `None` when it is gone or broken.
pub type File = Option<(Status, Vec<String>)>;

/// What an agent did.
#[derive(Clone, Debug)]
pub struct Did {
    pub exit: Exit,
    pub output: String,
    pub files: Vec<String>,
    pub note: Option<String>,
}

impl Did {
    pub fn well() -> Did {
        Did { exit: Exit::Code(0), output: String::new(), files: Vec::new(), note: None }
    }

    pub fn badly(code: i32, output: &str) -> Did {
        Did { exit: Exit::Code(code), output: output.to_owned(), ..Did::well() }
    }

    pub fn with_files(self) -> Did {
        Did { files: vec!["tests/a.rs".to_owned()], ..self }
    }
}

pub struct World {
    pub files: BTreeMap<StoryId, File>,
    pub facts: Vec<Fact>,
    pub turns: Vec<Turn>,
    pub log: Vec<(String, String)>,
    pub restored: Vec<u32>,
    pub hook: fn(u32) -> Exit,
    /// What each turn changed, as it was before.
    changed: BTreeMap<u32, Vec<(StoryId, Option<File>)>>,
}

pub fn id(number: u32) -> StoryId {
    StoryId::of(format!("STORY-{number:03}"))
}

pub fn story(number: u32, status: Status, deps: &[u32]) -> StoryInput {
    StoryInput {
        id: id(number),
        file: format!("stories/STORY-{number:03}.md"),
        status: Some(status),
        epic: Some(format!("EPIC-{:03}", number.div_ceil(10))),
        dependencies: deps.iter().map(|dep| id(*dep).as_str().to_owned()).collect(),
    }
}

impl World {
    pub fn of(inputs: &[StoryInput]) -> World {
        let file = |input: &StoryInput| input.status.map(|status| (status, input.dependencies.clone()));
        World {
            files: inputs.iter().map(|input| (input.id.clone(), file(input))).collect(),
            facts: Vec::new(),
            turns: Vec::new(),
            log: Vec::new(),
            restored: Vec::new(),
            hook: |_| Exit::Code(0),
            changed: BTreeMap::new(),
        }
    }

    /// The stories as they are read from the files.
    pub fn inputs(&self) -> Vec<StoryInput> {
        let input = |(id, file): (&StoryId, &File)| StoryInput {
            id: id.clone(),
            file: format!("stories/{id}.md"),
            status: file.as_ref().map(|file| file.0),
            epic: id.number().map(|number| format!("EPIC-{:03}", number.div_ceil(10))),
            dependencies: file.as_ref().map(|file| file.1.clone()).unwrap_or_default(),
        };
        self.files.iter().map(input).collect()
    }

    pub fn status(&self, number: u32) -> Option<Status> {
        self.files[&id(number)].as_ref().map(|file| file.0)
    }

    pub fn set(&mut self, story: &StoryId, status: Status) {
        if let Some(Some(file)) = self.files.get_mut(story) {
            file.0 = status;
        }
    }

    /// Moves the story forward as its task wants it.
    pub fn forward(&mut self, turn: &Turn) {
        if turn.task == Task::BreakCycle {
            if let Some(Some(file)) = self.files.get_mut(&turn.story) {
                file.1.clear();
            }
        } else {
            let to = rows(turn.task.status(), turn.task.role()).next().unwrap().to;
            self.set(&turn.story, to);
        }
    }

    /// Runs to the end; fails when it takes more turns than the engine says that it can.
    pub fn run(&mut self, machine: &mut Machine, mut agent: impl FnMut(&mut World, &Turn) -> Did) -> Report {
        self.run_with(machine, Vec::new(), &mut agent)
    }

    /// The same, with events that are given in after so many turns.
    pub fn run_with(
        &mut self,
        machine: &mut Machine,
        mut events: Vec<(usize, Event)>,
        agent: &mut dyn FnMut(&mut World, &Turn) -> Did,
    ) -> Report {
        let most = machine.most_turns();
        let mut waiting = VecDeque::from([Event::Start]);
        let mut spent = 0;
        while let Some(event) = waiting.pop_front() {
            for effect in machine.handle(event) {
                match effect {
                    Effect::Record(fact) => self.facts.push(fact),
                    Effect::SetStatus { story, status, .. } => self.set(&story, status),
                    Effect::AppendLog { story, actor, text } => {
                        self.log.push((story.to_string(), format!("{actor} | {text}")))
                    }
                    Effect::Restore { turn, story, status } => {
                        for (changed, before) in self.changed.remove(&turn).unwrap_or_default() {
                            match before {
                                Some(file) => drop(self.files.insert(changed, file)),
                                None => drop(self.files.remove(&changed)),
                            }
                        }
                        assert_eq!(self.files[&story].as_ref().unwrap().0, status);
                        self.restored.push(turn);
                    }
                    Effect::RunHook { turn, .. } => {
                        let exit = (self.hook)(turn);
                        waiting.push_back(Event::HookFinished { turn, exit, output: "hook said ñ".to_owned() });
                    }
                    Effect::StartAgent(turn) => {
                        spent += 1;
                        assert!(spent as u64 <= most, "more than {most} turns");
                        if let Some(at) = events.iter().position(|(at, _)| *at == spent) {
                            waiting.push_back(events.remove(at).1);
                        }
                        let before = self.files.clone();
                        let did = agent(self, &turn);
                        let changed = self.changed_since(&before);
                        let report = self.seen(&turn, &changed, did);
                        let before = changed.into_iter().map(|id| (id.clone(), before.get(&id).cloned()));
                        self.changed.insert(turn.number, before.collect());
                        waiting.push_back(Event::AgentFinished { turn: turn.number, report });
                        self.turns.push(*turn);
                    }
                    Effect::Snapshot { .. }
                    | Effect::EndAgents { .. }
                    | Effect::Feedback { .. }
                    | Effect::Checkpoint => {}
                    Effect::Stop(_) => assert!(machine.state().ended.is_some()),
                }
            }
        }
        assert!(machine.state().ended.is_some(), "the run did not end");
        Report::of(machine)
    }

    fn changed_since(&self, before: &BTreeMap<StoryId, File>) -> Vec<StoryId> {
        let names = before.keys().chain(self.files.keys());
        let mut changed: Vec<StoryId> = names.filter(|id| before.get(id) != self.files.get(id)).cloned().collect();
        changed.sort();
        changed.dedup();
        changed
    }

    fn seen(&self, turn: &Turn, changed: &[StoryId], did: Did) -> AgentReport {
        let story = match self.files.get(&turn.story) {
            None => StoryAfter::Missing,
            Some(None) => StoryAfter::Unreadable("no state".to_owned()),
            Some(Some((status, dependencies))) => {
                StoryAfter::Read { status: *status, dependencies: dependencies.clone(), epic: None }
            }
        };
        let others = changed.iter().filter(|id| **id != turn.story).cloned().collect();
        AgentReport { exit: did.exit, output: did.output, story, others, files: did.files, note: did.note }
    }

    /// Every move that was recorded, by story.
    pub fn moves(&self) -> Vec<(StoryId, Status, Status, u8)> {
        let moved = |fact: &Fact| match fact {
            Fact::Moved { story, from, to, row, .. } => Some((story.clone(), *from, *to, *row)),
            Fact::TurnEnded { story, task, outcome: Outcome::Progress { to, row }, .. } => {
                Some((story.clone(), task.status(), *to, *row))
            }
            _ => None,
        };
        self.facts.iter().filter_map(moved).collect()
    }
}

pub fn machine(inputs: &[StoryInput], settings: Settings) -> Machine {
    Machine::new(inputs.to_vec(), &Filter::All, settings, None).unwrap()
}

/// The state that the facts give.
pub fn replayed(inputs: &[StoryInput], facts: &[Fact]) -> State {
    State::fold(inputs.to_vec(), facts)
}

pub fn ended(machine: &Machine) -> &StopReason {
    machine.state().ended.as_ref().unwrap()
}

/// An agent that does what is asked.
pub fn good(world: &mut World, turn: &Turn) -> Did {
    world.forward(turn);
    Did::well().with_files()
}

/// The kinds of all strikes, in order.
pub fn kinds(world: &World) -> Vec<FailureKind> {
    let kind = |fact: &Fact| match fact {
        Fact::TurnEnded { outcome: Outcome::Strike { kind, .. }, .. } => Some(*kind),
        _ => None,
    };
    world.facts.iter().filter_map(kind).collect()
}
