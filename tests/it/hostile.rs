//! Ledgers that somebody made wrong on purpose: each with one fault, each found by its code; and what a hostile ledger,
//! clone, configuration or text may not do to its reader.
//!
//! A family of faults is a table in a file of its own; `corpus` runs them all. Everything but the one fault is consistent:
//! digests are made to hold again, bytes are canonical, entries are of good grammar.

mod bindings;
mod conformance;
mod corpus;
mod entries;
mod flips;
mod forge;
mod histories;
mod json;
mod limits;
mod pack;
mod places;
mod reports;
mod states;
mod surroundings;
mod terminal;
mod trees;

use forge::{Fault, Forge};
