//! One walk over the working copy, on several threads: what differs from the index, and what the index does not know.
//!
//! Each directory is listed once. A tracked name costs one look at its metadata, an untracked one a question to the ignore
//! rules; nothing is read. What may have changed is reported as such, for somebody else to read.

use super::listing::{Child, children};
use super::rules::Rules;
use super::stat::{self, Modes};
use super::withheld::Withheld;
use super::{ATTRIBUTES, Litter, native, nested};
use crate::diagnostics::{Code, Diagnostic, Result};
use gix::bstr::{BStr, BString};
use gix::index::entry::{Flags, Mode, Stage};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Something that the walk came upon. Numbers are positions in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// A tracked path with nothing there.
    Gone(usize),
    /// A tracked file that may have changed.
    Suspect(usize),
    /// A tracked submodule with a directory in its place.
    Submodule(usize),
    /// An untracked file or link.
    New(BString),
    /// An untracked repository.
    Nested(BString),
    /// Something untracked that cannot be taken in.
    Closed(BString, Withheld),
    /// A tracked file with a flag that tells git not to look at it.
    Flagged(usize),
    /// A tracked file with another executable bit than the index says, where such bits mean nothing.
    OtherMode,
    /// A file of ignore rules of this clone's own that hid something, or one of attributes that is hidden itself.
    PrivateRules(PathBuf),
    /// An untracked name that git takes for a tracked one in another spelling, and that is another file.
    Twin(BString),
}

/// What stays the same during a walk.
pub(super) struct Ground<'a> {
    pub index: &'a gix::index::State,
    pub top: &'a Path,
    pub litter: &'a Litter,
    pub modes: Modes,
    pub ignore_case: bool,
    pub precompose: bool,
}

/// A directory to look at.
pub(super) struct Directory {
    /// Its path with a `/` at its end; empty for the top.
    path: BString,
    /// The index's paths below it.
    range: Range<usize>,
}

impl Directory {
    pub(super) fn top(index: &gix::index::State) -> Directory {
        Directory { path: BString::default(), range: 0..index.entries().len() }
    }
}

