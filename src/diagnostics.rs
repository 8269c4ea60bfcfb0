//! What can go wrong, and what to say about it: the one list of codes and the value that carries one to a person.
//!
//! Not here: printing (`cli::speak`) and deciding (the room that refuses). Every fallible function of every room returns
//! [`Result`], so an error has a code, a sentence and a next step from the moment it exists.

mod code;
pub mod explain;

pub use code::{Class, Code};

/// The result of everything that can be refused.
pub type Result<T> = std::result::Result<T, Diagnostic>;

/// One finding or refusal: a code to branch on, a sentence to read, steps to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code; one code has one meaning.
    pub code: Code,
    /// What happened: lower case, one sentence, no full stop.
    pub message: String,
    /// What to do next, most useful first.
    pub hints: Vec<String>,
    /// The record, file or ref it speaks of.
    pub path: Option<String>,
}

impl Diagnostic {
    /// Adds a next step.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Names the record, file or ref it speaks of, unless an inner room has already named one.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path.get_or_insert(path.into());
        self
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.path {
            Some(path) => write!(f, " ({path})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}
