//! The moves that the orchestrator makes by itself: rows 12, 13 and 14.

use super::{Effect, Machine};
use crate::story::fact::Fact;
use crate::story::graph::Node;
use crate::story::settings::Unblock;
use crate::story::state::Story;
use crate::story::status::Status;

impl Machine {
    /// Puts a story where its budgets and its blockers want it: given up, blocked, or in the queue.
    pub(super) fn settle(&mut self, node: Node) {
        let Some(story) = self.state.story(node) else { return };
        let Some(status) = story.status else { return };
        if status.is_terminal() || !self.is_selected(node) || self.is_active(node) {
            return;
        }
        if let Some(reason) = self.used_up(node, story, status) {
            self.queue.take_out(node);
            self.moved(node, status, Status::Failed, 14, reason);
            return;
        }
        let open = self.open.get(node).copied().unwrap_or(0);
        let status = match (open, status) {
            (0, Status::Blocked) => {
                let remembered = story.memory.blocked_from.filter(|_| self.settings.unblock == Unblock::Remembered);
                let back = remembered.unwrap_or(Status::Ready);
                self.moved(node, status, back, 13, "nothing blocks it any more".to_owned());
                back
            }
            (0, _) => status,
            (_, Status::Blocked) => return,
            (_, _) => {
                self.queue.take_out(node);
                self.moved(node, status, Status::Blocked, 12, format!("{open} of its blockers are not Done"));
                return;
            }
        };
        let unblocks = self.graph.dependants(node).len();
        self.queue.put(node, status, self.state.strikes(node, status), unblocks);
    }

    /// Tells those that waited for a story that it is Done.
    pub(super) fn done(&mut self, node: Node) {
        for dependant in self.graph.dependants(node).to_vec() {
            if let Some(open) = self.open.get_mut(dependant) {
                *open = open.saturating_sub(1);
            }
            self.settle(dependant);
        }
    }

    /// Counts the blockers of a story that are not Done.
    pub(super) fn count_open(&mut self, node: Node) {
        let deps = self.graph.deps(node);
        let waiting = deps.iter().filter(|dep| self.state.status(**dep) != Some(Status::Done)).count();
        let count = waiting + self.graph.missing(node).len();
        if let Some(open) = self.open.get_mut(node) {
            *open = count;
        }
    }

    /// A state that is not the one we left means that a person took the story in hand.
    pub(super) fn taken_by_a_person(&mut self, node: Node) {
        let Some(story) = self.state.story(node) else { return };
        if let (Some(left), Some(status)) = (story.memory.left_in, story.status)
            && left != status
        {
            let story = story.id.clone();
            self.record(Fact::Taken { story, status });
        }
    }

    fn is_active(&self, node: Node) -> bool {
        self.state.active().any(|(_, active, _)| active == node)
    }

    /// Why a story is given up, if it is.
    fn used_up(&self, node: Node, story: &Story, status: Status) -> Option<String> {
        let memory = &story.memory;
        let rejects = self.settings.rejects();
        let strikes = self.state.strikes(node, status);
        if memory.rejects >= rejects {
            return Some(format!("max_reject_cycles: it was sent back {} times", memory.rejects));
        }
        if memory.rollbacks >= rejects {
            return Some(format!("max_reject_cycles: it was not testable {} times", memory.rollbacks));
        }
        if status == Status::TestsReady && memory.repair && memory.pairs >= rejects {
            return Some(format!(
                "hand-over: the tests were repaired {} times and still stop the developer",
                memory.pairs
            ));
        }
        if strikes >= self.settings.strikes() {
            let last = memory.last_reason.as_deref().unwrap_or("no progress");
            return Some(format!("max_retries_per_step: {strikes} strikes in {status}; the last: {last}"));
        }
        None
    }

    fn moved(&mut self, node: Node, from: Status, to: Status, row: u8, reason: String) {
        let story = self.id(node);
        let file = self.state.story(node).map(|story| story.file.clone()).unwrap_or_default();
        self.record(Fact::Moved { story: story.clone(), from, to, row, reason: reason.clone() });
        self.effects.push(Effect::SetStatus { story: story.clone(), file, status: to });
        if to == Status::Failed {
            self.effects.push(Effect::AppendLog {
                story,
                actor: "Orchestrator",
                text: format!("{from} → {to}: {reason}"),
            });
        }
    }
}
