//! The nouns, each valid by construction: ids, canonical JSON and digests, spec, policy, contract, run state, evidence, gate,
//! report, and the life cycles.
//!
//! Not here: rules that weigh nouns against each other (`evaluator`, `conductor`) and anything that touches the world. A
//! record is read strictly (unknown or missing keys refused) and written canonically; `from_value` and `to_value` are
//! each other's inverse. Source: the specification's §1–3.

pub mod approvers;
pub mod capability;
pub mod config;
pub mod contract;
pub mod digest;
pub mod document;
pub mod evidence;
pub mod expunged;
pub mod gate;
pub mod git_id;
pub mod harmless;
pub mod ids;
pub mod json;
pub mod lifecycle;
pub mod mode;
pub mod moment;
pub mod near;
pub mod next_action;
pub mod policy;
pub mod quantity;
pub mod report;
pub mod run;
pub mod session;
pub mod signer;
pub mod spec;
pub mod spooled;
pub mod test_list;
pub mod text;
pub mod typed;
pub(crate) mod word;

#[cfg(test)]
pub(crate) mod fixture;
