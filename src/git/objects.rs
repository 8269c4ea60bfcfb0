//! Objects as raw bytes: reading with a cap and, on request, with the hash checked; writing, and flushing what was written.

use super::{Mode, Oid, Repository, spool::loose_file, tree};
use crate::diagnostics::{Code, Diagnostic, Result};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The kinds of git objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file's bytes.
    Blob,
    /// A commit.
    Commit,
    /// An annotated tag.
    Tag,
    /// A directory.
    Tree,
}

impl Kind {
    /// Git's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Blob => "blob",
            Kind::Commit => "commit",
            Kind::Tag => "tag",
            Kind::Tree => "tree",
        }
    }

    pub(super) fn from_gix(kind: gix::objs::Kind) -> Kind {
        match kind {
            gix::objs::Kind::Blob => Kind::Blob,
            gix::objs::Kind::Commit => Kind::Commit,
            gix::objs::Kind::Tag => Kind::Tag,
            gix::objs::Kind::Tree => Kind::Tree,
        }
    }

    fn to_gix(self) -> gix::objs::Kind {
        match self {
            Kind::Blob => gix::objs::Kind::Blob,
            Kind::Commit => gix::objs::Kind::Commit,
            Kind::Tag => gix::objs::Kind::Tag,
            Kind::Tree => gix::objs::Kind::Tree,
        }
    }
}

/// An object's kind and bytes.
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Its bytes, without git's header.
    pub data: Vec<u8>,
}

impl Repository {
    /// An object, when it is here and not larger than `cap` bytes (its size is looked at before it is read: RAPID1525).
    pub fn try_read(&self, id: Oid, cap: u64) -> Result<Option<Object>> {
        // gix must not be asked for an id of the other hash: no object here has one.
        if !id.is_of(self.format()) {
            return Ok(None);
        }
        if let Some(small) = &self.small {
            match small.try_find_object(id.0) {
                Ok(Some(object)) => return within(id, object, cap).map(Some),
                Err(error) if !error.is_resource_exhausted() => return Err(unreadable(id, &error)),
                Ok(None) | Err(_) => {}
            }
        }
        let header = match self.gix.try_find_header(id.0) {
            Ok(Some(header)) => header,
            Ok(None) => return self.read_spooled(id, cap),
            Err(error) => return Err(unreadable(id, &error)),
        };
        if header.size() > cap {
            return Err(too_large(id, header.size(), cap));
        }
        let object = self.gix.find_object(id.0).map_err(|error| match error.is_resource_exhausted() {
            true => Code::Rapid1525.because(format!("object {} needs too much memory to be read", id.short())),
            false => unreadable(id, &error),
        })?;
        within(id, object, cap).map(Some)
    }

    /// An object that must be here (RAPID1505).
    pub fn read(&self, id: Oid, cap: u64) -> Result<Object> {
        self.try_read(id, cap)?.ok_or_else(|| missing(id))
    }

    /// An object of this kind that must be here, its bytes hashed again (RAPID1518): a damaged or forged object is found
    /// whatever git itself would say.
    pub fn read_verified(&self, id: Oid, kind: Kind, cap: u64) -> Result<Vec<u8>> {
        let object = self.read(id, cap)?;
        if object.kind != kind {
            let found = object.kind.as_str();
            return Err(Code::Rapid1518.because(format!(
                "object {} is a {found}, not a {}",
                id.short(),
                kind.as_str()
            )));
        }
        match self.hash(kind, &object.data)? == id {
            true => Ok(object.data),
            false => Err(Code::Rapid1518.because(format!(
                "the bytes of {} {} do not hash to its id",
                kind.as_str(),
                id.short()
            ))),
        }
    }

    /// A tree's bytes; the empty tree is always here.
    pub fn read_tree(&self, id: Oid) -> Result<Vec<u8>> {
        if id == Oid::empty_tree(self.format()) {
            return Ok(Vec::new());
        }
        let object = self.read(id, TREE_CAP)?;
        match object.kind {
            Kind::Tree => Ok(object.data),
            other => Err(Code::Rapid1505.because(format!("object {} is a {}, not a tree", id.short(), other.as_str()))),
        }
    }

    /// How many bytes an object has, when it is here.
    pub fn size_of(&self, id: Oid) -> Option<u64> {
        if !id.is_of(self.format()) {
            return None;
        }
        let here = self.gix.try_find_header(id.0).ok().flatten().map(|header| header.size());
        here.or_else(|| self.spooled_size(id))
    }

