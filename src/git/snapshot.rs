//! The tree of the working copy: the bytes on disk through the committed attributes (design §4.4), with the id that git itself
//! would give it.
//!
//! The user's index, stash and locks are never touched; nothing is written unless asked for. The tree is built from the
//! index's entries with what differs on disk put in their place, so no tree of `HEAD` has to be read.

mod builder;
mod changes;
mod litter;
mod working_file;

pub use changes::TreeChange;
pub use litter::Litter;

use super::{Kind, Mode, Oid, Repository, Writer};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::evidence::{StandingFile, TreeNotes};
use crate::domain::text::RelativePath;
use builder::Builder;
use gix::bstr::{BStr, BString, ByteSlice};
use std::collections::BTreeMap;
use working_file::WorkingFiles;

/// Whether the objects of a snapshot are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing is written; only the id is computed.
    Nothing,
    /// Every object that is not here yet is written.
    Objects,
}

/// What a snapshot takes in.
#[derive(Clone, Debug)]
pub struct SnapshotOptions {
    /// Whether objects are kept.
    pub keep: Keep,
    /// What tools leave behind; left out without a word when it is untracked.
    pub litter: Litter,
    /// Untracked files larger than this, in bytes, are withheld.
    pub max_file_size: u64,
}

/// The working copy at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its tree.
    pub tree: Oid,
    /// What the tree does not say.
    pub notes: TreeNotes,
    /// The untracked files that the tree holds, by path.
    pub untracked: Vec<StandingFile>,
}

/// What is put in the place of an index entry.
type Replacement = Option<(Mode, Oid)>;

impl Repository {
    /// Takes a snapshot of the working copy (RAPID1306 in a bare repository, RAPID1507 when something in it cannot be read).
    pub fn snapshot(&self, options: &SnapshotOptions) -> Result<Snapshot> {
        self.require_workdir()?;
        let index = self.gix.index_or_empty().map_err(|error| unrecordable(&error))?;
        let writer = (options.keep == Keep::Objects).then(|| self.writer());
        let mut taking = Taking {
            repository: self,
            files: WorkingFiles::new(self, &index, writer.as_ref())?,
            options,
            replaced: BTreeMap::new(),
            untracked: Vec::new(),
            notes: TreeNotes::default(),
        };
        taking.collect(index.clone())?;
        taking.unhide(&index)?;
        let Taking { replaced, mut untracked, mut notes, .. } = taking;
        let tree = build(self, &index, replaced, writer.as_ref())?;
        if let Some(writer) = &writer {
            writer.flush()?;
        }
        untracked.sort();
        for list in [&mut notes.withheld, &mut notes.opaque, &mut notes.dirty_submodules, &mut notes.private_rules] {
            list.sort();
            list.dedup();
        }
        Ok(Snapshot { tree, notes, untracked })
    }
}

struct Taking<'a> {
    repository: &'a Repository,
    files: WorkingFiles<'a>,
    options: &'a SnapshotOptions,
    replaced: BTreeMap<BString, Replacement>,
    untracked: Vec<StandingFile>,
    notes: TreeNotes,
}

