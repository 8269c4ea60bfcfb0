//! Files by path: read to a cap, write whole or not at all, make directories, remove. Each error names its path.
//!
//! Not here: what a file holds, and anything inside a git repository's object store or refs (that is `git/`).

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use crate::diagnostics::{Code, Diagnostic, Result};

mod stamp;
#[cfg(test)]
mod tests;

pub use stamp::{Stamp, below, stamp};

/// Reads a whole file of at most `cap` bytes.
///
/// # Errors
/// `RAPID002` when it can't be read, is a directory, or is larger than `cap`.
pub fn read(path: &Path, cap: u64) -> Result<Vec<u8>> {
    match read_if_there(path, cap)? {
        Some(bytes) => Ok(bytes),
        None => Err(refused("read", path, "there is no such file")),
    }
}

/// Reads a whole file of at most `cap` bytes; none when there is no such file.
///
/// # Errors
/// `RAPID002` when it can't be read, is a directory, or is larger than `cap`.
pub fn read_if_there(path: &Path, cap: u64) -> Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(refused("read", path, error)),
    };
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large from one that fits exactly, even while it grows.
    file.take(cap.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| refused("read", path, error))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > cap) {
        return Err(refused("read", path, format!("it is larger than {cap} bytes")));
    }
    Ok(Some(bytes))
}

/// Reads a UTF-8 file of at most `cap` bytes.
///
/// # Errors
/// `RAPID002` as [`read`], and when the bytes aren't UTF-8.
pub fn read_text(path: &Path, cap: u64) -> Result<String> {
    String::from_utf8(read(path, cap)?).map_err(|_| refused("read", path, "it is not UTF-8 text"))
}

/// Writes a file so that every reader, also after a crash, sees the old bytes or the new ones: a temporary file beside
/// it, flushed, moved over it, and the directory flushed. The permissions of a file that was there are kept.
///
/// # Errors
/// `RAPID002` naming `path`; then what was there is unchanged, unless only the directory's flush failed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes, true).map_err(|error| refused("write", path, error))
}

/// The same without waiting for the disk: every reader sees the old bytes or the new ones, but a crash of the machine may
/// leave neither. For what can be made again, and tells damage itself.
///
/// # Errors
/// `RAPID002` when it can't be written.
pub fn write_unflushed(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes, false).map_err(|error| refused("write", path, error))
}

fn replace(path: &Path, bytes: &[u8], flush: bool) -> std::io::Result<()> {
    let directory = directory_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rapid-").suffix(".tmp");
    let permissions = std::fs::metadata(path).ok().map(|metadata| metadata.permissions());
    let mut temporary = match &permissions {
        Some(permissions) => builder.permissions(permissions.clone()).tempfile_in(directory)?,
        None => builder.permissions(ordinary_permissions()).tempfile_in(directory)?,
    };
    temporary.write_all(bytes)?;
    if let Some(permissions) = permissions {
        // The mode given at creation is cut by the umask; the old file's mode was a decision.
        temporary.as_file().set_permissions(permissions)?;
    }
    if flush {
        temporary.as_file().sync_all()?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    if flush { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// What a file that a person makes would get, before the umask; `tempfile`'s own default shuts out everybody else.
#[cfg(unix)]
fn ordinary_permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Writes a file as [`write_atomically`] does, that everybody may run who may read it.
///
/// # Errors
/// `RAPID002` as [`write_atomically`].
pub fn write_program(path: &Path, bytes: &[u8]) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    write_atomically(path, bytes)?;
    let set = std::fs::metadata(path).and_then(|data| {
        let mode = data.permissions().mode();
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode | ((mode & 0o444) >> 2)))
    });
    set.map_err(|error| refused("make a program of", path, error))
}

/// The beginning of the file that this path leads to, at most `cap` bytes; none when there is no such file. What is no ordinary file
/// (a device, a pipe) begins with nothing.
///
/// # Errors
/// `RAPID002` when it can't be read or is a directory.
pub fn beginning(path: &Path, cap: u64) -> Result<Option<Vec<u8>>> {
    match std::fs::metadata(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(refused("read", path, error)),
        Ok(data) if data.is_dir() => return Err(refused("write", path, "it is a directory")),
        Ok(data) if !data.is_file() => return Ok(Some(Vec::new())),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(cap).read_to_end(&mut bytes));
    read.map_err(|error| refused("read", path, error))?;
    Ok(Some(bytes))
}

/// Writes what `from` gives to where this path leads: an ordinary file, or none, as [`write_atomically`] does, anything else
/// directly. Returns how many bytes there were.
///
/// # Errors
/// `RAPID002` naming `path`.
pub fn write_from(path: &Path, from: &mut dyn Read) -> Result<u64> {
    let mut written = || -> std::io::Result<u64> {
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let data = std::fs::metadata(&place).ok();
        if data.as_ref().is_some_and(|data| !data.is_file()) {
            return std::io::copy(from, &mut OpenOptions::new().write(true).open(&place)?);
        }
        let permissions = data.map_or_else(ordinary_permissions, |data| data.permissions());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rapid-").suffix(".tmp").permissions(permissions);
        let mut temporary = builder.tempfile_in(directory_of(&place))?;
        let written = std::io::copy(from, &mut temporary)?;
        temporary.as_file().sync_all()?;
        temporary.persist(&place).map_err(|error| error.error)?;
        Ok(written)
    };
    written().map_err(|error| refused("write", path, error))
}

