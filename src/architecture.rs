//! The architecture rules of a repository: which layer may import which, and what of the files breaks that.
//!
//! Pure: rules and texts in, findings out. What is imported is read from each file's own syntax (Rust, Python, TypeScript and
//! JavaScript, Go), never guessed from a word in a line. Which files there are is the caller's business (`verbs::arch`).

mod rules;

mod project;

mod cursor;
mod escape;
mod path;

mod go;
mod language;
mod python;
mod rust;
mod script;

mod judge;
mod reference;

pub use judge::{Finding, Judgement, LayerFiles, Unread, judge};
pub use language::{Language, is_manifest};
pub use project::Project;
pub use rules::{Layer, Rule, Rules};

#[cfg(test)]
mod tests;
