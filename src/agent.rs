//! Agents: the programs of providers, how they are called, what becomes of them.
//!
//! Not here: what an agent is asked and whether it did it (`story`).

pub mod provider;
pub mod turn;
