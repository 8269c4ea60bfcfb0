//! Telling whether a file was written since: its size, its time, its place on the disk. And the files below a directory.

use super::{is_absent, refused};
use crate::diagnostics::Result;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What changes when a file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When it was last written.
    pub modified: SystemTime,
    /// In bytes.
    pub size: u64,
    /// Its number in its file system.
    node: u64,
}

/// The stamp of a regular file, through symbolic links; `None` where there is none, or something else has its name.
///
/// # Errors
/// `RAPID002` when it can't be looked at.
pub fn stamp(path: &Path) -> Result<Option<Stamp>> {
    let found = match std::fs::metadata(path) {
        Ok(found) => found,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(refused("look at", path, error)),
    };
    if !found.is_file() {
        return Ok(None);
    }
    let modified = found.modified().map_err(|error| refused("look at", path, error))?;
    Ok(Some(Stamp { modified, size: found.len(), node: std::os::unix::fs::MetadataExt::ino(&found) }))
}

/// The regular files below a directory whose names end so, in order; symbolic links are not followed. `None` when there is
/// no such directory.
///
/// # Errors
/// `RAPID002` when a directory can't be read, or there are more than `most` entries or `deepest` levels.
pub fn below(top: &Path, ending: &str, most: usize, deepest: usize) -> Result<Option<Vec<PathBuf>>> {
    if !top.is_dir() {
        return Ok(None);
    }
    let mut found = Vec::new();
    let mut seen = 0_usize;
    let mut open = vec![(top.to_owned(), 0_usize)];
    while let Some((directory, depth)) = open.pop() {
        let fault = |error| refused("list", &directory, error);
        for entry in std::fs::read_dir(&directory).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let kind = entry.file_type().map_err(fault)?;
            seen = seen.saturating_add(1);
            if seen > most || depth > deepest {
                return Err(refused("list", top, "it holds too much"));
            }
            if kind.is_dir() {
                open.push((entry.path(), depth.saturating_add(1)));
            } else if kind.is_file() && entry.file_name().as_encoded_bytes().ends_with(ending.as_bytes()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(Some(found))
}
