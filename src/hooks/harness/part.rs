//! What a harness gets: files that are ours, and pieces of files that are the person's.
//!
//! Not here: the disk (`install`), and how a piece gets into a file (`merge`).

use crate::domain::json::Value;

/// One file of the working copy, and what we want of it. Its path is relative to the top, with slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) path: String,
    pub(super) content: Content,
    /// What it is for, in a word or two.
    pub(super) purpose: &'static str,
}

/// What we want of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// All of it.
    Whole(String),
    /// Entries in a JSON document.
    Json(Vec<Entry>),
    /// A block of TOML between two marks.
    Toml(String),
}

/// An entry of a JSON document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// One more element of the list under these keys.
    Element { at: Vec<&'static str>, value: Value },
    /// A member of the object under these keys.
    Member { at: Vec<&'static str>, key: &'static str, value: Value },
    /// A member of the document that the format asks for; not ours, so it stays where there is more than it.
    Needed { key: &'static str, value: Value },
}

impl Part {
    pub(super) fn whole(path: String, purpose: &'static str, text: impl Into<String>) -> Part {
        Part { path, content: Content::Whole(text.into()), purpose }
    }

    pub(super) fn json(path: &str, purpose: &'static str, entries: Vec<Entry>) -> Part {
        Part { path: path.to_owned(), content: Content::Json(entries), purpose }
    }
}
