//! The integration tests, one binary: the house rules, and the program driven from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "a test that meets what it does not expect fails"
)]

mod house;
mod snapshot;
