//! One file of the working copy as git would store it: its bytes through the filters that the attributes name, its mode as
//! `core.fileMode` and the index allow.

use super::asked::Asked;
use super::content::{Content, Conversion, Watched};
use super::filters::{self, Filters};
use super::private_index::PrivateIndex;
use super::stat::{Modes, is_executable};
use super::{native, shown, unrecordable};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Kind, Mode, Oid, Repository, Writer};
use gix::bstr::{BStr, BString};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::index::entry::Mode as IndexMode;
use std::fs::{File, Metadata};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// Files up to this size are read whole.
const WHOLE: u64 = 8 << 20;

/// What came of reading a file.
pub(super) enum Reading {
    /// It is not there.
    Gone,
    /// It is this.
    Is(Mode, Oid),
    /// Git has to be asked, which costs less for many at once ([`WorkingFiles::ask`]).
    Later,
}

pub(super) struct WorkingFiles<'a> {
    repository: &'a Repository,
    index: &'a gix::index::State,
    pub(super) filters: Filters<'a>,
    pub(super) remembered: PrivateIndex,
    asked: Asked<'a>,
    /// How many files had to be read.
    pub(super) read: usize,
    writer: Option<&'a Writer<'a>>,
    pub(super) top: &'a Path,
    pub(super) modes: Modes,
    buffer: Vec<u8>,
}

impl<'a> WorkingFiles<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        index: &'a gix::index::State,
        writer: Option<&'a Writer<'a>>,
        modes: Modes,
        rest: i64,
    ) -> Result<WorkingFiles<'a>> {
        let top = repository.require_workdir()?;
        Ok(WorkingFiles {
            repository,
            index,
            filters: Filters::new(repository, index, top),
            remembered: PrivateIndex::open(repository, rest),
            asked: Asked::new(repository, index),
            read: 0,
            writer,
            top,
            modes,
            buffer: Vec::new(),
        })
    }

    /// The file or link at `path`. `before` is the mode in the index.
    pub(super) fn read(&mut self, path: &BStr, before: Option<IndexMode>) -> Result<Reading> {
        let place = self.place(path);
        let failed = |error| unread(path, &place, &error);
        let Some(data) = if_there(std::fs::symlink_metadata(&place)).map_err(failed)? else { return Ok(Reading::Gone) };
        if data.is_symlink() {
            let Some(target) = if_there(std::fs::read_link(&place)).map_err(failed)? else { return Ok(Reading::Gone) };
            let target = gix::path::into_bstr(target).map_err(|error| unrecordable(&error))?;
            return Ok(Reading::Is(Mode::Symlink, store(self.repository, self.writer, &target)?));
        }
        if !data.is_file() {
            return Ok(Reading::Gone);
        }
        let mode = self.mode(&data, before);
        let conversion = self.filters.conversion(path)?;
        if let Some((id, flushed)) = self.remembered.recall(path, &data, conversion)
            && self.writer.is_none_or(|writer| writer.has(id, flushed))
        {
            self.remembered.confirm(path);
            return Ok(Reading::Is(mode, id));
        }
        if conversion == Conversion::Encoding && !self.asked.begun {
            return Ok(Reading::Later);
        }
        let Some(file) = if_there(File::open(&place)).map_err(failed)? else { return Ok(Reading::Gone) };
        self.read += 1;
        Ok(Reading::Is(mode, self.id(path, file, &data, conversion)?))
    }

    /// Asks git about the files that were put off.
    pub(super) fn ask(&mut self, paths: &[BString]) {
        self.asked.ask(paths);
    }

    /// The id of a file that has to be read; `data` is what the system said of it before.
    fn id(&mut self, path: &BStr, mut file: File, data: &Metadata, conversion: Conversion) -> Result<Oid> {
        let place = self.place(path);
        let failed = |error| unread(path, &place, &error);
        let (repository, writer) = (self.repository, self.writer);
        if conversion == Conversion::Encoding {
            self.filters.note_filter(path);
            return store(repository, writer, &self.asked.stored(path, data.len())?);
        }
        let buffer = &mut self.buffer;
        if conversion != Conversion::Other
            && let Some((id, content)) =
                as_it_is(repository, writer, buffer, &mut file, data, conversion).map_err(failed)??
        {
            self.remembered.learn(path, data, content, id);
            return Ok(id);
        }
        file.rewind().map_err(failed)?;
        match self.filters.clean(path, file)? {
            ToGitOutcome::Unchanged(mut file) => {
                let stored =
                    as_it_is(repository, writer, buffer, &mut file, data, Conversion::None).map_err(failed)??;
                stored.map(|(id, _)| id).ok_or_else(|| unread(path, &place, &std::io::Error::other("it changed")))
            }
            ToGitOutcome::Process(mut output) => {
                buffer.clear();
                let read = output.read_to_end(buffer);
                drop(output);
                read.map_err(|error| filters::failure(repository, self.index, path, &error))?;
                store(repository, writer, buffer)
            }
            ToGitOutcome::Buffer(bytes) => store(repository, writer, bytes),
        }
    }

    /// How large the file at `path` is, in bytes; 0 when it is not there.
    pub(super) fn size(&self, path: &BStr) -> u64 {
        std::fs::symlink_metadata(self.place(path)).map_or(0, |data| data.len())
    }

    pub(super) fn place(&self, path: &BStr) -> PathBuf {
        self.top.join(native(path))
    }

    fn mode(&self, data: &Metadata, before: Option<IndexMode>) -> Mode {
        if !self.modes.symlinks && before == Some(IndexMode::SYMLINK) {
            return Mode::Symlink;
        }
        let executable =
            if self.modes.executable { is_executable(data) } else { before == Some(IndexMode::FILE_EXECUTABLE) };
        if executable { Mode::Executable } else { Mode::File }
    }
}

fn unread(path: &BStr, place: &Path, error: &std::io::Error) -> Diagnostic {
    Code::Rapid1507.because(format!("'{}' cannot be read: {error}", place.display())).at(shown(path))
}

/// Nothing, where there is nothing (any more).
fn if_there<T>(found: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match found {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        found => found.map(Some),
    }
}

fn store(repository: &Repository, writer: Option<&Writer<'_>>, bytes: &[u8]) -> Result<Oid> {
    match writer {
        Some(writer) => writer.write(Kind::Blob, bytes),
        None => repository.hash(Kind::Blob, bytes),
    }
}

/// The id and the kind of a file's bytes as they are, stored where objects are kept; `None`, and nothing stored, when the
/// conversion may change them. A large file is read piece by piece and must not change its size meanwhile.
fn as_it_is(
    repository: &Repository,
    writer: Option<&Writer<'_>>,
    buffer: &mut Vec<u8>,
    file: &mut File,
    data: &Metadata,
    conversion: Conversion,
) -> std::io::Result<Result<Option<(Oid, Content)>>> {
    let mut watched = Watched::new(&mut *file);
    if data.len() <= WHOLE {
        buffer.clear();
        watched.read_to_end(buffer)?;
        let content = watched.content();
        let stored = content.stays(conversion).then(|| store(repository, writer, buffer)).transpose();
        return Ok(stored.map(|id| id.map(|id| (id, content))));
    }
    let id = repository.hash_from(Kind::Blob, data.len(), &mut watched)?;
    let content = watched.content();
    if !content.stays(conversion) {
        return Ok(Ok(None));
    }
    let Some(writer) = writer else { return Ok(Ok(Some((id, content)))) };
    file.rewind()?;
    Ok(writer.write_from(Kind::Blob, id, data.len(), file).map(|id| Some((id, content))))
}
