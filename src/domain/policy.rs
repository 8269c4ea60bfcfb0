//! The execution policy (§3): what kind of work needs which workspace and which gates.
//!
//! `rules` is the policy itself (a project may only tighten it), `decide` applies it to a spec (with `scope` for what is
//! reached and `gates` for what is asked), `decision` is the outcome that a contract freezes.

mod decide;
mod decision;
mod gates;
mod rules;
mod scope;

pub use decide::{Overrides, Project, decide};
pub use decision::{Classification, Decision, Risk, RiskSignal, Workspace};
pub use rules::Policy;

#[cfg(test)]
mod tests;
