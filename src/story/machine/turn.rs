//! One turn: begun, judged, its hook heard, recorded.

use super::{Effect, Machine, Turn};
use crate::safety::{FailureKind, backoff};
use crate::story::deadlock::arrows;
use crate::story::fact::{Fact, Outcome, StopReason, Told};
use crate::story::graph::Node;
use crate::story::id::StoryId;
use crate::story::judge::{AgentReport, Exit, Judgement, StoryAfter, judge, strike};
use crate::story::status::Status;
use crate::story::workflow::Task;

/// How much of an output the next agent is told.
const MOST_TOLD: usize = 2000;
/// How many files are named.
const MOST_FILES: usize = 50;

impl Machine {
    pub(super) fn begin(&mut self, node: Node, task: Task) {
        let number = self.state.iteration.saturating_add(1);
        let story = self.id(node);
        self.record(Fact::TurnBegun { turn: number, story: story.clone(), task });
        let Some(now) = self.state.story(node) else { return };
        let memory = &now.memory;
        let strikes = self.state.strikes(node, task.status());
        let base = self.settings.retry_delay_base_seconds;
        let wait_seconds = match memory.last_failure {
            Some(kind) if kind.is_of_program() => backoff(base, strikes),
            _ => 0,
        };
        let cycle = match task {
            Task::BreakCycle => self.circle_of(node).unwrap_or_default(),
            _ => Vec::new(),
        };
        let turn = Turn {
            number,
            story,
            file: now.file.clone(),
            epic: now.epic.clone(),
            task,
            attempt: strikes + 1,
            wait_seconds,
            timeout_seconds: self.settings.agent_timeout_seconds,
            feedback: memory.feedback.clone().filter(|_| self.settings.inject_feedback_on_retry),
            last: memory.last,
            note: memory.note.clone(),
            files: memory.files.clone(),
            cycle,
        };
        self.effects.push(Effect::Snapshot { turn: number });
        self.effects.push(Effect::StartAgent(Box::new(turn)));
    }

    pub(super) fn agent_finished(&mut self, turn: u32, report: AgentReport) {
        let Some((node, task)) = self.active(turn).filter(|_| !self.hooked.contains_key(&turn)) else { return };
        let mut judgement = judge(task, &report);
        if judgement.outcome == Outcome::CycleBroken
            && let Some(circle) = self.circle_after(node, &report)
        {
            let reason = format!("the circle is still there: {}", arrows(&circle));
            judgement.outcome = strike(FailureKind::NoProgress, reason, "");
            judgement.restore = true;
        }
        match judgement.hook.filter(|hook| self.settings.hooks.contains(hook)) {
            Some(hook) => {
                self.effects.push(Effect::RunHook { turn, hook });
                self.hooked.insert(turn, (judgement, report));
            }
            None => self.conclude(turn, node, task, judgement, &report),
        }
    }

    pub(super) fn hook_finished(&mut self, turn: u32, exit: &Exit, output: &str) {
        let (Some((node, task)), Some((mut judgement, mut report))) = (self.active(turn), self.hooked.remove(&turn))
        else {
            return;
        };
        let hook = judgement.hook.map_or("the hook", |hook| hook.as_str());
        let fails = |why: &str| strike(FailureKind::Check, format!("{hook} {why}"), "");
        let outcome = match exit {
            Exit::Code(0) => None,
            Exit::Ended => Some(Outcome::Interrupted),
            Exit::TimedOut => Some(fails("took too long")),
            Exit::NotStarted(why) => Some(fails(&format!("could not be started: {why}"))),
            Exit::Code(code) => Some(fails(&format!("ended with status {code}"))),
        };
        if let Some(outcome) = outcome {
            judgement.outcome = outcome;
            judgement.restore = true;
            report.output = output.to_owned();
        }
        self.conclude(turn, node, task, judgement, &report);
    }

    /// A turn of an earlier run that nobody finished; its changes have been put back.
    pub(super) fn forget_turn(&mut self, turn: u32, node: Node, task: Task) {
        let story = self.id(node);
        self.record(Fact::TurnEnded { turn, story, task, outcome: Outcome::Interrupted, told: Told::default() });
    }

