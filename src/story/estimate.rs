//! How long a backlog will take: turns counted by the dry run, minutes by rule of thumb.

use super::status::Role;
use crate::domain::json::Value;
use std::collections::BTreeMap;

/// Minutes that a turn takes, from and to.
const MINUTES: (u64, u64) = (5, 10);

/// An estimate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The turns of all agents.
    pub turns: u64,
    /// Rounds of turns at the same time; equal to the turns with one job.
    pub rounds: u64,
    /// The turns of each role.
    pub roles: BTreeMap<Role, u64>,
}

impl Estimate {
    /// One more turn.
    pub fn turn(&mut self, role: Role) {
        self.turns += 1;
        *self.roles.entry(role).or_insert(0) += 1;
    }

    /// Minutes on the clock, from and to.
    pub fn minutes(&self) -> (u64, u64) {
        (self.rounds.saturating_mul(MINUTES.0), self.rounds.saturating_mul(MINUTES.1))
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        let roles = self.roles.iter().map(|(role, turns)| (role.as_str().to_owned(), (*turns).into())).collect();
        let (low, high) = self.minutes();
        Value::object([
            ("turns", self.turns.into()),
            ("rounds", self.rounds.into()),
            ("turns_by_role", Value::Object(roles)),
            ("minutes_low", low.into()),
            ("minutes_high", high.into()),
        ])
    }
}