/// One thread's walk.
pub(super) struct Walker<'a> {
    ground: &'a Ground<'a>,
    rules: Rules<'a>,
    written: i64,
    other_mode: bool,
    found: Vec<Found>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(ground: &'a Ground<'a>, gix: &'a gix::Repository) -> Walker<'a> {
        let written = ground.index.timestamp().unix_seconds();
        let rules = Rules::new(gix, ground.index, ground.top);
        Walker { ground, rules, written, other_mode: false, found: Vec::new() }
    }

    pub(super) fn found(mut self) -> Vec<Found> {
        self.found.extend(self.other_mode.then_some(Found::OtherMode));
        self.found.extend(std::mem::take(&mut self.rules.private).into_iter().map(Found::PrivateRules));
        self.found
    }

    /// Looks at one directory; its subdirectories are given to `queue`.
    pub(super) fn visit(&mut self, directory: &Directory, queue: &mut Vec<Directory>) -> Result<()> {
        let place = self.ground.top.join(native(directory.path.as_ref()));
        let index = self.ground.index;
        let known = children(|at| path_at(index, at), directory.range.clone(), directory.path.len());
        let mut seen = vec![false; known.len()];
        let untracked = known.is_empty() && !directory.path.is_empty();
        let listing = match std::fs::read_dir(&place) {
            Ok(listing) => listing,
            Err(error) => return self.unlisted(directory, &place, &error),
        };
        let first = self.found.len();
        let first_queued = queue.len();
        for item in listing {
            let item = item.map_err(|error| unreadable(&place, &error))?;
            let Some(name) = self.name(&item) else { continue };
            if name == ".git" {
                if untracked && nested::is_repository(&place) {
                    self.found.truncate(first);
                    queue.truncate(first_queued);
                    let path = directory.path.strip_suffix(b"/").unwrap_or_default();
                    self.found.push(Found::Nested(path.into()));
                    return Ok(());
                }
                continue;
            }
            match known.binary_search_by(|child| child.name.cmp(name.as_slice())) {
                Ok(at) => {
                    seen.get_mut(at).into_iter().for_each(|seen| *seen = true);
                    if let Some(child) = known.get(at) {
                        self.tracked(directory, child, &item, queue)?;
                    }
                }
                Err(_) if self.ground.ignore_case && self.is_spelling(directory, &known, &name, &item) => {}
                Err(_) => self.untracked(directory, &name, &item, queue)?,
            }
        }
        for child in known.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|(child, _)| child) {
            self.unseen(directory, child, queue)?;
        }
        Ok(())
    }

    /// A name that the index knows.
    fn tracked(
        &mut self,
        directory: &Directory,
        child: &Child<'_>,
        item: &std::fs::DirEntry,
        queue: &mut Vec<Directory>,
    ) -> Result<()> {
        match item.metadata() {
            Ok(data) => self.compare(directory, child, &data, queue),
            Err(error) if is_absence(&error) => {
                self.gone(child);
                Ok(())
            }
            Err(error) => Err(unreadable(&item.path(), &error)),
        }
    }

    /// A name of the index that the listing did not show. Where case does not count, it may go by another spelling.
    fn unseen(&mut self, directory: &Directory, child: &Child<'_>, queue: &mut Vec<Directory>) -> Result<()> {
        if self.ground.ignore_case {
            let place = self.ground.top.join(native(below(directory, child.name).as_ref()));
            if let Ok(data) = std::fs::symlink_metadata(place) {
                return self.compare(directory, child, &data, queue);
            }
        }
        self.gone(child);
        Ok(())
    }

    fn compare(
        &mut self,
        directory: &Directory,
        child: &Child<'_>,
        now: &std::fs::Metadata,
        queue: &mut Vec<Directory>,
    ) -> Result<()> {
        if !now.is_dir() {
            self.all_gone(child.below.clone());
            let here = self.here(child);
            here.into_iter().for_each(|(at, entry)| self.hidden(at, entry, now));
            return match here {
                Some((_, entry)) if stat::is_known(entry, now, self.written, self.ground.modes) => Ok(()),
                Some((at, _)) => {
                    self.found.push(Found::Suspect(at));
                    Ok(())
                }
                None => self.take(below(directory, child.name), now.file_type(), queue),
            };
        }
        match self.here(child) {
            Some((at, entry)) if entry.mode == Mode::COMMIT => {
                self.found.push(Found::Submodule(at));
                return Ok(());
            }
            _ => self.all_gone(child.here.clone()),
        }
        let mut path = below(directory, child.name);
        if child.below.is_empty() && self.rules.hide(path.as_ref(), true)? {
            return Ok(());
        }
        path.push(b'/');
        queue.push(Directory { path, range: child.below.clone() });
        Ok(())
    }

    /// What would keep git from seeing an edit of a file that is there.
    fn hidden(&mut self, at: usize, entry: &gix::index::Entry, now: &std::fs::Metadata) {
        if entry.flags.intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE) {
            self.found.push(Found::Flagged(at));
        }
        if !self.ground.modes.executable && now.is_file() && stat::is_other_mode(entry.mode, now) {
            self.other_mode = true;
        }
    }

    /// The entry that speaks for a name: in a conflict our side's, where it is second, as git has it.
    fn here(&self, child: &Child<'_>) -> Option<(usize, &'a gix::index::Entry)> {
        let entries = self.ground.index.entries();
        let entry_at = |at: usize| child.here.contains(&at).then(|| entries.get(at)).flatten().map(|entry| (at, entry));
        let second = entry_at(child.here.start + 1).filter(|(_, entry)| entry.stage() == Stage::Ours);
        second.or_else(|| entry_at(child.here.start))
    }

    /// A name that the index does not know.
    fn untracked(
        &mut self,
        directory: &Directory,
        name: &[u8],
        item: &std::fs::DirEntry,
        queue: &mut Vec<Directory>,
    ) -> Result<()> {
        match item.file_type() {
            Ok(kind) => self.take(below(directory, name), kind, queue),
            Err(error) if is_absence(&error) => Ok(()),
            Err(error) => Err(unreadable(&item.path(), &error)),
        }
    }

    /// Whether git takes an unknown name for one of the index in another spelling; noted when they are two files.
    fn is_spelling(
        &mut self,
        directory: &Directory,
        known: &[Child<'_>],
        name: &[u8],
        item: &std::fs::DirEntry,
    ) -> bool {
        let Some(child) = known.iter().find(|child| child.name.eq_ignore_ascii_case(name)) else { return false };
        let place = self.ground.top.join(native(below(directory, child.name).as_ref()));
        if !stat::is_same_file(&place, &item.path()) {
            self.found.push(Found::Twin(below(directory, name)));
        }
        true
    }

    fn take(&mut self, mut path: BString, kind: std::fs::FileType, queue: &mut Vec<Directory>) -> Result<()> {
        if !(kind.is_dir() || kind.is_file() || kind.is_symlink()) {
            return Ok(());
        }
        if self.ground.litter.matches(path.as_ref(), kind.is_dir()) {
            return Ok(());
        }
        if self.rules.hide(path.as_ref(), kind.is_dir())? {
            if path.ends_with(ATTRIBUTES.as_bytes()) && kind.is_file() {
                self.found.push(Found::PrivateRules(self.ground.top.join(native(path.as_ref()))));
            }
            return Ok(());
        }
        if !may_be_recorded(path.as_ref()) {
            self.found.push(Found::Closed(path, Withheld::Name));
        } else if kind.is_dir() {
            path.push(b'/');
            queue.push(Directory { path, range: 0..0 });
        } else {
            self.found.push(Found::New(path));
        }
        Ok(())
    }

    fn gone(&mut self, child: &Child<'_>) {
        self.all_gone(child.here.clone());
        self.all_gone(child.below.clone());
    }

    /// Files that are not there. One that git was told to leave out (sparse checkout) stays what it was.
    fn all_gone(&mut self, range: Range<usize>) {
        let entries = self.ground.index.entries();
        let has = |at: usize, flag: Flags| entries.get(at).is_some_and(|entry| entry.flags.contains(flag));
        for at in range.filter(|at| !has(*at, Flags::SKIP_WORKTREE)) {
            self.found.push(Found::Gone(at));
            if has(at, Flags::ASSUME_VALID) {
                self.found.push(Found::Flagged(at));
            }
        }
    }

    fn unlisted(&mut self, directory: &Directory, place: &Path, error: &std::io::Error) -> Result<()> {
        if is_absence(error) {
            self.all_gone(directory.range.clone());
            return Ok(());
        }
        match directory.range.is_empty() && !directory.path.is_empty() {
            true => {
                let path = directory.path.strip_suffix(b"/").unwrap_or_default().into();
                self.found.push(Found::Closed(path, Withheld::Unreadable));
                Ok(())
            }
            false => Err(unreadable(place, error)),
        }
    }

    /// A listed name as the index would spell it.
    fn name(&self, item: &std::fs::DirEntry) -> Option<BString> {
        let name = gix::path::os_string_into_bstring(item.file_name()).ok()?;
        match self.ground.precompose {
            true => Some(gix::utils::str::precompose_bstr(std::borrow::Cow::Owned(name)).into_owned()),
            false => Some(name),
        }
    }
}

/// The path at a position of the index.
pub(super) fn path_at(index: &gix::index::State, at: usize) -> &BStr {
    index.entries().get(at).map(|entry| entry.path(index)).unwrap_or_default()
}

fn below(directory: &Directory, name: &[u8]) -> BString {
    let mut path = directory.path.clone();
    path.extend_from_slice(name);
    path
}

/// Whether git would let a tree hold the last name of a path.
fn may_be_recorded(path: &BStr) -> bool {
    use gix::bstr::ByteSlice;
    let name = path.rsplit_str(b"/").next().unwrap_or_default();
    let options =
        gix::validate::path::component::Options { protect_windows: false, protect_hfs: false, protect_ntfs: true };
    gix::validate::path::component(name.as_bstr(), None, options).is_ok()
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn unreadable(place: &Path, error: &std::io::Error) -> Diagnostic {
    Code::Rapid1507.because(format!("'{}' cannot be read: {error}", place.display()))
}
