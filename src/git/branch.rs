//! A commit of a few paths on a branch that nobody has checked out: no working copy, no index of the user's and no hook takes
//! part.

use super::{Commit, Kind, Mode, Oid, RefEdit, RefUpdate, Repository, place_of};
use crate::diagnostics::{Code, Result};
use std::collections::BTreeMap;

impl Repository {
    /// Commits these paths on top of a branch, which begins at `HEAD` where it is not there yet. `None` when that changes
    /// nothing, or when somebody else moved the branch meanwhile.
    pub fn commit_paths(
        &self,
        branch: &str,
        paths: &BTreeMap<String, Option<(Mode, Oid)>>,
        message: &str,
        seconds: i64,
    ) -> Result<Option<Oid>> {
        let name = format!("refs/heads/{branch}");
        let tip = self.read_ref(&name)?;
        let parent = match tip {
            Some(tip) => Some(tip),
            None => self.head()?.commit,
        };
        let base = match parent {
            Some(parent) => self.tree_of(parent)?,
            None => Oid::empty_tree(self.format()),
        };
        let tree = self.tree_with_paths(base, paths)?;
        if tree == base {
            return Ok(None);
        }
        let identity = self.identity();
        let commit = Commit {
            tree,
            parents: parent.into_iter().collect(),
            identity: identity.clone(),
            seconds,
            message: message.to_owned(),
        };
        let writer = self.writer();
        let new = writer.write(Kind::Commit, &commit.encode())?;
        writer.flush()?;
        let edit = RefEdit { name, old: tip, new };
        match self.update_refs(&[edit], "rapid: a finished story", &identity, seconds, &|_| {})? {
            RefUpdate::Moved => Ok(Some(new)),
            RefUpdate::Lost => Ok(None),
        }
    }

    /// A tree with these paths set or taken out, by an index of its own.
    fn tree_with_paths(&self, base: Oid, paths: &BTreeMap<String, Option<(Mode, Oid)>>) -> Result<Oid> {
        let failed = |error: std::io::Error| Code::Rapid1504.because(format!("no temporary directory: {error}"));
        let aside = tempfile::tempdir().map_err(failed)?;
        let git = || {
            let git = self.git().arguments(["-c", "core.hooksPath=", "-c", "core.splitIndex=false"]);
            git.with("GIT_INDEX_FILE", aside.path().join("index"))
        };
        git().arguments(["read-tree", &base.to_string()]).run()?;
        let mut lines = Vec::new();
        // What goes makes way for what comes.
        for gone in [true, false] {
            for (path, there) in paths.iter().filter(|(_, there)| there.is_none() == gone) {
                let line = match there {
                    Some((mode, id)) => format!("{} {id}\t", mode.as_str()),
                    None => format!("0 {}\t", Oid::null(self.format())),
                };
                lines.extend_from_slice(line.as_bytes());
                lines.extend_from_slice(place_of(path).as_os_str().as_encoded_bytes());
                lines.push(0);
            }
        }
        git().arguments(["update-index", "--replace", "-z", "--index-info"]).input(&lines).run()?;
        Oid::from_hex(git().argument("write-tree").run()?.text().trim())
    }
}
