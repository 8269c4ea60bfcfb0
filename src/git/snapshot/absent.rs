//! What of the tree is not on the disk because git was told to leave it out: `skip-worktree`, sparse checkouts. The tree holds it
//! all the same, as git's own would. Not here: files that are gone, which the tree does not hold.

use super::{Taking, shown};
use gix::bstr::{BStr, ByteSlice};
use gix::index::Entry;
use gix::index::entry::{Flags, Mode, Stage};

/// So many are named; the others are counted.
const NAMED: usize = 100;

impl Taking<'_> {
    /// How many there are, and the first by path. A directory of a sparse index counts as one. The changes are complete and in
    /// order; so are the flagged, which are those that are there.
    pub(super) fn absent(&self) -> (usize, Vec<String>) {
        let (mut count, mut named) = (0, Vec::new());
        for (at, entry) in self.index.entries().iter().enumerate() {
            let left_out = entry.mode == Mode::DIR || entry.flags.contains(Flags::SKIP_WORKTREE);
            if !left_out || entry.stage() != Stage::Unconflicted || self.flagged.binary_search(&at).is_ok() {
                continue;
            }
            let path = entry.path(self.index);
            if self.is_there(entry, path) || self.gave_way(path) {
                continue;
            }
            count += 1;
            if named.len() < NAMED {
                named.push(shown(path));
            }
        }
        (count, named)
    }

    /// A submodule is a directory, which the walk does not flag.
    fn is_there(&self, entry: &Entry, path: &BStr) -> bool {
        entry.mode == Mode::COMMIT && self.files.place(path).is_dir()
    }

    /// Whether something else lies there, so that the tree holds that instead.
    fn gave_way(&self, path: &BStr) -> bool {
        let from = self.changes.partition_point(|(changed, _)| changed.as_bstr() < path);
        let below = |changed: &BStr| changed.strip_prefix(path.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"));
        // Between a path and what lies below it are the names that go on with a byte before '/'.
        let near = self.changes.get(from..).unwrap_or_default().iter();
        let mut near = near.take_while(|(changed, _)| changed.starts_with(path.as_bytes()));
        near.any(|(changed, _)| changed.as_bstr() == path || below(changed.as_bstr()))
    }
}
