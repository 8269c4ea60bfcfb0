//! Checks: run a command, keep what it printed, take the secrets out, read the test summary.
//!
//! Not here: which command, on which code, bound to what (`verbs::check`), and what a check is worth (`evaluator`).

pub mod capture;
pub mod junit;
mod reading;
pub mod redact;
mod report;
mod run;
pub mod summary;

pub use reading::{READ, readable};
pub use run::{Ran, Running, read_captured, run};
