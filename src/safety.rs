//! Safety: what was tried and how it failed in, what may be done next out. Used by every loop that starts agents.
//!
//! Pure. A loop that asks here cannot go on for ever: every failure costs something that is bounded, the same failure again
//! costs more, and a failure that is the provider's fault is not charged to the work.

mod circuit;
mod decision;
mod failure;
mod provider;
mod signature;
mod strikes;

pub use circuit::{Circuit, Streak};
pub use decision::{Action, Decision, History, Limits, evaluate_next_action};
pub use failure::{Failure, FailureKind};
pub use provider::{ProviderFault, provider_fault, refused_quietly};
pub use signature::{Signature, normalise};
pub use strikes::{Strikes, backoff};

#[cfg(test)]
mod tests;
