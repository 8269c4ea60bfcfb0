//! Clones that git filtered: objects that a remote promised and that are not here. What is asked for comes in one fetch, never
//! object by object, and only when somebody asks.

use super::{Oid, Repository};
use crate::diagnostics::Result;

impl Repository {
    /// The remote that promised what is not here; `None` in a clone that is whole.
    pub fn promisor(&self) -> Option<String> {
        let named = self.config_text("extensions.partialClone").filter(|name| !name.is_empty());
        let is_one = |name: &String| self.config_flag(&format!("remote.{name}.promisor")) == Some(true);
        named.or_else(|| self.remote_names().into_iter().find(is_one))
    }

    /// The objects of `tip`, and of all that lies behind it and not behind `known`, that are not here. Nothing is fetched.
    pub fn missing_behind(&self, tip: Oid, known: Option<Oid>) -> Result<Vec<Oid>> {
        let mut range = vec![tip.to_string()];
        range.extend(known.map(|known| format!("^{known}")));
        let list = self.git().arguments(["rev-list", "--quiet", "--objects", "--missing=print", "--end-of-options"]);
        let list = list.arguments(range).run()?;
        list.text().lines().filter_map(|line| line.strip_prefix('?')).map(Oid::from_hex).collect()
    }

    /// Brings these objects from the remote that promised them, in one fetch.
    pub fn fetch_objects(&self, remote: &str, ids: &[Oid]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let wanted: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let git = self.git().arguments(["-c", "fetch.negotiationAlgorithm=noop", "-c", "core.fsync=objects", "fetch"]);
        let git = git.arguments(["--quiet", "--no-tags", "--no-auto-maintenance", "--no-write-fetch-head"]);
        let git =
            git.arguments(["--no-recurse-submodules", "--refmap=", "--filter=blob:none", "--stdin", "--", remote]);
        match git.input(wanted.as_bytes()).try_run()? {
            done if done.code == 0 => Ok(()),
            done => Err(super::remote::unreachable(remote, &done.complaint())),
        }
    }
}