impl Taking<'_> {
    /// Goes through everything that differs from the index.
    fn collect(&mut self, index: gix::worktree::Index) -> Result<()> {
        use gix::status::index_worktree::Item;
        let submodules =
            gix::status::Submodule::Given { ignore: gix::submodule::config::Ignore::None, check_dirty: false };
        let status = self.repository.gix.status(gix::progress::Discard).map_err(|error| unrecordable(&error))?;
        let changes = status
            .index(gix::worktree::IndexPersistedOrInMemory::Persisted(index))
            .untracked_files(gix::status::UntrackedFiles::Files)
            .index_worktree_submodules(submodules)
            .index_worktree_rewrites(None)
            .into_index_worktree_iter(Vec::<BString>::new())
            .map_err(|error| unrecordable(&error))?;
        for item in changes {
            match item.map_err(|error| unrecordable(&error))? {
                Item::Modification { entry, rela_path, status, .. } => self.tracked(&entry, rela_path, status)?,
                Item::DirectoryContents { entry, .. } => {
                    if entry.status == gix::dir::entry::Status::Untracked {
                        self.new_file(entry.rela_path.trim_end_with(|c| c == '/').as_bstr(), entry.disk_kind)?;
                    }
                }
                Item::Rewrite { .. } => return Err(Code::Rapid003.because("renames were looked for in a snapshot")),
            }
        }
        Ok(())
    }

    fn tracked(
        &mut self,
        entry: &gix::index::Entry,
        path: BString,
        status: gix::status::plumbing::index_as_worktree::EntryStatus<(), gix::submodule::Status>,
    ) -> Result<()> {
        use gix::status::plumbing::index_as_worktree::{Change, EntryStatus};
        match status {
            EntryStatus::NeedsUpdate(_) => {}
            EntryStatus::Change(Change::Removed) => drop(self.replaced.insert(path, None)),
            EntryStatus::Change(Change::SubmoduleModification(submodule)) => {
                if submodule.changes.as_ref().is_some_and(|changes| !changes.is_empty()) {
                    self.notes.dirty_submodules.push(shown(path.as_bstr()));
                }
                if let Some(id) = submodule.checked_out_head_id {
                    self.replaced.insert(path, Some((Mode::Gitlink, Oid(id))));
                }
            }
            EntryStatus::Change(Change::Modification { .. } | Change::Type { .. })
            | EntryStatus::Conflict { .. }
            | EntryStatus::IntentToAdd => {
                let file = self.files.read(path.as_bstr(), Some(entry.mode))?;
                self.replaced.insert(path, file);
            }
        }
        Ok(())
    }

    /// An untracked file: litter is left out, secrets and giants are withheld, nested repositories are only named.
    fn new_file(&mut self, path: &BStr, kind: Option<gix::dir::entry::Kind>) -> Result<()> {
        if self.options.litter.matches(path) {
            return Ok(());
        }
        match kind {
            Some(gix::dir::entry::Kind::Untrackable) => return Ok(()),
            Some(gix::dir::entry::Kind::Directory | gix::dir::entry::Kind::Repository) => {
                self.notes.opaque.push(shown(path));
                if let Some(id) = self.files.nested_head(path) {
                    self.replaced.insert(path.to_owned(), Some((Mode::Gitlink, id)));
                }
                return Ok(());
            }
            _ => {}
        }
        if litter::looks_secret(path) || self.files.size(path) > self.options.max_file_size {
            self.notes.withheld.push(shown(path));
            return Ok(());
        }
        let Some((mode, id)) = self.files.read(path, None)? else { return Ok(()) };
        self.untracked.push(StandingFile { path: portable(path)?, mode: mode.as_str().to_owned(), id: id.to_git_id() });
        self.replaced.insert(path.to_owned(), Some((mode, id)));
        Ok(())
    }

    /// Files whose index entry asks git not to look: what is on disk counts all the same (pitfall of skip-worktree and
    /// assume-unchanged). A file that is not there was left out on purpose (sparse checkout) and stays as it was.
    fn unhide(&mut self, index: &gix::index::File) -> Result<()> {
        let flags = gix::index::entry::Flags::SKIP_WORKTREE | gix::index::entry::Flags::ASSUME_VALID;
        for entry in index.entries().iter().filter(|entry| entry.flags.intersects(flags)) {
            let path = entry.path(index);
            let skipped = entry.flags.contains(gix::index::entry::Flags::SKIP_WORKTREE);
            match self.files.read(path, Some(entry.mode))? {
                Some(file) => drop(self.replaced.insert(path.to_owned(), Some(file))),
                None if skipped => {}
                None => drop(self.replaced.insert(path.to_owned(), None)),
            }
        }
        Ok(())
    }
}

/// Merges the index's entries with their replacements, both in order, into a tree.
fn build(
    repository: &Repository,
    index: &gix::index::File,
    replaced: BTreeMap<BString, Replacement>,
    writer: Option<&Writer<'_>>,
) -> Result<Oid> {
    let mut builder = Builder::new(|data: &[u8]| match writer {
        Some(writer) => writer.write(Kind::Tree, data),
        None => repository.hash(Kind::Tree, data),
    });
    let mut replaced = replaced.into_iter().peekable();
    let mut last: Option<&BStr> = None;
    for entry in index.entries() {
        let path = entry.path(index);
        if last == Some(path) {
            continue; // further stages of a conflict
        }
        last = Some(path);
        while let Some((new_path, new)) = replaced.next_if(|(new_path, _)| new_path.as_bstr() < path) {
            add(&mut builder, new_path.as_bstr(), new)?;
        }
        match replaced.next_if(|(new_path, _)| new_path.as_bstr() == path) {
            Some((_, new)) => add(&mut builder, path, new)?,
            None => add(&mut builder, path, working_file::mode_of(entry.mode).map(|mode| (mode, Oid(entry.id))))?,
        }
    }
    for (path, new) in replaced {
        add(&mut builder, path.as_bstr(), new)?;
    }
    builder.finish()
}

fn add(builder: &mut Builder<impl FnMut(&[u8]) -> Result<Oid>>, path: &BStr, file: Replacement) -> Result<()> {
    match file {
        Some((mode, id)) => builder.add(path, mode, id),
        None => Ok(()),
    }
}

/// A path as people and records read it: what is not portable is percent-encoded.
pub(super) fn shown(path: &BStr) -> String {
    let mut out = String::new();
    for (start, end, c) in path.char_indices() {
        let odd = c == char::REPLACEMENT_CHARACTER || c.is_control() || matches!(c, '\\' | '%');
        let edge = c.is_whitespace() && (start == 0 || end == path.len());
        match odd || edge {
            true => {
                path.get(start..end).unwrap_or_default().iter().for_each(|byte| out.push_str(&format!("%{byte:02X}")))
            }
            false => out.push(c),
        }
    }
    out
}

/// A path as a record holds it.
pub(super) fn portable(path: &BStr) -> Result<RelativePath> {
    RelativePath::parse(&shown(path), Code::Rapid1507)
}

pub(super) fn unrecordable(error: &dyn std::error::Error) -> Diagnostic {
    let mut why = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        why = format!("{why}: {inner}");
        source = inner.source();
    }
    Code::Rapid1507.because(format!("the working copy cannot be read: {}", why.replace('\n', "; ")))
}
