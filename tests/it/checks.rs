//! Checks from the shell through the built binary: what counts as tests that ran, and what is kept of what they print.

mod adversarial;
mod clean;
mod converted;
mod definition;
mod doubts;
mod interrupted;
mod junit;
mod lookalikes;
mod not_here;
#[path = "../../src/check/redact/tests/recipes.rs"]
mod recipes;
mod running;
mod said;
mod secrets;
mod store;
mod summary;
