//! The tree of the working copy: the bytes on disk through the committed attributes (design §4.4), with the id that git itself
//! would give it.
//!
//! In reading order: [`index`] is opened, [`crew`] and [`scan`] walk the working copy beside it, [`working_file`] reads what
//! may have changed and is not in the [`private_index`] (what only git can convert: [`asked`]), [`tree_of`] puts index and changes together. The user's index, stash
//! and locks are never touched; nothing is written unless asked for.

mod absent;
mod asked;
mod changes;
mod content;
mod crew;
mod filters;
mod index;
mod listing;
mod litter;
mod nested;
mod private_index;
mod rules;
mod scan;
mod secret_names;
mod settings;
mod stat;
mod tree_of;
mod unlike;
mod withheld;
mod working_file;

pub use changes::TreeChange;
pub use litter::Litter;
pub use unlike::Unlike;
pub use withheld::{Flagged, Withheld};

use super::{Mode, Oid, Repository, Writer};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::evidence::{StandingFile, TreeNotes};
use crate::domain::text::RelativePath;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Stage};
use scan::{Found, Ground, path_at};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tree_of::{Assembly, Replacement};
use working_file::{Reading, WorkingFiles};

/// Whether the objects of a snapshot are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing is written; only the id is computed.
    Nothing,
    /// Only what the next snapshot need not read again.
    Memory,
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
    /// What was read is remembered only of files that were left alone for this many seconds before: [`REST`].
    pub rest: i64,
    /// Files are compared with what a checkout of the tree would write.
    pub compared: bool,
}

/// A file that was changed less than this many seconds before it was read may be changed again without a trace: no file system
/// counts time in larger steps.
pub const REST: i64 = 2;

/// The working copy at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its tree.
    pub tree: Oid,
    /// What the tree does not say.
    pub notes: TreeNotes,
    /// The untracked files that the tree holds, by path.
    pub untracked: Vec<StandingFile>,
    /// What is left out, and why.
    pub withheld: BTreeMap<String, Withheld>,
    /// The files that the index tells git not to look at.
    pub flagged: Vec<Flagged>,
    /// How many files of the tree are not on the disk because git was told to leave them out; a directory of a sparse index
    /// counts as one. The notes name the first.
    pub absent: usize,
    /// The files that are not as a checkout of the tree would write them, where that was asked for.
    pub unlike: Vec<Unlike>,
    /// The settings of this clone that hide edits from git's own commands, as `key=value`.
    pub settings: Vec<String>,
    /// How many files had to be read.
    pub files_read: usize,
}

const ATTRIBUTES: &str = ".gitattributes";

impl Repository {
    /// Takes a snapshot of the working copy (RAPID1306 in a bare repository, RAPID1507 when something in it cannot be read).
    pub fn snapshot(&self, options: &SnapshotOptions) -> Result<Snapshot> {
        let top = self.require_workdir()?;
        let index = index::open(self)?;
        let modes = stat::Modes {
            executable: self.config_flag("core.fileMode").unwrap_or(true),
            symlinks: self.config_flag("core.symlinks").unwrap_or(true),
        };
        let ground = Ground {
            index: &index,
            top,
            litter: &options.litter,
            modes,
            ignore_case: self.config_flag("core.ignoreCase").unwrap_or(false),
            precompose: cfg!(target_os = "macos") && self.config_flag("core.precomposeUnicode").unwrap_or(false),
        };
        let found = crew::walk(self, &ground)?;
        let writer = (options.keep == Keep::Objects).then(|| self.writer());
        let mut taking = Taking {
            repository: self,
            index: &index,
            files: WorkingFiles::new(self, &index, writer.as_ref(), modes, options.rest)?,
            options,
            changes: Vec::new(),
            untracked: Vec::new(),
            withheld: BTreeMap::new(),
            flagged: Vec::new(),
            notes: TreeNotes::default(),
            later: Vec::new(),
            twins: Vec::new(),
            converts: false,
            checksum: index.checksum(),
        };
        found.into_iter().try_for_each(|found| taking.take(found))?;
        taking.take_the_rest()?;
        taking.finish(writer.as_ref())
    }
}

struct Taking<'a> {
    repository: &'a Repository,
    index: &'a gix::index::State,
    files: WorkingFiles<'a>,
    options: &'a SnapshotOptions,
    changes: Vec<(BString, Replacement)>,
    untracked: Vec<StandingFile>,
    withheld: BTreeMap<String, Withheld>,
    /// Positions in the index.
    flagged: Vec<usize>,
    notes: TreeNotes,
    /// What git has to be asked about, all at once.
    later: Vec<Found>,
    /// What is hidden because its name differs from a tracked one only in case.
    twins: Vec<BString>,
    /// There are attributes that the index does not know.
    converts: bool,
    /// Of the index as it lies on the disk.
    checksum: Option<gix::ObjectId>,
}

