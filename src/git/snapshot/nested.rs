//! Repositories inside the working copy: whether a directory is one, which commit it is at, whether it has changes.

use super::{Keep, SnapshotOptions};
use crate::git::{Oid, Repository};
use std::path::{Path, PathBuf};

/// Whether git would take the directory for a repository of its own and not look into it.
pub(super) fn is_repository(directory: &Path) -> bool {
    let dot_git = directory.join(".git");
    match std::fs::symlink_metadata(&dot_git) {
        Err(_) => false,
        Ok(data) if data.is_file() => match std::fs::read(&dot_git) {
            Err(_) => true,
            Ok(bytes) => pointed_to(directory, &bytes).is_some_and(|place| is_git_directory(&place)),
        },
        Ok(_) => is_git_directory(&dot_git),
    }
}

/// Where a `.git` file points.
fn pointed_to(directory: &Path, bytes: &[u8]) -> Option<PathBuf> {
    use gix::bstr::ByteSlice;
    let place = bytes.strip_prefix(b"gitdir: ")?.trim_end_with(|c| matches!(c, '\n' | '\r'));
    Some(directory.join(gix::path::from_byte_slice(place).ok()?))
}

/// Git's own test: a `HEAD` that can be one, and directories for objects and refs.
fn is_git_directory(place: &Path) -> bool {
    let common = match std::fs::read(place.join("commondir")) {
        Ok(bytes) => place.join(String::from_utf8_lossy(&bytes).trim_end()),
        Err(_) => place.to_owned(),
    };
    has_head(place) && common.join("objects").is_dir() && common.join("refs").is_dir()
}

fn has_head(place: &Path) -> bool {
    let head = place.join("HEAD");
    if std::fs::symlink_metadata(&head).is_ok_and(|data| data.is_symlink()) {
        return std::fs::read_link(&head).is_ok_and(|target| target.starts_with("refs"));
    }
    let Ok(bytes) = std::fs::read(&head) else { return false };
    match bytes.strip_prefix(b"ref:") {
        Some(rest) => rest.trim_ascii_start().starts_with(b"refs/"),
        None => {
            [40, 64].iter().any(|digits| bytes.get(..*digits).is_some_and(|id| gix::ObjectId::from_hex(id).is_ok()))
        }
    }
}

/// The commit that the repository in a directory has checked out.
pub(super) fn head(repository: &Repository, directory: &Path) -> Option<Oid> {
    if !is_repository(directory) {
        return None;
    }
    let read =
        gix::open(directory).ok().filter(|nested| nested.config_snapshot().string("extensions.refStorage").is_none());
    let id = match read {
        Some(nested) => Oid(nested.head_id().ok()?.detach()),
        None => asked(repository, directory)?,
    };
    (id.0.kind() == repository.gix.object_hash()).then_some(id)
}

/// What git says: it reads every store of refs.
fn asked(repository: &Repository, directory: &Path) -> Option<Oid> {
    let git = repository.git_in(directory).with("GIT_DIR", directory.join(".git")).with("GIT_WORK_TREE", directory);
    let output = git.arguments(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).try_run().ok()?;
    (output.code == 0).then(|| Oid::from_hex(output.text().trim()).ok()).flatten()
}

/// Whether the repository in a directory holds anything that the commit it is at does not. What cannot be looked at counts
/// as changed.
pub(super) fn has_changes(repository: &Repository, directory: &Path, options: &SnapshotOptions) -> bool {
    let environment = repository.environment.without_git().in_directory(directory);
    let Ok(nested) = Repository::open(directory, &environment) else { return true };
    let options = SnapshotOptions { keep: Keep::Nothing, ..options.clone() };
    let (Ok(now), Some(head)) = (nested.snapshot(&options), asked_tree(&nested)) else { return true };
    now.tree != head
        || !now.notes.dirty_submodules.is_empty()
        || !now.notes.withheld.is_empty()
        || !now.notes.opaque.is_empty()
        || now.absent > 0
        || !now.unlike.is_empty()
}

fn asked_tree(nested: &Repository) -> Option<Oid> {
    if nested.ref_storage() == crate::git::RefStorage::Files {
        return nested.gix.head_tree_id_or_empty().ok().map(|id| Oid(id.detach()));
    }
    let output = nested.git().arguments(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]).try_run().ok()?;
    Oid::from_hex(output.text().trim()).ok()
}
