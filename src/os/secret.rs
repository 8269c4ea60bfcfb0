//! A key of this user on this machine: for marking files of ours so that nobody else's can pass for them.
//!
//! It protects against files that came with a repository, not against programs of the same user, who can read it too.

use crate::os::{environment::Environment, files};
use std::io::Read;
use std::path::Path;

/// How many bytes a key has.
const LENGTH: usize = 32;

/// The key, made at first use; `None` where this user has no directory that can be written to.
pub fn user_key(environment: &Environment) -> Option<[u8; LENGTH]> {
    let state = environment.path("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| environment.path("HOME").map(|home| home.join(".local/state")))?;
    let path = state.join("git-rapid").join("key");
    if let Some(key) = read(&path) {
        return Some(key);
    }
    let mut key = [0; LENGTH];
    std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut key)).ok()?;
    files::create_dir_all(path.parent()?).ok()?;
    files::write_atomically(&path, &key).ok()?;
    keep_private(&path);
    // Another process may have been first: what lies there counts.
    read(&path)
}

fn read(path: &Path) -> Option<[u8; LENGTH]> {
    files::read_if_there(path, 1024).ok().flatten()?.try_into().ok()
}

#[cfg(unix)]
fn keep_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
}

#[cfg(not(unix))]
fn keep_private(_: &Path) {}
