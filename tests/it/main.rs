//! The integration tests, one binary: the house rules, and the program driven from outside.
//!
//! `ledger` drives the built binary in real repositories, with git itself as the oracle. Nothing there calls the tool's
//! rooms: what it says on its streams, in its exit status and in the repository is all that is looked at. `domain` is used
//! for two things only: to read JSON strictly and to forge digests that hold.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that meets what it does not expect fails"
)]

mod arch;
mod checks;
mod codes;
mod demo;
mod exports;
mod harness;
mod harnesses;
mod hooks;
mod hostile;
mod house;
mod labs;
mod ledger;
mod manual;
mod missions;
mod next_steps;
mod people;
mod plumbing;
mod projects;
mod rules;
mod signed;
mod snapshot;
mod stories;
mod sync;
mod trust;
