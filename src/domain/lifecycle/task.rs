//! The life cycle of a task (§2.6). A done task is never opened again.

use crate::diagnostics::{Code, Result};
use crate::domain::word::words;

words! {
    /// Where a task stands.
    TaskStatus, "a task status" {
        /// Not begun.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in_progress",
        /// Stopped, may go on.
        Blocked = "blocked",
        /// Said to be done.
        Done = "done",
        /// Left out.
        Skipped = "skipped",
    }
}

use TaskStatus::{Blocked, Done, InProgress, Pending, Skipped};

const MOVES: &[(TaskStatus, TaskStatus)] = &[
    (Pending, InProgress),
    (Pending, Skipped),
    (InProgress, Blocked),
    (InProgress, Done),
    (InProgress, Skipped),
    (Blocked, InProgress),
    (Blocked, Skipped),
];

impl TaskStatus {
    /// The statuses that may follow.
    pub fn next(self) -> impl Iterator<Item = TaskStatus> {
        MOVES.iter().filter(move |(from, _)| *from == self).map(|(_, to)| *to)
    }

    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        self.next().next().is_none()
    }

    /// Refuses an illegal move (RAPID1010).
    pub fn step(self, to: TaskStatus) -> Result<TaskStatus> {
        match self.next().any(|next| next == to) {
            true => Ok(to),
            false => Err(Code::Rapid1010.because(format!("a task that is {self} cannot become {to}"))),
        }
    }
}
