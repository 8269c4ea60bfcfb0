//! The newest tip of each remote that was verified here: what a remote that was rolled back is told by. It lies in git's
//! directory, since the trackers follow the remote wherever it goes, also back.

use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::os::files;
use std::path::PathBuf;

/// Longer than any id.
const CAP: u64 = 1024;

fn path(repository: &Repository, remote: &str) -> PathBuf {
    repository.shared_dir().join("seen").join(super::place::tracker_name(remote))
}

/// The tip that is remembered of a remote. A memory that cannot be understood is none.
pub(super) fn last(repository: &Repository, remote: &str) -> Result<Option<Oid>> {
    let bytes = files::read_if_there(&path(repository, remote), CAP)?;
    Ok(bytes.and_then(|bytes| Oid::from_hex(String::from_utf8_lossy(&bytes).trim()).ok()))
}

/// Remembers a verified tip of a remote.
pub(super) fn remember(repository: &Repository, remote: &str, tip: Oid) -> Result<()> {
    if last(repository, remote)? == Some(tip) {
        return Ok(());
    }
    let path = path(repository, remote);
    files::create_dir_all(&repository.shared_dir().join("seen"))?;
    files::write_atomically(&path, format!("{tip}\n").as_bytes())
}