    /// Whether an object is here.
    pub fn has(&self, id: Oid) -> bool {
        let here = || id.is_of(self.format()) && (self.gix.has_object(id.0) || self.spooled_size(id).is_some());
        id == Oid::empty_tree(self.format()) || here()
    }

    /// The id that these bytes have as an object of this kind. An attempted SHA-1 collision is an error.
    pub fn hash(&self, kind: Kind, data: &[u8]) -> Result<Oid> {
        gix::objs::compute_hash(self.gix.object_hash(), kind.to_gix(), data)
            .map(Oid)
            .map_err(|error| Code::Rapid1518.because(format!("the object cannot be hashed: {error}")))
    }

    /// The id of an object of `size` bytes that are read piece by piece. Fewer or more of them are an error.
    pub fn hash_from(&self, kind: Kind, size: u64, bytes: &mut dyn std::io::Read) -> std::io::Result<Oid> {
        let mut hasher = gix::hash::hasher(self.gix.object_hash());
        hasher.update(&gix::objs::encode::loose_header(kind.to_gix(), size));
        let (mut buffer, mut read) = (vec![0; 1 << 16], 0);
        loop {
            let count = bytes.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            read += count as u64;
            hasher.update(buffer.get(..count).unwrap_or_default());
        }
        match read == size {
            true => hasher.try_finalize().map(Oid).map_err(std::io::Error::other),
            false => Err(std::io::Error::other("its size changed while it was read")),
        }
    }

    /// A writer of objects: into git's object store, or beside it where that is closed to us.
    pub fn writer(&self) -> Writer<'_> {
        Writer { repository: self, spool: OnceCell::new(), written: RefCell::default() }
    }
}

/// What was found, when it is not larger than `cap` bytes.
fn within(id: Oid, object: gix::Object<'_>, cap: u64) -> Result<Object> {
    let size = object.data.len();
    if size as u64 > cap {
        return Err(too_large(id, size as u64, cap));
    }
    let kind = Kind::from_gix(object.kind);
    // What a pack's object was decoded in has room for its base and deltas too: the next one is decoded in it.
    let data = match size <= COPIED {
        true => object.data.clone(),
        false => object.detach().data,
    };
    Ok(Object { kind, data })
}

/// The largest object that is copied out of what it was decoded in, in bytes.
const COPIED: usize = 1 << 20;

/// The largest tree that is read, in bytes.
pub(super) const TREE_CAP: u64 = 64 << 20;

/// The largest object that is brought from the spool, in bytes.
const SPOOLED_CAP: u64 = 1 << 30;

/// Writes objects and remembers which, so that they can be flushed together before a ref names them.
pub struct Writer<'a> {
    repository: &'a Repository,
    /// Where they go instead of git's object store; found out when the first one is to be written, which leaves a trace.
    spool: OnceCell<Option<gix::odb::loose::Store>>,
    written: RefCell<BTreeSet<Oid>>,
}

