//! Going on and coming to an end.

use super::{Effect, Machine};
use crate::story::deadlock;
use crate::story::fact::{Fact, StopReason};
use crate::story::graph::Node;
use crate::story::status::Status;
use crate::story::workflow::Task;

impl Machine {
    /// Starts what may be started, and ends the run when nothing is left.
    pub(super) fn advance(&mut self) {
        while self.may_start() {
            let (node, task) = match self.queue.is_empty() {
                false if self.state.spent >= self.state.allowance => {
                    self.stop(StopReason::Iterations(self.state.allowance));
                    break;
                }
                false => match self.next_task() {
                    Some(next) => next,
                    None => continue,
                },
                true if self.state.active().next().is_some() => break,
                true => match self.circle_to_break() {
                    Some(_) if self.state.spent >= self.state.allowance => {
                        self.stop(StopReason::Iterations(self.state.allowance));
                        break;
                    }
                    Some(node) => (node, Task::BreakCycle),
                    None => {
                        self.stop(StopReason::Complete);
                        break;
                    }
                },
            };
            self.begin(node, task);
        }
        if self.state.ended.is_none()
            && self.state.active().next().is_none()
            && let Some(reason) = self.stopping.take()
        {
            self.record(Fact::Ended { reason: reason.clone() });
            self.effects.push(Effect::Stop(reason));
        }
    }

    /// Lets the run come to an end; agents are ended only where it is urgent.
    pub(super) fn stop(&mut self, reason: StopReason) {
        if self.state.ended.is_some() || self.state.allowance == 0 {
            return;
        }
        let urgent = reason.is_urgent();
        let already = self.stopping.as_ref().is_some_and(StopReason::is_urgent);
        if urgent && !already {
            let turns: Vec<u32> = self.state.active().map(|(turn, _, _)| turn).collect();
            if !turns.is_empty() {
                self.effects.push(Effect::EndAgents { turns });
            }
            self.stopping = Some(reason);
        } else {
            self.stopping.get_or_insert(reason);
        }
    }

    fn may_start(&self) -> bool {
        let jobs = if self.settings.once { 1 } else { self.settings.jobs.max(1) };
        let jobs = usize::try_from(jobs).unwrap_or(usize::MAX);
        let begun = self.state.allowance > 0 && self.state.ended.is_none();
        begun && self.stopping.is_none() && self.state.active().count() < jobs
    }

    fn next_task(&mut self) -> Option<(Node, Task)> {
        let node = self.queue.next()?;
        let story = self.state.story(node)?;
        Some((node, Task::of(story.status?, story.memory.repair)?))
    }

    /// A story at which a circle is to be broken, where the product owner may still be asked.
    fn circle_to_break(&self) -> Option<Node> {
        if self.settings.max_cycle_breaks == 0 {
            return None;
        }
        let may_ask = |node: &Node| {
            let breaks = self.state.story(*node).map_or(0, |story| story.memory.cycle_breaks);
            breaks < self.settings.max_cycle_breaks
        };
        self.graph.cycles(|node| self.waits(node)).into_iter().find_map(|mut cycle| {
            cycle.retain(may_ask);
            deadlock::breaker(&self.state, &self.graph, &cycle)
        })
    }

    /// Whether a story of this run is blocked.
    pub(super) fn waits(&self, node: Node) -> bool {
        self.is_selected(node) && self.state.status(node) == Some(Status::Blocked)
    }
}
