//! The life cycle of a spec (§2.2). Staying where one is is allowed, except in `archived`, which is final.

use crate::diagnostics::{Code, Result};
use crate::domain::word::words;

words! {
    /// Where a spec stands.
    SpecStatus, "a spec status" {
        /// Being written.
        Draft = "draft",
        /// May open runs.
        Ready = "ready",
        /// Closed for good.
        Archived = "archived",
    }
}

use SpecStatus::{Archived, Draft, Ready};

const MOVES: &[(SpecStatus, SpecStatus)] =
    &[(Draft, Draft), (Draft, Ready), (Draft, Archived), (Ready, Draft), (Ready, Ready), (Ready, Archived)];

impl SpecStatus {
    /// The statuses that may follow.
    pub fn next(self) -> impl Iterator<Item = SpecStatus> {
        MOVES.iter().filter(move |(from, _)| *from == self).map(|(_, to)| *to)
    }

    /// Refuses an illegal move (RAPID805).
    pub fn step(self, to: SpecStatus) -> Result<SpecStatus> {
        match self.next().any(|next| next == to) {
            true => Ok(to),
            false => Err(Code::Rapid805.because(format!("a spec that is {self} cannot become {to}"))),
        }
    }
}
