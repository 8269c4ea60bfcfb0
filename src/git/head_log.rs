//! What the log of `HEAD` says of who moved it.
//!
//! Not here: moving it.

use super::Repository;
use crate::os::files;
use std::path::PathBuf;

/// The largest log that is read, in bytes.
const CAP: u64 = 256 << 20;

impl Repository {
    /// How long the log is, in bytes; nothing where there is none.
    pub fn head_log_end(&self) -> u64 {
        std::fs::metadata(self.head_log()).map_or(0, |data| data.len())
    }

    /// Why `HEAD` moved since the log was so long, the oldest first; `None` where the log does not tell.
    pub fn head_moves_since(&self, end: u64) -> Option<Vec<String>> {
        let log = files::read_if_there(&self.head_log(), CAP).ok()??;
        let new = log.get(usize::try_from(end).ok()?..)?;
        let why = |line: &str| line.split_once('\t').map_or("", |(_, why)| why).to_owned();
        Some(String::from_utf8_lossy(new).lines().map(why).collect())
    }

    fn head_log(&self) -> PathBuf {
        self.git_dir().join("logs").join("HEAD")
    }
}