impl Taking<'_> {
    fn take(&mut self, found: Found) -> Result<()> {
        match found {
            Found::Gone(at) => self.changes.push((path_at(self.index, at).to_owned(), None)),
            Found::Suspect(at) => self.suspect(at)?,
            Found::Submodule(at) => self.submodule(at),
            Found::New(path) => self.new_file(path)?,
            Found::Nested(path) => {
                self.notes.opaque.push(shown(path.as_bstr()));
                // Nobody who is not at a check has to know, and it is as much work as a snapshot of it.
                if self.options.compared
                    && nested::has_changes(self.repository, &self.files.place(path.as_bstr()), self.options)
                {
                    self.notes.dirty_submodules.push(shown(path.as_bstr()));
                }
                if let Some(id) = nested::head(self.repository, &self.files.place(path.as_bstr())) {
                    self.changes.push((path, Some((Mode::Gitlink, id))));
                }
            }
            Found::Closed(path, why) => self.withhold(path.as_bstr(), why),
            Found::Flagged(at) => self.flagged.push(at),
            Found::OtherMode => self.notes.private_rules.push("core.fileMode of git's configuration".to_owned()),
            Found::PrivateRules(source) => {
                self.converts |= source.file_name().is_some_and(|name| name == ATTRIBUTES);
                self.private(&source);
            }
            Found::Twin(path) => self.twins.push(path),
        }
        Ok(())
    }

    fn take_the_rest(&mut self) -> Result<()> {
        let later = std::mem::take(&mut self.later);
        if later.is_empty() {
            return Ok(());
        }
        let paths = later.iter().filter_map(|found| match found {
            Found::Suspect(at) => Some(path_at(self.index, *at).to_owned()),
            Found::New(path) => Some(path.clone()),
            _ => None,
        });
        let paths: Vec<BString> = paths.collect();
        self.files.ask(&paths);
        later.into_iter().try_for_each(|found| self.take(found))
    }

    /// A tracked file that metadata alone could not clear.
    fn suspect(&mut self, at: usize) -> Result<()> {
        let Some(entry) = self.index.entries().get(at) else { return Ok(()) };
        let path = entry.path(self.index);
        let file = match self.files.read(path, Some(entry.mode))? {
            Reading::Later => {
                self.later.push(Found::Suspect(at));
                return Ok(());
            }
            Reading::Gone => None,
            Reading::Is(mode, id) => Some((mode, id)),
        };
        let plain = entry.stage() == Stage::Unconflicted && !entry.flags.contains(Flags::INTENT_TO_ADD);
        let same = file.is_some_and(|(mode, id)| index::mode_of(entry.mode) == Some(mode) && id.0 == entry.id);
        if !(plain && same) {
            self.changes.push((path.to_owned(), file));
        }
        Ok(())
    }

    fn submodule(&mut self, at: usize) {
        let Some(entry) = self.index.entries().get(at) else { return };
        let path = entry.path(self.index);
        let place = self.files.place(path);
        if !nested::is_repository(&place) {
            // Not checked out: it stays what it was. What lies there nevertheless is in no tree.
            if std::fs::read_dir(&place).is_ok_and(|mut names| names.next().is_some()) {
                self.notes.dirty_submodules.push(shown(path));
            }
            return;
        }
        match nested::head(self.repository, &place) {
            Some(id) if entry.stage() == Stage::Unconflicted && id.0 == entry.id => {}
            Some(id) => self.changes.push((path.to_owned(), Some((Mode::Gitlink, id)))),
            None => self.notes.opaque.push(shown(path)),
        }
        if nested::has_changes(self.repository, &place, self.options) {
            self.notes.dirty_submodules.push(shown(path));
        }
    }

    /// An untracked file: secrets and giants are withheld.
    fn new_file(&mut self, path: BString) -> Result<()> {
        if secret_names::looks_secret(path.as_bstr()) {
            self.withhold(path.as_bstr(), Withheld::Secret);
            return Ok(());
        }
        if self.files.size(path.as_bstr()) > self.options.max_file_size {
            self.withhold(path.as_bstr(), Withheld::Size);
            return Ok(());
        }
        let Ok(portable) = RelativePath::parse(&shown(path.as_bstr()), Code::Rapid1507) else {
            self.withhold(path.as_bstr(), Withheld::Name); // longer than a record may hold
            return Ok(());
        };
        let (mode, id) = match self.files.read(path.as_bstr(), None)? {
            Reading::Later => {
                self.later.push(Found::New(path));
                return Ok(());
            }
            Reading::Gone => return Ok(()),
            Reading::Is(mode, id) => (mode, id),
        };
        self.converts |= path.rsplit_str(b"/").next() == Some(ATTRIBUTES.as_bytes());
        self.untracked.push(StandingFile { path: portable, mode: mode.as_str().to_owned(), id: id.to_git_id() });
        self.changes.push((path, Some((mode, id))));
        Ok(())
    }

    fn withhold(&mut self, path: &BStr, why: Withheld) {
        self.withheld.insert(shown(path), why);
    }

    /// The flagged files by path; the changes are complete and in order.
    fn flagged(&self) -> Vec<Flagged> {
        let named = self.flagged.iter().filter_map(|at| {
            let entry = self.index.entries().get(*at)?;
            let path = entry.path(self.index);
            let edited = self.changes.binary_search_by(|(changed, _)| changed.as_bstr().cmp(path)).is_ok();
            Some(Flagged { path: shown(path), flag: withheld::flag_of(entry), edited })
        });
        let mut named: Vec<Flagged> = named.collect();
        named.sort();
        named.dedup();
        named
    }

    fn private(&mut self, source: &std::path::Path) {
        self.notes.private_rules.push(rules::shown_source(self.repository, source));
    }

    fn finish(mut self, writer: Option<&Writer<'_>>) -> Result<Snapshot> {
        // What lies in the place of a file that is gone comes before the file.
        self.changes.sort_by(|(a, old), (b, new)| a.cmp(b).then(new.is_some().cmp(&old.is_some())));
        self.changes.dedup_by(|(a, _), (b, _)| a == b);
        let tree =
            Assembly { repository: self.repository, index: self.index, changes: &self.changes, writer }.tree()?;
        if let Some(writer) = writer {
            writer.flush()?;
        }
        let (flagged, (absent, first_absent)) = (self.flagged(), self.absent());
        let unlike = if self.options.compared { self.unlike()? } else { Vec::new() };
        for source in std::mem::take(&mut self.files.filters.private) {
            self.private(&source);
        }
        let Taking { repository, files, options, mut untracked, withheld, mut notes, .. } = self;
        if options.keep != Keep::Nothing {
            files.remembered.save(writer.is_some());
        }
        untracked.sort();
        notes.withheld = withheld.keys().cloned().collect();
        notes.absent = first_absent;
        notes.unlike = unlike.iter().take(unlike::NAMED).map(|file| file.path.clone()).collect();
        notes.flagged = flagged.iter().filter(|file| file.edited).map(|file| file.path.clone()).collect();
        for list in [&mut notes.opaque, &mut notes.dirty_submodules, &mut notes.private_rules] {
            list.sort();
            list.dedup();
        }
        let settings = settings::hiding(repository);
        Ok(Snapshot { tree, notes, untracked, withheld, flagged, absent, unlike, settings, files_read: files.read })
    }
}

