//! What differs between two trees, file by file.

use super::shown;
use crate::diagnostics::{Code, Result};
use crate::git::{Mode, Oid, Repository, tree};
use gix::bstr::ByteSlice;

/// One file that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeChange {
    /// Where, percent-encoded where not portable.
    pub path: String,
    /// What was there.
    pub old: Option<(Mode, Oid)>,
    /// What is there.
    pub new: Option<(Mode, Oid)>,
}

impl TreeChange {
    /// `A`, `D` or `M`, as git's short status.
    pub fn letter(&self) -> char {
        match (&self.old, &self.new) {
            (None, _) => 'A',
            (_, None) => 'D',
            _ => 'M',
        }
    }
}

impl Repository {
    /// The files that differ between two trees, by path; only subtrees that differ are read.
    pub fn tree_changes(&self, old: Oid, new: Oid) -> Result<Vec<TreeChange>> {
        let mut out = Vec::new();
        self.compare(Some(old), Some(new), "", &mut out)?;
        out.sort();
        Ok(out)
    }

    fn compare(&self, old: Option<Oid>, new: Option<Oid>, at: &str, out: &mut Vec<TreeChange>) -> Result<()> {
        if old == new {
            return Ok(());
        }
        let (old, new) = (self.files_of(old)?, self.files_of(new)?);
        let names: std::collections::BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
        for name in names {
            let (was, is) = (old.get(name).copied(), new.get(name).copied());
            if was == is {
                continue;
            }
            let path = format!("{at}{}", shown(name.as_bstr()));
            let subtree = |side: Option<(Mode, Oid)>| side.filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| id);
            let file = |side: Option<(Mode, Oid)>| side.filter(|(mode, _)| *mode != Mode::Tree);
            self.compare(subtree(was), subtree(is), &format!("{path}/"), out)?;
            if file(was) != file(is) {
                out.push(TreeChange { path, old: file(was), new: file(is) });
            }
        }
        Ok(())
    }

    fn files_of(&self, id: Option<Oid>) -> Result<std::collections::BTreeMap<Vec<u8>, (Mode, Oid)>> {
        let data = id.map(|id| self.read_tree(id)).transpose()?.unwrap_or_default();
        let read = tree::entries(&data, self.format().digits() / 2).map(|entry| {
            let entry = entry.map_err(|fault| Code::Rapid1505.because(fault.to_string()))?;
            Ok((entry.name.to_vec(), (entry.mode, entry.id)))
        });
        read.collect()
    }
}
