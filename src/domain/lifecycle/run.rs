//! The life cycle of a run (§2.6).

use crate::diagnostics::{Code, Result};
use crate::domain::word::words;

words! {
    /// Where a run stands.
    RunStatus, "a run status" {
        /// Opened; its pre-execution gates are being met.
        Prepared = "prepared",
        /// Being worked on.
        Active = "active",
        /// Stopped, may go on.
        Blocked = "blocked",
        /// Closed by `finish`.
        Finished = "finished",
        /// Given up as failed.
        Failed = "failed",
        /// Given up.
        Cancelled = "cancelled",
    }
}

use RunStatus::{Active, Blocked, Cancelled, Failed, Finished, Prepared};

const MOVES: &[(RunStatus, RunStatus)] = &[
    (Prepared, Active),
    (Prepared, Cancelled),
    (Active, Blocked),
    (Active, Finished),
    (Active, Failed),
    (Active, Cancelled),
    (Blocked, Active),
    (Blocked, Failed),
    (Blocked, Cancelled),
];

impl RunStatus {
    /// The statuses that may follow.
    pub fn next(self) -> impl Iterator<Item = RunStatus> {
        MOVES.iter().filter(move |(from, _)| *from == self).map(|(_, to)| *to)
    }

    /// Whether nothing follows.
    pub fn is_terminal(self) -> bool {
        self.next().next().is_none()
    }

    /// Refuses an illegal move (RAPID1009).
    pub fn step(self, to: RunStatus) -> Result<RunStatus> {
        match self.next().any(|next| next == to) {
            true => Ok(to),
            false => Err(Code::Rapid1009.because(format!("a run that is {self} cannot become {to}"))),
        }
    }
}
