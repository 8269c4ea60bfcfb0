//! Rust: `use`, `extern crate`, `mod` and the paths in code, and the module files that they lead to.

mod modules;
mod read;
mod resolve;
mod tokens;
mod uses;

pub(super) use modules::Modules;
pub(super) use read::{Unit, read};
