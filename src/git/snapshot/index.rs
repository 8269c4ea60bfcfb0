//! The index as it lies on the disk: opened anew for every snapshot, never written, with its collapsed directories (sparse
//! index) opened up where something lies in them.

use super::unrecordable;
use crate::diagnostics::{Code, Result};
use crate::git::{Mode, Oid, Repository, tree};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode as IndexMode, Stat};

/// The index of a repository, or an empty one where there is none yet.
pub(super) fn open(repository: &Repository) -> Result<gix::index::File> {
    let mut index = if repository.gix.index_path().exists() {
        repository.gix.open_index().map_err(|error| unrecordable(&error))?
    } else {
        gix::index::File::from_state(gix::index::State::new(repository.gix.object_hash()), repository.gix.index_path())
    };
    open_up(repository, &mut index)?;
    Ok(index)
}

/// The mode of an index entry, when it is one that a tree can hold.
pub(super) fn mode_of(mode: IndexMode) -> Option<Mode> {
    match mode {
        IndexMode::FILE => Some(Mode::File),
        IndexMode::FILE_EXECUTABLE => Some(Mode::Executable),
        IndexMode::SYMLINK => Some(Mode::Symlink),
        IndexMode::COMMIT => Some(Mode::Gitlink),
        IndexMode::DIR => Some(Mode::Tree),
        _ => None,
    }
}

fn index_mode(mode: Mode) -> IndexMode {
    match mode {
        Mode::File => IndexMode::FILE,
        Mode::Executable => IndexMode::FILE_EXECUTABLE,
        Mode::Symlink => IndexMode::SYMLINK,
        Mode::Gitlink => IndexMode::COMMIT,
        Mode::Tree => IndexMode::DIR,
    }
}

/// Puts the files of a collapsed directory in its place when the directory is there on the disk; its bytes count then.
fn open_up(repository: &Repository, index: &mut gix::index::File) -> Result<()> {
    let top = repository.require_workdir()?;
    let there = |path: &BStr| {
        std::fs::symlink_metadata(top.join(super::native(path.trim_end_with(|c| c == '/').as_bstr()))).is_ok()
    };
    let collapsed = index.entries().iter().filter(|entry| entry.mode == IndexMode::DIR);
    let present: Vec<(BString, Oid)> = collapsed
        .map(|entry| (entry.path(index).to_owned(), Oid(entry.id)))
        .filter(|(path, _)| there(path.as_bstr()))
        .collect();
    if present.is_empty() {
        return Ok(());
    }
    index.remove_entries(|_, path, entry| {
        entry.mode == IndexMode::DIR && present.iter().any(|(known, _)| known == path)
    });
    for (path, id) in present {
        add_files(repository, index, &path, id)?;
    }
    index.sort_entries();
    index.remove_tree();
    Ok(())
}

fn add_files(repository: &Repository, index: &mut gix::index::File, prefix: &BString, id: Oid) -> Result<()> {
    let data = repository.read_tree(id)?;
    for entry in tree::entries(&data, repository.format().digits() / 2) {
        let entry = entry
            .map_err(|fault| Code::Rapid1507.because(format!("{fault}, at '{}'", super::shown(prefix.as_bstr()))))?;
        let mut path = prefix.clone();
        path.extend_from_slice(entry.name);
        if entry.mode == Mode::Tree {
            path.push(b'/');
            add_files(repository, index, &path, entry.id)?;
        } else {
            let flags = Flags::SKIP_WORKTREE | Flags::EXTENDED;
            index.dangerously_push_entry(Stat::default(), entry.id.0, flags, index_mode(entry.mode), path.as_bstr());
        }
    }
    Ok(())
}
