//! Which untracked files the ignore rules hide, and which of those rules no other clone has.

use super::unrecordable;
use crate::diagnostics::Result;
use crate::git::Repository;
use gix::bstr::BStr;
use gix::index::entry::Mode;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The ignore rules, read as they are needed.
pub(super) struct Rules<'r> {
    gix: &'r gix::Repository,
    index: &'r gix::index::State,
    top: &'r Path,
    stack: Option<gix::AttributeStack<'r>>,
    /// The files of rules that hid something and that no other clone has.
    pub private: BTreeSet<PathBuf>,
}

impl<'r> Rules<'r> {
    pub(super) fn new(gix: &'r gix::Repository, index: &'r gix::index::State, top: &'r Path) -> Rules<'r> {
        Rules { gix, index, top, stack: None, private: BTreeSet::new() }
    }

    /// Whether an untracked path is ignored.
    pub(super) fn hide(&mut self, path: &BStr, is_directory: bool) -> Result<bool> {
        let stack = match &mut self.stack {
            Some(stack) => stack,
            None => {
                let source = gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
                let stack = self.gix.excludes(self.index, None, source).map_err(|error| unrecordable(&error))?;
                self.stack.insert(stack)
            }
        };
        let mode = if is_directory { Mode::DIR } else { Mode::FILE };
        let platform = stack.at_entry(path, Some(mode)).map_err(|error| unrecordable(&error))?;
        let Some(found) = platform.matching_exclude_pattern().filter(|found| !found.pattern.is_negative()) else {
            return Ok(false);
        };
        if let Some(source) = found.source.filter(|source| is_private(source, ".gitignore", self.top)) {
            self.private.insert(source.to_owned());
        }
        Ok(true)
    }
}

/// Whether a file of rules is this clone's own: not one of the files called `name` in the working copy.
pub(super) fn is_private(source: &Path, name: &str, top: &Path) -> bool {
    source.file_name() != Some(name.as_ref()) || (source.is_absolute() && !source.starts_with(top))
}

/// How a record names a file of rules: without saying where this clone lies.
pub(super) fn shown_source(repository: &Repository, source: &Path) -> String {
    let home = repository.environment.path("HOME");
    let places = [
        (Some(repository.common_dir().to_owned()), ".git"),
        (repository.workdir().map(Path::to_owned), "."),
        (home, "~"),
    ];
    for (place, name) in places {
        if let Some(rest) = place.and_then(|place| source.strip_prefix(place).ok()) {
            return Path::new(name).join(rest).to_string_lossy().into_owned();
        }
    }
    source.to_string_lossy().into_owned()
}
