//! What a person calls a commit, and where `HEAD` stands.

use super::{Kind, Oid, RefStorage, Repository};
use crate::diagnostics::{Code, Result};
use crate::domain::git_id::ObjectFormat;

/// Where `HEAD` stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The commit; `None` before the first one.
    pub commit: Option<Oid>,
    /// Its tree; the empty tree before the first commit.
    pub tree: Oid,
    /// The branch, like `main`; `None` when detached.
    pub branch: Option<String>,
}

impl Repository {
    /// Where `HEAD` stands.
    pub fn head(&self) -> Result<Head> {
        let (commit, branch) = match self.ref_storage() {
            RefStorage::Files => self.head_in_process()?,
            RefStorage::Reftable => self.head_by_git()?,
        };
        let tree = match commit {
            Some(commit) => self.tree_of(commit)?,
            None => Oid::empty_tree(self.format()),
        };
        Ok(Head { commit, tree, branch })
    }

    fn head_in_process(&self) -> Result<(Option<Oid>, Option<String>)> {
        let failed = |error: &dyn std::fmt::Display| Code::Rapid1506.because(format!("HEAD cannot be read: {error}"));
        let mut head = self.gix.head().map_err(|error| failed(&error))?;
        let branch = head.referent_name().map(|name| name.shorten().to_string());
        let commit = head.try_peel_to_id().map_err(|error| failed(&error))?;
        Ok((commit.map(|id| Oid(id.detach())), branch))
    }

    fn head_by_git(&self) -> Result<(Option<Oid>, Option<String>)> {
        let branch = self.git().arguments(["symbolic-ref", "--quiet", "--short", "HEAD"]).try_run()?;
        let branch = (branch.code == 0).then(|| branch.text().trim().to_owned());
        let commit = self.git().arguments(["rev-parse", "--verify", "--quiet", "HEAD"]).try_run()?;
        let commit = (commit.code == 0).then(|| Oid::from_hex(commit.text().trim())).transpose()?;
        Ok((commit, branch))
    }

    /// The commit that a person calls `revision` (RAPID1506 when there is none).
    pub fn resolve_commit(&self, revision: &str) -> Result<Oid> {
        let unknown = || {
            Code::Rapid1506
                .because(format!("'{}' is not a commit here", revision.escape_debug()))
                .hint("see 'git log' for the commits that are here")
        };
        if revision.is_empty() || revision.starts_with('-') {
            return Err(unknown());
        }
        if self.is_ambiguous(revision)? {
            return Err(Code::Rapid1506
                .because(format!("'{revision}' is the beginning of an id and the name of a ref"))
                .hint("name the commit by its whole id, or the ref as refs/heads/… or refs/tags/…"));
        }
        // gix does not know abbreviated ids of the longer hash.
        if self.ref_storage() == RefStorage::Reftable || self.format() == ObjectFormat::Sha256 {
            let spec = format!("{revision}^{{commit}}");
            let found =
                self.git().arguments(["rev-parse", "--verify", "--quiet", "--end-of-options", &spec]).try_run()?;
            return if found.code == 0 { Oid::from_hex(found.text().trim()) } else { Err(unknown()) };
        }
        let id = self.gix.rev_parse_single(revision).map_err(|_| unknown())?;
        let commit = id.object().ok().and_then(|object| object.peel_to_commit().ok()).ok_or_else(unknown)?;
        Ok(Oid(commit.id))
    }

    /// Whether an abbreviated id is also what a ref is called: git would take the ref, and whoever pushed it would choose the commit.
    fn is_ambiguous(&self, revision: &str) -> Result<bool> {
        let hex = revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex || !(4..self.format().digits()).contains(&revision.len()) {
            return Ok(false);
        }
        let names = ["refs/heads/", "refs/tags/", "refs/remotes/", "refs/"].map(|start| format!("{start}{revision}"));
        let mut git = self.git().arguments(["for-each-ref", "--format=%(refname)"]);
        git = git.arguments(names.iter().map(String::as_str));
        Ok(git.try_run()?.text().lines().any(|name| names.iter().any(|own| own == name)))
    }

    /// The tree of a commit, whoever wrote it.
    pub fn tree_of(&self, commit: Oid) -> Result<Oid> {
        let object = self.read(commit, 64 << 20)?;
        let line = object.data.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let hex = line.strip_prefix(b"tree ").and_then(|hex| std::str::from_utf8(hex).ok());
        match (object.kind, hex) {
            (Kind::Commit, Some(hex)) => Oid::from_hex(hex),
            _ => Err(Code::Rapid1506.because(format!("object {} is not a commit", commit.short()))),
        }
    }

    /// The parents of a commit, from its own bytes (never from a commit-graph or grafts).
    pub fn parents_of(&self, commit: Oid) -> Result<Vec<Oid>> {
        let object = self.read(commit, 64 << 20)?;
        let headers = object.data.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
        let parents = headers
            .filter_map(|line| line.strip_prefix(b"parent "))
            .map(|hex| Oid::from_hex(&String::from_utf8_lossy(hex)));
        parents.collect()
    }
}