impl Writer<'_> {
    /// Writes an object unless it is here already.
    pub fn write(&self, kind: Kind, data: &[u8]) -> Result<Oid> {
        let id = self.repository.hash(kind, data)?;
        if !self.holds(id) {
            // Another process may create or remove the same fan-out directory between two steps of this write.
            let attempt = || self.store().write_buf_with_known_id(kind.to_gix(), data, id.0);
            attempt().or_else(|_| attempt()).map_err(|error| unwritable(&self.repository.gix, &error))?;
        }
        // Somebody else's write may not have reached the disk yet: it is flushed with ours.
        self.written.borrow_mut().insert(id);
        Ok(id)
    }

    /// Whether an object is here, so that it need not be written. Unless it is known to be `flushed`, it is flushed with ours.
    pub fn has(&self, id: Oid, flushed: bool) -> bool {
        let here = self.holds(id);
        if here && !flushed {
            self.written.borrow_mut().insert(id);
        }
        here
    }

    /// Writes an object of `size` bytes, whose id is known, piece by piece; unless it is here already.
    pub fn write_from(&self, kind: Kind, id: Oid, size: u64, bytes: &mut dyn std::io::Read) -> Result<Oid> {
        if !self.holds(id) {
            let written = self.store().write_stream(kind.to_gix(), size, bytes);
            let written = written.map_err(|error| unwritable(&self.repository.gix, &error))?;
            if written != id.0 {
                return Err(Code::Rapid1507.because("a file changed while it was read"));
            }
        }
        self.written.borrow_mut().insert(id);
        Ok(id)
    }

    /// Writes an object and everything that it leads to, where they are only in the spool: what lies below comes first, so that
    /// a tree that is here is here to its leaves.
    pub fn bring(&self, id: Oid) -> Result<()> {
        let empty = Oid::empty_tree(self.repository.format());
        let mut waiting = vec![(id, false)];
        while let Some((id, below_is_here)) = waiting.pop() {
            if id == empty || self.has(id, self.repository.spooled_size(id).is_none()) {
                continue;
            }
            let object = self.repository.read(id, SPOOLED_CAP)?;
            if object.kind == Kind::Tree && !below_is_here {
                waiting.push((id, true));
                for entry in tree::entries(&object.data, self.repository.format().digits() / 2) {
                    let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()))?;
                    waiting.extend((entry.mode != Mode::Gitlink).then_some((entry.id, false)));
                }
                continue;
            }
            self.write(object.kind, &object.data)?;
        }
        Ok(())
    }

    /// Whether an object is where this writer's objects are looked for.
    fn holds(&self, id: Oid) -> bool {
        self.repository.gix.objects.exists_without_refresh(&id.0)
            || (self.repository.spooled_size(id).is_some() && self.spool().is_some())
    }

    fn spool(&self) -> Option<&gix::odb::loose::Store> {
        self.spool.get_or_init(|| self.repository.is_closed().then(|| self.repository.spooled())).as_ref()
    }

    fn store(&self) -> &dyn gix::objs::Write {
        match self.spool() {
            Some(spool) => spool,
            None => &self.repository.gix.objects,
        }
    }

    /// Brings everything written to the disk: each loose file and the directories that name them. The flushes run beside
    /// each other, so that the disk can take them as one.
    pub fn flush(&self) -> Result<()> {
        if self.written.borrow().is_empty() {
            return Ok(());
        }
        let objects = match self.spool.get() {
            Some(Some(spool)) => spool.path().to_owned(),
            Some(None) | None => self.repository.gix.objects.store_ref().path().to_owned(),
        };
        let mut files = Vec::new();
        let mut directories = BTreeSet::new();
        for id in self.written.borrow().iter() {
            let Some((directory, file)) = loose_file(&objects, *id) else { continue };
            if file.exists() {
                files.push(file);
                directories.insert(directory);
            }
        }
        directories.insert(objects);
        flush_all(&files)?;
        flush_all(&directories.into_iter().collect::<Vec<_>>())
    }
}

/// How many flushes run beside each other.
const FLUSHERS: usize = 8;

fn flush_all(paths: &[PathBuf]) -> Result<()> {
    let share = paths.len().div_ceil(FLUSHERS).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            paths.chunks(share).map(|chunk| scope.spawn(|| chunk.iter().try_for_each(|path| flush(path)))).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(Code::Rapid1504.because("a flush did not end")))
        })
    })
}

/// Brings one file or directory to the disk.
pub(super) fn flush(path: &Path) -> Result<()> {
    let done = std::fs::File::open(path).and_then(|file| file.sync_all());
    done.map_err(|error| {
        Code::Rapid1504.because(format!("'{}' cannot be flushed to the disk: {error}", path.display()))
    })
}

pub(super) fn missing(id: Oid) -> Diagnostic {
    Code::Rapid1505.because(format!("object {id} is not here"))
}

fn too_large(id: Oid, size: u64, cap: u64) -> Diagnostic {
    Code::Rapid1525.because(format!("object {} has {size} bytes, more than {cap}", id.short()))
}

fn unreadable(id: Oid, error: &dyn std::fmt::Display) -> Diagnostic {
    Code::Rapid1505
        .because(format!("object {} cannot be read: {error}", id.short()))
        .hint("run 'git fsck' to see what else is damaged")
}

fn unwritable(gix: &gix::Repository, error: &dyn std::error::Error) -> Diagnostic {
    let mut why = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        why = format!("{why}: {inner}");
        source = inner.source();
    }
    Code::Rapid1504
        .because(format!("no object can be written to '{}': {why}", gix.common_dir().display()))
        .hint("check that the disk has room and that the directory can be written to")
}
