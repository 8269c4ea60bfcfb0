//! Tests of the stories: the table, the graph, the engine with agents of every kind, the plan, the prompts, the laws.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets what it does not expect fails"
)]

mod circles;
mod corpus;
mod engine;
mod graph;
mod laws;
mod limits;
mod plan;
mod prompt;
mod validate;
mod workflow;
mod world;