/// A path in the form of this system. Where a path cannot have it (odd bytes on a system of UTF-16 names), the file is not
/// there either.
fn native(path: &BStr) -> PathBuf {
    gix::path::from_bstr(path).map(std::borrow::Cow::into_owned).unwrap_or_default()
}

/// A path as people and records read it: what is not portable is percent-encoded, name by name.
pub(super) fn shown(path: &BStr) -> String {
    let names: Vec<String> = path.split_str(b"/").map(|name| shown_name(name.as_bstr())).collect();
    names.join("/")
}

/// The path below the top of the working copy that is shown so.
pub fn place_of(shown: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = behind.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    bytes.extend_from_slice(rest.as_bytes());
    native(BStr::new(&bytes))
}

fn shown_name(name: &BStr) -> String {
    let mut out = String::new();
    for (start, end, c) in name.char_indices() {
        let odd = c == char::REPLACEMENT_CHARACTER || c.is_control() || matches!(c, '\\' | '%');
        let edge = c.is_whitespace() && (start == 0 || end == name.len());
        let drive = c == ':' && start == 1;
        match odd || edge || drive {
            true => {
                name.get(start..end).unwrap_or_default().iter().for_each(|byte| out.push_str(&format!("%{byte:02X}")))
            }
            false => out.push(c),
        }
    }
    out
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
