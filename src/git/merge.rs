//! What git itself makes of two commits, and the branch that a team protects.

use super::{Oid, Repository};
use crate::diagnostics::Result;

impl Repository {
    /// The tree of git's automatic merge of two commits; `None` when it has conflicts, or this git cannot say (before 2.38).
    /// Nothing but loose objects is written, and no merge driver or attribute of the working copy is asked.
    pub fn merge_cleanly(&self, ours: Oid, theirs: Oid) -> Result<Option<Oid>> {
        let git = self.git().arguments(["merge-tree", "--write-tree", "--no-messages", "--end-of-options"]);
        let done = git.argument(ours.to_string()).argument(theirs.to_string()).try_run()?;
        let tree = done.text().lines().next().map(str::to_owned);
        match (done.code, tree) {
            (0, Some(tree)) => Oid::from_hex(&tree).map(Some),
            _ => Ok(None),
        }
    }

    /// The newest commit of the protected branch as this clone knows it: where the default remote's HEAD points.
    pub fn protected_tip(&self) -> Result<Option<Oid>> {
        let names = self.remote_names();
        let remote = names.iter().find(|name| *name == "origin").or_else(|| names.first());
        let Some(remote) = remote else { return Ok(None) };
        Ok(self.resolve_commit(&format!("refs/remotes/{remote}/HEAD")).ok())
    }
}