/// Opens a file to be read.
///
/// # Errors
/// `RAPID002` when it can't be.
pub fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| refused("read", path, error))
}

/// Whether there is a file that this path leads to and somebody may run.
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Whether files can be made in a directory, which need not be there yet. Nothing is written to find out.
pub fn takes_files(directory: &Path) -> bool {
    let there = directory.ancestors().find(|path| is_taken(path));
    there.is_some_and(|path| {
        path.is_dir() && rustix::fs::access(path, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
    })
}

/// How many bytes are free where a directory lies; none when the system does not say.
pub fn free_bytes(directory: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(directory).ok()?;
    Some(told.f_bavail.saturating_mul(told.f_frsize))
}

/// Whether anything has this name, a link that leads nowhere included.
pub fn is_taken(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// Gives a file another name in the same directory: bytes, mode and times stay. Nothing is overwritten.
///
/// # Errors
/// `RAPID002` when it can't be moved or the new name is taken.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    if is_taken(to) {
        return Err(refused("move to", to, "something has that name"));
    }
    std::fs::rename(from, to).map_err(|error| refused("move", from, error))
}

/// Removes a directory when nothing is in it. One that is not empty, or not there, stays as it is.
pub fn remove_empty_dir(path: &Path) {
    let _ = std::fs::remove_dir(path);
}

/// The directory that holds `path`; the current one for a bare name.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a directory and those above it; one that is there is fine.
///
/// # Errors
/// `RAPID002` when it can't be made or something else has its name.
pub fn create_dir_all(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| refused("make the directory", path, error))
}

/// Makes a directory that only its owner may look into.
///
/// # Errors
/// `RAPID002` when it can't be made.
pub fn create_private_dir(path: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| refused("make the directory", path, error))
}

/// Makes a symbolic link, in the place of a file or link that has its name.
///
/// # Errors
/// `RAPID002` when it can't be made.
pub fn link(path: &Path, target: &[u8]) -> Result<()> {
    use std::os::unix::ffi::OsStrExt;
    remove(path)?;
    let made = std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(target), path);
    made.map_err(|error| refused("link", path, error))
}

/// Sets whether those who may read a file may run it.
///
/// # Errors
/// `RAPID002` when it can't be set.
pub fn set_executable(path: &Path, executable: bool) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let set = std::fs::metadata(path).and_then(|data| {
        let mode = data.permissions().mode();
        let wanted = if executable { mode | ((mode & 0o444) >> 2) } else { mode & !0o111 };
        if wanted == mode { Ok(()) } else { std::fs::set_permissions(path, PermissionsExt::from_mode(wanted)) }
    });
    set.map_err(|error| refused("set the mode of", path, error))
}

/// Whether a file can be opened for writing. Nothing is written.
pub fn takes_bytes(path: &Path) -> bool {
    File::options().append(true).open(path).is_ok()
}

/// Removes a file or a symbolic link; says whether there was one.
///
/// # Errors
/// `RAPID002` when it is there and can't be removed.
pub fn remove(path: &Path) -> Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(refused("remove", path, error)),
    }
}

/// The names in a directory, sorted; none where it cannot be read.
pub fn names_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// How much the files below a directory hold in bytes, and whether all were looked at: at most `most` of them are. Links are
/// not followed; what can't be looked at counts as nothing.
pub fn size_below(top: &Path, most: usize) -> (u64, bool) {
    let (mut bytes, mut looked_at) = (0_u64, 0_usize);
    let mut waiting = vec![top.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            looked_at += 1;
            if looked_at > most {
                return (bytes, false);
            }
            match entry.metadata() {
                Ok(data) if data.is_dir() => waiting.push(entry.path()),
                Ok(data) => bytes = bytes.saturating_add(data.len()),
                Err(_) => {}
            }
        }
    }
    (bytes, true)
}

/// Removes a directory when nothing is in it; says whether it did.
///
/// # Errors
/// `RAPID002` when it is empty and can't be removed.
pub fn remove_if_empty(directory: &Path) -> Result<bool> {
    match std::fs::remove_dir(directory) {
        Ok(()) => Ok(true),
        Err(error) if is_absent(&error) || error.kind() == ErrorKind::DirectoryNotEmpty => Ok(false),
        Err(error) => Err(refused("remove the directory", directory, error)),
    }
}

/// Writes a file at once, without flushing it: for a note whose loss costs nothing.
///
/// # Errors
/// `RAPID002` naming `path`.
pub fn note(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).map_err(|error| refused("write", path, error))
}

/// A path through something that isn't a directory names nothing either.
fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn refused(verb: &str, path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    let shown = path.display().to_string();
    Code::Rapid002.because(format!("cannot {verb} '{shown}': {why}")).at(shown)
}
