//! The life cycle of a gate (§2.6): decided once.

use crate::diagnostics::{Code, Result};
use crate::domain::word::words;

words! {
    /// What was decided about a gate.
    Disposition, "a gate disposition" {
        /// Nothing yet.
        Pending = "pending",
        /// Said to be met.
        Acknowledged = "acknowledged",
        /// Let go, with a reason.
        Waived = "waived",
    }
}

use Disposition::{Acknowledged, Pending, Waived};

const MOVES: &[(Disposition, Disposition)] = &[(Pending, Acknowledged), (Pending, Waived)];

impl Disposition {
    /// The dispositions that may follow.
    pub fn next(self) -> impl Iterator<Item = Disposition> {
        MOVES.iter().filter(move |(from, _)| *from == self).map(|(_, to)| *to)
    }

    /// Whether the gate no longer stands in the way.
    pub fn is_decided(self) -> bool {
        self.next().next().is_none()
    }

    /// Refuses an illegal move (RAPID1013).
    pub fn step(self, to: Disposition) -> Result<Disposition> {
        match self.next().any(|next| next == to) {
            true => Ok(to),
            false => Err(Code::Rapid1013.because(format!("a gate that is {self} cannot become {to}"))),
        }
    }
}
