//! What a snapshot leaves out and why; what it holds although a flag in the index hides it from git's own commands.

use gix::index::Entry;
use gix::index::entry::Flags;

/// Why something untracked is named instead of being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Withheld {
    /// Its name is one of those that files with secrets have.
    Secret,
    /// It is larger than `snapshot.max_file_size`.
    Size,
    /// It is a directory that cannot be listed.
    Unreadable,
    /// No tree, or no record, may hold its name.
    Name,
}

impl Withheld {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Withheld::Secret => "looks secret",
            Withheld::Size => "larger than snapshot.max_file_size",
            Withheld::Unreadable => "cannot be read",
            Withheld::Name => "its name cannot be recorded",
        }
    }
}

/// A tracked file that the index tells git not to look at. The snapshot looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flagged {
    /// Where it lies.
    pub path: String,
    /// The flag, as `git update-index` calls it.
    pub flag: &'static str,
    /// It is not what the index says: an edit is hidden.
    pub edited: bool,
}

/// The name of an entry's flag.
pub(super) fn flag_of(entry: &Entry) -> &'static str {
    match entry.flags.contains(Flags::ASSUME_VALID) {
        true => "assume-unchanged",
        false => "skip-worktree",
    }
}
