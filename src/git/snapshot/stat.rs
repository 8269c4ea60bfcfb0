//! Whether a file can be taken to be what the index says, by looking at its metadata only.
//!
//! Stricter than git in two ways that cost nothing: parts of a second count where the index holds them, and a file is
//! suspect when it was last changed in the same *second* as the index was written, or later.

use gix::index::Entry;
use gix::index::entry::{Flags, Mode, Stage};
use std::fs::Metadata;
use std::path::Path;

/// How this repository's working copy shows modes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modes {
    /// Executable bits mean something (`core.fileMode`).
    pub executable: bool,
    /// Symbolic links can be made (`core.symlinks`).
    pub symlinks: bool,
}

/// Whether nobody has to read the file to know that it is the one in the index, which was written at `written` (in
/// seconds).
pub(super) fn is_known(entry: &Entry, now: &Metadata, written: i64, modes: Modes) -> bool {
    entry.stage() == Stage::Unconflicted
        && !entry.flags.contains(Flags::INTENT_TO_ADD)
        && same_kind(entry.mode, now, modes)
        && same_stat(entry, now)
        && i64::from(entry.stat.mtime.secs) < written
        && (entry.stat.size != 0 || entry.id.is_empty_blob())
}

fn same_kind(mode: Mode, now: &Metadata, modes: Modes) -> bool {
    match mode {
        Mode::SYMLINK => now.is_symlink() || (!modes.symlinks && now.is_file()),
        Mode::FILE | Mode::FILE_EXECUTABLE => now.is_file() && !(modes.executable && is_other_mode(mode, now)),
        _ => false,
    }
}

#[cfg(unix)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the index holds the low 32 bits, as git writes them"
)]
fn same_stat(entry: &Entry, now: &Metadata) -> bool {
    use gix::index::entry::stat::Time;
    use std::os::unix::fs::MetadataExt;
    let same_time = |known: Time, secs: i64, nanos: i64| {
        known.secs == secs as u32 && (known.nsecs == 0 || known.nsecs == nanos as u32)
    };
    let known = &entry.stat;
    same_time(known.mtime, now.mtime(), now.mtime_nsec())
        && same_time(known.ctime, now.ctime(), now.ctime_nsec())
        && known.size == now.len() as u32
        && known.ino == now.ino() as u32
        && known.uid == now.uid()
        && known.gid == now.gid()
}

#[cfg(not(unix))]
#[expect(clippy::cast_possible_truncation, reason = "the index holds the low 32 bits, as git writes them")]
fn same_stat(entry: &Entry, now: &Metadata) -> bool {
    let Ok(since) = now.modified().map(|at| at.duration_since(std::time::UNIX_EPOCH).unwrap_or_default()) else {
        return false;
    };
    entry.stat.size == now.len() as u32 && entry.stat.mtime.secs == since.as_secs() as u32
}

/// Whether a file's executable bit is another than the index says.
pub(super) fn is_other_mode(mode: Mode, now: &Metadata) -> bool {
    match mode {
        Mode::FILE | Mode::FILE_EXECUTABLE => (mode == Mode::FILE_EXECUTABLE) != is_executable(now),
        _ => false,
    }
}

/// Whether the file's owner may run it.
#[cfg(unix)]
pub(super) fn is_executable(data: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o100 != 0
}

/// Whether the file's owner may run it; nobody can say here.
#[cfg(not(unix))]
pub(super) fn is_executable(_: &Metadata) -> bool {
    false
}

/// Whether two paths lead to one file; `false` where one leads to nothing.
#[cfg(unix)]
pub(super) fn is_same_file(one: &Path, two: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::symlink_metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some() && id(one) == id(two)
}

/// Whether two paths lead to one file; where nobody can say, names that differ in case only do.
#[cfg(not(unix))]
pub(super) fn is_same_file(one: &Path, _: &Path) -> bool {
    one.exists()
}
