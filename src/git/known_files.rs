//! The files of the working copy that git knows, or would add: names only, what they hold is read by who needs it.

use super::{Oid, Repository, snapshot::unrecordable};
use crate::diagnostics::{Code, Result};
use gix::bstr::BStr;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file that git knows or would add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Its path with `/`; bytes that are no text are replaced.
    pub path: String,
    /// Where it lies.
    pub place: PathBuf,
    /// The object that stands for it where a sparse checkout left it out.
    pub left_out: Option<Oid>,
}

impl Repository {
    /// The regular files that are tracked, or untracked and not ignored, by path. Symbolic links, submodules and nested
    /// repositories are none; neither is what is tracked and gone.
    pub fn known_files(&self) -> Result<Vec<KnownFile>> {
        use gix::dir::{entry, walk::EmissionMode};
        use gix::index::entry::{Flags, Mode};
        let top = self.require_workdir()?.to_owned();
        let index = self.gix.index_or_empty().map_err(|error| unrecordable(&error))?;
        let mut found = BTreeMap::new();
        let mut add = |path: &BStr, left_out: Option<Oid>| {
            let Ok(below) = gix::path::from_bstr(path) else { return };
            let place = top.join(below);
            let data = std::fs::symlink_metadata(&place);
            let left_out = left_out.filter(|_| data.is_err());
            if left_out.is_some() || data.is_ok_and(|data| data.is_file()) {
                found.insert(path.to_owned(), KnownFile { path: path.to_string(), place, left_out });
            }
        };
        for entry in index.entries().iter().filter(|entry| matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE)) {
            let sparse = entry.flags.contains(Flags::SKIP_WORKTREE);
            add(entry.path(&index), sparse.then_some(Oid(entry.id)));
        }
        let options = self.gix.dirwalk_options().map_err(|error| unrecordable(&error))?;
        let options = options.emit_untracked(EmissionMode::Matching).emit_ignored(None).emit_tracked(false);
        let shared = gix::worktree::IndexPersistedOrInMemory::Persisted(index.clone());
        let walk = self.gix.dirwalk_iter(shared, None::<&str>, Default::default(), options);
        for item in walk.map_err(|error| unrecordable(&error))? {
            let entry = item
                .map_err(|error| Code::Rapid1507.because(format!("the working copy cannot be read: {error}")))?
                .entry;
            if entry.status == entry::Status::Untracked && entry.disk_kind == Some(entry::Kind::File) {
                add(entry.rela_path.as_ref(), None);
            }
        }
        Ok(found.into_values().collect())
    }
}
