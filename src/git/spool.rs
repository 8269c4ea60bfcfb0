//! Objects beside the object store: where a sandbox keeps git's directories closed and opens ours alone, what is written goes to
//! `.git/rapid/spool/objects`, one file for each object, as git writes loose ones.
//!
//! Whoever may write there is trusted with nothing: git's own objects always come first, only plain files of this one directory
//! are read (no pack, no alternate), and the bytes of each are hashed before they are believed. The git executable never looks
//! there.

use super::{Kind, Object, Oid, Repository};
use crate::diagnostics::{Code, Result};
use crate::os::files;
use gix::odb::loose;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Whether git's object store is closed to this process, once somebody wanted to write; then the hold that keeps the spool's
/// objects from being cleared away.
#[derive(Clone, Default)]
pub(super) struct Spooling(Arc<OnceLock<Option<File>>>);

impl Repository {
    /// Where what could not be written to git's own directories waits.
    pub fn spool_dir(&self) -> PathBuf {
        self.shared_dir().join("spool")
    }

    /// Whether git's directories are closed to us and only our own is open, as in a sandbox. Found out by trying, the first time
    /// that something is to be written: what a file's mode or a mount says is not all that a sandbox may forbid.
    pub fn is_closed(&self) -> bool {
        self.spooling.0.get_or_init(|| self.hold_if_closed()).is_some()
    }

    /// Whether something was to be written, and git's directories were closed.
    pub fn was_closed(&self) -> bool {
        self.spooling.0.get().is_some_and(Option::is_some)
    }

    fn hold_if_closed(&self) -> Option<File> {
        let objects = self.gix.objects.store_ref().path();
        // Git clears away what dies with this name.
        let tried = tempfile::Builder::new().prefix("tmp_obj_rapid_").tempfile_in(objects);
        let kind = tried.err()?.kind();
        if !matches!(kind, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) {
            return None;
        }
        files::create_dir_all(&self.spool_objects()).ok()?;
        tempfile::tempfile_in(self.spool_dir()).ok()?;
        let hold = self.open_hold().ok()?;
        hold.lock_shared().ok()?;
        // Whoever cleared the spool while we waited took the directory with it.
        files::create_dir_all(&self.spool_objects()).ok()?;
        Some(hold)
    }

    fn open_hold(&self) -> std::io::Result<File> {
        File::options().create(true).truncate(false).write(true).open(self.spool_dir().join("objects.lock"))
    }

    fn spool_objects(&self) -> PathBuf {
        self.spool_dir().join("objects")
    }

    pub(super) fn spooled(&self) -> loose::Store {
        loose::Store::at(self.spool_objects(), self.gix.object_hash())
    }

    /// How many bytes a spooled object has, when it is there.
    pub(super) fn spooled_size(&self, id: Oid) -> Option<u64> {
        let store = self.spooled();
        // Opening anything but a plain file could wait for ever.
        let path = store.object_path(&id.0);
        std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        store.try_header(&id.0).ok().flatten().map(|(size, _)| size)
    }

    /// A spooled object of at most `cap` bytes, its bytes hashed (RAPID1518).
    pub(super) fn read_spooled(&self, id: Oid, cap: u64) -> Result<Option<Object>> {
        let Some(size) = self.spooled_size(id) else { return Ok(None) };
        if size > cap {
            return Err(Code::Rapid1525.because(format!("object {} has {size} bytes, more than {cap}", id.short())));
        }
        let mut buffer = Vec::new();
        let unreadable =
            |why: String| Code::Rapid1505.because(format!("the spooled object {} cannot be read: {why}", id.short()));
        let store = self.spooled();
        let found = store.try_find(&id.0, &mut buffer).map_err(|error| unreadable(error.to_string()))?;
        let Some(found) = found else { return Ok(None) };
        let object = Object { kind: Kind::from_gix(found.kind), data: found.data.to_vec() };
        match self.hash(object.kind, &object.data)? == id {
            true => Ok(Some(object)),
            false => Err(Code::Rapid1518
                .because(format!("the bytes of the spooled object {} do not hash to its id", id.short()))
                .at(store.object_path(&id.0).display().to_string())),
        }
    }

    /// Clears away the spool's objects, unless a process that writes there holds them.
    pub fn clear_spooled_objects(&self) {
        if !self.spool_objects().exists() {
            return;
        }
        let Ok(hold) = self.open_hold() else { return };
        match hold.try_lock() {
            Ok(()) => drop(std::fs::remove_dir_all(self.spool_objects())),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }

    /// How many bytes the spool's objects take, as far as `most` files tell; and whether those are all.
    pub fn spooled_bytes(&self, most: usize) -> (u64, bool) {
        files::size_below(&self.spool_objects(), most)
    }
}

/// The file of a loose object below a directory.
pub(super) fn loose_file(objects: &Path, id: Oid) -> Option<(PathBuf, PathBuf)> {
    let hex = id.to_string();
    let (fan, name) = (hex.get(..2)?, hex.get(2..)?);
    let directory = objects.join(fan);
    let file = directory.join(name);
    Some((directory, file))
}
