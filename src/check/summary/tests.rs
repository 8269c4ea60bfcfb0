//! The corpus of real outputs, and what must hold for every output.
//!
//! Not here: tests of single patterns; each file of patterns compiles its own.

pub(in crate::check) mod corpus;
mod properties;
mod quoted;
mod shown;
mod totals;
