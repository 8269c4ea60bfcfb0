//! Fuzzing of everything that reads bytes of strangers in a check: summaries, reports, and the search for secrets.
//!
//! Each target has properties, not expected answers. An ordinary `cargo test` replays the seeds and a fixed number of inputs
//! made from them, the same each time; `RAPID_FUZZ_SECONDS=300 cargo test --release --test fuzz -- --nocapture` goes on for
//! that many seconds per target with inputs of its own. Not here: inputs with an expected answer, which stand with the code.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that meets what it does not expect fails"
)]

mod budget;
mod corpus;
mod mutator;
mod redactor;
mod reports;
mod scale;
mod summaries;

#[path = "../../src/check/redact/tests/recipes.rs"]
mod recipes;
