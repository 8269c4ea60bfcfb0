//! One file of the working copy as git would store it: its bytes through the filters that the attributes name, its mode as
//! `core.fileMode` and the index allow.

use super::unrecordable;
use crate::diagnostics::{Code, Result};
use crate::git::{Kind, Mode, Oid, Repository, Writer};
use gix::bstr::BStr;
use std::io::Read;
use std::path::PathBuf;

pub(super) struct WorkingFiles<'a> {
    repository: &'a Repository,
    index: gix::worktree::Index,
    pipeline: gix::filter::Pipeline<'a>,
    writer: Option<&'a Writer<'a>>,
    top: PathBuf,
    honours_mode: bool,
    has_symlinks: bool,
}

impl<'a> WorkingFiles<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        index: &gix::worktree::Index,
        writer: Option<&'a Writer<'a>>,
    ) -> Result<WorkingFiles<'a>> {
        let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
        let attributes = repository.gix.attributes_only(index, source).map_err(|error| unrecordable(&error))?;
        let pipeline =
            gix::filter::Pipeline::new(&repository.gix, attributes.detach()).map_err(|error| unrecordable(&error))?;
        Ok(WorkingFiles {
            repository,
            index: index.clone(),
            pipeline,
            writer,
            top: repository.require_workdir()?.to_owned(),
            honours_mode: repository.config_flag("core.fileMode").unwrap_or(true),
            has_symlinks: repository.config_flag("core.symlinks").unwrap_or(true),
        })
    }

    /// The file at `path`, or `None` when nothing that git could store is there. `before` is the mode in the index.
    pub(super) fn read(&mut self, path: &BStr, before: Option<gix::index::entry::Mode>) -> Result<Option<(Mode, Oid)>> {
        let place = self.place(path);
        let failed = |error: std::io::Error| {
            Code::Rapid1507.because(format!("'{}' cannot be read: {error}", place.display())).at(super::shown(path))
        };
        let data = match std::fs::symlink_metadata(&place) {
            Ok(data) => data,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(failed(error)),
        };
        if data.is_symlink() {
            let target = std::fs::read_link(&place).map_err(failed)?;
            let target = gix::path::into_bstr(target).map_err(|error| unrecordable(&error))?;
            let id = self.store(&target)?;
            return Ok(Some((Mode::Symlink, id)));
        }
        if data.is_dir() {
            // A submodule that is not checked out is a plain directory and stays what it was.
            let id = self.nested_head(path);
            return Ok(id.map(|id| (Mode::Gitlink, id)));
        }
        if !data.is_file() {
            return Ok(None);
        }
        let file = std::fs::File::open(&place).map_err(failed)?;
        let relative = native(path);
        let mut bytes = Vec::new();
        {
            let outcome = self.pipeline.convert_to_git(file, &relative, &self.index).map_err(|error| {
                let mut fault = unrecordable(&error);
                fault.message = format!("a filter failed for '{}': {}", super::shown(path), fault.message);
                fault
            })?;
            use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
            let read = match outcome {
                ToGitOutcome::Unchanged(mut file) => file.read_to_end(&mut bytes),
                ToGitOutcome::Process(mut output) => output.read_to_end(&mut bytes),
                ToGitOutcome::Buffer(buffer) => {
                    bytes.extend_from_slice(buffer);
                    Ok(0)
                }
            };
            read.map_err(failed)?;
        }
        let mode = self.mode(&data, before);
        Ok(Some((mode, self.store(&bytes)?)))
    }

    /// How large the file at `path` is, in bytes; 0 when it is not there.
    pub(super) fn size(&self, path: &BStr) -> u64 {
        std::fs::symlink_metadata(self.place(path)).map_or(0, |data| data.len())
    }

    /// The commit that a nested repository at `path` has checked out.
    pub(super) fn nested_head(&self, path: &BStr) -> Option<Oid> {
        let place = self.place(path);
        if !place.join(".git").exists() {
            return None;
        }
        let nested = gix::open(place).ok()?;
        nested.head_id().ok().map(|id| Oid(id.detach()))
    }

    fn place(&self, path: &BStr) -> PathBuf {
        self.top.join(native(path))
    }

    fn store(&self, bytes: &[u8]) -> Result<Oid> {
        match self.writer {
            Some(writer) => writer.write(Kind::Blob, bytes),
            None => self.repository.hash(Kind::Blob, bytes),
        }
    }

    fn mode(&self, data: &std::fs::Metadata, before: Option<gix::index::entry::Mode>) -> Mode {
        use gix::index::entry::Mode as IndexMode;
        if !self.has_symlinks && before == Some(IndexMode::SYMLINK) {
            return Mode::Symlink;
        }
        if !self.honours_mode {
            return if before == Some(IndexMode::FILE_EXECUTABLE) { Mode::Executable } else { Mode::File };
        }
        match is_executable(data) {
            true => Mode::Executable,
            false => Mode::File,
        }
    }
}

#[cfg(unix)]
fn is_executable(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

/// The mode of an index entry, when it is one that a tree can hold.
pub(super) fn mode_of(mode: gix::index::entry::Mode) -> Option<Mode> {
    use gix::index::entry::Mode as IndexMode;
    match mode {
        IndexMode::FILE => Some(Mode::File),
        IndexMode::FILE_EXECUTABLE => Some(Mode::Executable),
        IndexMode::SYMLINK => Some(Mode::Symlink),
        IndexMode::COMMIT => Some(Mode::Gitlink),
        _ => None,
    }
}

/// The path in the form of this system. Where a path cannot have it (odd bytes on a system of UTF-16 names), the file is
/// not there either.
fn native(path: &BStr) -> PathBuf {
    gix::path::from_bstr(path).map(std::borrow::Cow::into_owned).unwrap_or_default()
}
