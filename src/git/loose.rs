//! Whether the file of a loose object is whole to its last byte. gix stops reading it when it has as many bytes as the header
//! promises; git itself refuses a file whose stream does not end there, so it must not pass for proved.

use super::{Oid, Repository};
use crate::diagnostics::{Code, Result};
use gix::zlib::{Decompress, FlushDecompress, Status};
use std::collections::HashSet;
use std::path::PathBuf;

/// The largest header of a loose object, in bytes.
const HEADER: u64 = 64;

/// The loose objects of a repository, as they were when it was asked.
pub struct LooseFiles {
    directories: Vec<PathBuf>,
    ids: HashSet<Oid>,
}

impl Repository {
    /// Lists the loose objects, those of alternates too.
    pub fn loose_files(&self) -> LooseFiles {
        let store = self.gix.objects.store_ref();
        let mut directories = vec![store.path().to_owned()];
        directories.extend(store.alternate_db_paths().unwrap_or_default());
        let stores = directories.iter().map(|path| gix::odb::loose::Store::at(path, self.gix.object_hash()));
        // A directory that cannot be listed holds nothing that was read from it.
        let ids =
            stores.flat_map(|store| store.iter().filter_map(std::result::Result::ok).map(Oid).collect::<Vec<_>>());
        LooseFiles { ids: ids.collect(), directories }
    }
}

impl LooseFiles {
    /// Whether an object is one of them.
    pub fn has(&self, id: Oid) -> bool {
        self.ids.contains(&id)
    }

    /// Refuses (RAPID1505) an object of `size` bytes whose file does not end where its stream ends.
    pub fn check(&self, id: Oid, size: u64) -> Result<()> {
        if !self.ids.contains(&id) {
            return Ok(());
        }
        let hex = id.to_string();
        let (fan, name) = hex.split_at_checked(2).unwrap_or_default();
        // Git reads the first that is there, its own before those of alternates.
        let file = self.directories.iter().map(|directory| directory.join(fan).join(name)).find(|file| file.exists());
        let most = size.saturating_mul(2).saturating_add(1 << 16);
        let bytes = file.and_then(|file| crate::os::files::read_if_there(&file, most).ok().flatten());
        match bytes.is_some_and(|bytes| ends_well(&bytes, size)) {
            true => Ok(()),
            false => Err(Code::Rapid1505
                .because(format!("the file of object {} is damaged at its end", id.short()))
                .hint("run 'git fsck' to see what else is damaged")),
        }
    }
}

fn ends_well(file: &[u8], size: u64) -> bool {
    let mut state = Decompress::default();
    let mut out = [0; 1 << 13];
    let mut rest = file;
    loop {
        let (read, written) = (state.total_in(), state.total_out());
        let Ok(status) = state.decompress(rest, &mut out, FlushDecompress::None) else { return false };
        let (read, moved) = (state.total_in() - read, state.total_out() != written);
        rest = usize::try_from(read).ok().and_then(|read| rest.get(read..)).unwrap_or_default();
        match status {
            Status::StreamEnd => return rest.is_empty() && state.total_out() >= size,
            _ if state.total_out() > size + HEADER || (read == 0 && !moved) => return false,
            _ => {}
        }
    }
}
