//! The decision table of the bounded loop: the first row that applies decides, and the decision is binding.

use super::circuit::Circuit;
use super::failure::Failure;
use super::signature::Signature;
use crate::domain::word::words;
use std::collections::{BTreeMap, BTreeSet};

words! {
    /// What may be done next.
    Action, "a safety action" {
        /// Nothing failed.
        Continue = "continue",
        /// Try again.
        Retry = "retry",
        /// Try again with another strategy.
        Debug = "debug",
        /// Ask one more fresh checker.
        SecondOpinion = "second_opinion",
        /// Stop this work.
        Block = "block",
        /// Stop everything.
        CircuitBreak = "circuit_break",
    }
}

/// What is decided, and the code of the row that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What may be done.
    pub action: Action,
    /// Why, as a code.
    pub reason: &'static str,
}

/// The bounds. They can be lowered, never raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    repair_cycles: u32,
    same_signature: u32,
}

impl Limits {
    /// The highest there are.
    pub const HIGHEST: Limits = Limits { repair_cycles: 3, same_signature: 2 };

    /// These, or lower ones.
    pub fn lowered(repair_cycles: u32, same_signature: u32) -> Limits {
        let highest = Limits::HIGHEST;
        Limits {
            repair_cycles: repair_cycles.min(highest.repair_cycles),
            same_signature: same_signature.clamp(1, highest.same_signature),
        }
    }

    /// How many repairs a piece of work gets.
    pub fn repair_cycles(self) -> u32 {
        self.repair_cycles
    }
}

/// What has happened to one piece of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    circuit: Circuit,
    repairs: u32,
    seen: BTreeMap<Signature, u32>,
    debugged: BTreeSet<Signature>,
    second_opinion: bool,
}

impl History {
    /// With the circuit as it stands.
    pub fn with_circuit(self, circuit: Circuit) -> History {
        History { circuit, ..self }
    }

    /// How many repairs were spent.
    pub fn repairs(&self) -> u32 {
        self.repairs
    }

    /// Takes in a failure and what was decided about it. Nothing but the circuit's own record changes while it is open.
    pub fn record(&mut self, failure: &Failure, decision: Decision) {
        if self.circuit != Circuit::Closed {
            return;
        }
        *self.seen.entry(failure.signature.clone()).or_insert(0) += 1;
        match decision.action {
            Action::Retry => self.repairs += 1,
            Action::Debug => {
                self.repairs += 1;
                self.debugged.insert(failure.signature.clone());
            }
            Action::SecondOpinion => self.second_opinion = true,
            Action::CircuitBreak => self.circuit = Circuit::Open(decision.reason.to_owned()),
            Action::Continue | Action::Block => {}
        }
    }
}

/// Decides what may be done next; without a failure, work goes on unless the circuit is open.
pub fn evaluate_next_action(history: &History, failure: Option<&Failure>, limits: Limits) -> Decision {
    let decide = |action, reason| Decision { action, reason };
    if history.circuit != Circuit::Closed {
        return decide(Action::CircuitBreak, "circuit_open");
    }
    let Some(failure) = failure else { return decide(Action::Continue, "no_failure") };
    if failure.kind.is_breach() {
        return decide(Action::CircuitBreak, failure.kind.as_str());
    }
    if history.repairs >= limits.repair_cycles {
        return match history.second_opinion {
            false => decide(Action::SecondOpinion, "repair_cycles_used"),
            true => decide(Action::Block, "second_opinion_used"),
        };
    }
    let seen = history.seen.get(&failure.signature).copied().unwrap_or(0) + 1;
    if seen >= limits.same_signature {
        return match history.debugged.contains(&failure.signature) {
            false => decide(Action::Debug, "same_failure_again"),
            true => decide(Action::Block, "same_failure_after_debug"),
        };
    }
    decide(Action::Retry, "repair_cycles_left")
}