    fn conclude(&mut self, turn: u32, node: Node, task: Task, judgement: Judgement, report: &AgentReport) {
        let Judgement { outcome, restore, .. } = judgement;
        let story = self.id(node);
        if restore {
            self.effects.push(Effect::Restore { turn, story: story.clone(), status: task.status() });
        }
        let told = self.told(node, &outcome, restore, report);
        if let (Outcome::Strike { .. }, Some(text)) = (&outcome, &told.feedback) {
            let (story, text) = (story.clone(), text.clone());
            self.effects.push(Effect::Feedback { turn, story, role: task.role(), text });
        }
        if let (Outcome::Progress { to, .. }, None) = (&outcome, &report.note) {
            let text = format!("{} → {to}", task.status());
            self.effects.push(Effect::AppendLog { story: story.clone(), actor: task.role().short(), text });
        }
        let names = told.dependencies.clone();
        self.record(Fact::TurnEnded { turn, story, task, outcome: outcome.clone(), told });
        if let Some(names) = names {
            self.graph.set(node, &names);
            if let Some(known) = self.names.get_mut(node) {
                *known = names;
            }
            self.count_open(node);
        }
        self.whose_fault(node, task.status(), &outcome);
        self.settle(node);
        if let Outcome::Progress { to: Status::Done, .. } = outcome {
            self.done(node);
        }
        self.effects.push(Effect::Checkpoint);
        if self.settings.once {
            let progress = matches!(outcome, Outcome::Progress { .. } | Outcome::CycleBroken);
            self.stop(StopReason::Once(progress));
        }
    }

    /// Stops the run where a failure is the provider's, and takes it off the stories.
    fn whose_fault(&mut self, node: Node, status: Status, outcome: &Outcome) {
        match outcome {
            Outcome::Provider(fault) => self.stop(StopReason::Provider(*fault)),
            Outcome::Strike { kind: FailureKind::Exit | FailureKind::NotStarted, signature, .. } => {
                let victims = self.streak.failed(signature, (node, status)).map(<[_]>::to_vec);
                if let Some(victims) = victims {
                    let strikes = victims.into_iter().map(|(node, status)| (self.id(node), status)).collect();
                    self.record(Fact::Forgiven { strikes });
                    self.stop(StopReason::Circuit(signature.clone()));
                }
            }
            Outcome::Interrupted => {}
            _ => self.streak.broken(),
        }
    }

    fn told(&self, node: Node, outcome: &Outcome, restored: bool, report: &AgentReport) -> Told {
        let feedback = match outcome {
            Outcome::Strike { reason, .. } => {
                let output = tail(report.output.trim(), MOST_TOLD);
                Some(if output.is_empty() { reason.clone() } else { format!("{reason}\n\n{output}") })
            }
            _ => None,
        };
        let dependencies = match &report.story {
            StoryAfter::Read { dependencies, .. } if !restored && self.names.get(node) != Some(dependencies) => {
                Some(dependencies.clone())
            }
            _ => None,
        };
        let files = if restored { Vec::new() } else { report.files.iter().take(MOST_FILES).cloned().collect() };
        let note = report.note.as_deref().filter(|_| !restored).map(|note| tail(note, MOST_TOLD).to_owned());
        Told { feedback, note, files, dependencies }
    }

    /// The circle through a story as it would be with what a turn left; the graph stays as it is.
    fn circle_after(&mut self, node: Node, report: &AgentReport) -> Option<Vec<StoryId>> {
        let StoryAfter::Read { dependencies, .. } = &report.story else { return None };
        let before = self.names.get(node).cloned().unwrap_or_default();
        self.graph.set(node, dependencies);
        let circle = self.circle_of(node);
        self.graph.set(node, &before);
        circle
    }

    fn circle_of(&self, node: Node) -> Option<Vec<StoryId>> {
        let path = self.graph.path_back(node, |node| self.waits(node))?;
        Some(path.into_iter().map(|node| self.id(node)).collect())
    }

    fn active(&self, turn: u32) -> Option<(Node, Task)> {
        self.state.active().find(|(active, _, _)| *active == turn).map(|(_, node, task)| (node, task))
    }
}

/// The end of a text, cut between two letters.
fn tail(text: &str, most: usize) -> &str {
    let mut at = text.len().saturating_sub(most);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    text.get(at..).unwrap_or(text)
}
