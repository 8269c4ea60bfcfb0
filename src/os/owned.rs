//! Temporary directories that their process owns: a locked file says so, and the system lets go of the lock when the process
//! ends in whatever way. So one whose owner is dead can be told from one in use.
//!
//! Not here: what lies in them, and when to sweep.

use crate::diagnostics::{Code, Diagnostic, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The locked file.
const OWNER: &str = "owner";

/// A directory of ours, removed with this value.
#[derive(Debug)]
pub struct OwnedDirectory {
    directory: TempDir,
    _lock: File,
}

impl OwnedDirectory {
    /// Makes one whose name begins with `prefix`; `note` is what its file says, for people.
    ///
    /// # Errors
    /// RAPID1309 when no temporary directory can be made.
    pub fn new(prefix: &str, note: &str) -> Result<OwnedDirectory> {
        OwnedDirectory::made(prefix, note)
            .map_err(|error| Code::Rapid1309.because(format!("no temporary directory can be made: {error}")))
    }

    fn made(prefix: &str, note: &str) -> std::io::Result<OwnedDirectory> {
        let directory = tempfile::Builder::new().prefix(prefix).tempdir()?;
        // Locked before it has its name, or somebody could take it for one that nobody holds.
        let unnamed = directory.path().join("owner.new");
        std::fs::write(&unnamed, format!("{note}\nprocess {}\n", std::process::id()))?;
        let lock = File::open(&unnamed)?;
        lock.lock()?;
        std::fs::rename(&unnamed, directory.path().join(OWNER))?;
        Ok(OwnedDirectory { directory, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Whether a directory was made by [`OwnedDirectory::new`] and its owner is gone.
pub fn is_left_behind(directory: &Path) -> bool {
    File::open(directory.join(OWNER)).is_ok_and(|file| file.try_lock().is_ok())
}

/// Those in the place for temporary files whose name begins with `prefix` and whose owner is gone.
pub fn left_behind(prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)));
    ours.map(|entry| entry.path()).filter(|path| is_left_behind(path)).collect()
}

/// Removes one that was left behind; one that has an owner stays.
///
/// # Errors
/// RAPID002 when it cannot be removed.
pub fn remove_left_behind(directory: &Path) -> Result<()> {
    if !is_left_behind(directory) {
        return Ok(());
    }
    std::fs::remove_dir_all(directory).map_err(|error| refused(directory, &error))
}

fn refused(directory: &Path, error: &std::io::Error) -> Diagnostic {
    let shown = directory.display().to_string();
    Code::Rapid002.because(format!("cannot remove '{shown}': {error}")).at(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_use_is_not_left_behind_and_one_without_an_owner_is() {
        let owned = OwnedDirectory::new("rapid-owned-test-", "a test").unwrap();
        let path = owned.path().to_owned();
        assert!(!is_left_behind(&path) && !left_behind("rapid-owned-test-").contains(&path));
        remove_left_behind(&path).unwrap();
        assert!(path.is_dir(), "it has an owner");
        // What a kill leaves: the directory without the lock.
        let OwnedDirectory { directory, _lock } = owned;
        let path = directory.keep();
        drop(_lock);
        assert!(left_behind("rapid-owned-test-").contains(&path));
        remove_left_behind(&path).unwrap();
        assert!(!path.exists());
        let stranger = tempfile::tempdir().unwrap();
        assert!(!is_left_behind(stranger.path()), "one without the file is nobody's business");
    }
}
