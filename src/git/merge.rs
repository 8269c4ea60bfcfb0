//! What git itself makes of two commits, and the branch that a team protects.

use super::{Git, Oid, Repository};
use crate::diagnostics::{Code, Result};
use crate::domain::git_id::ObjectFormat;
use std::path::Path;

/// What an automatic merge came to.
pub enum Merge {
    /// This tree.
    Clean(Oid),
    /// No tree: these paths are in conflict. None are named where this git cannot say.
    Conflicts(Vec<String>),
}

impl Merge {
    fn clean(self) -> Option<Oid> {
        match self {
            Merge::Clean(tree) => Some(tree),
            Merge::Conflicts(_) => None,
        }
    }
}

impl Repository {
    /// The tree of git's automatic merge of two commits; `None` when it has conflicts, or this git cannot say (before 2.38).
    ///
    /// It is git's own merge and nobody else's: an empty repository of its own borrows the objects, so that no merge driver,
    /// no attribute and no setting of this clone or of this person makes a conflict look like none. Nothing is written here.
    pub fn merge_cleanly(&self, ours: Oid, theirs: Oid) -> Result<Option<Oid>> {
        Ok(self.automatic_merge(None, ours, theirs, "GIT_ALTERNATE_OBJECT_DIRECTORIES")?.clean())
    }

    /// The same for two trees and what they were made of; `None` also where this git takes no trees (before 2.45).
    pub fn merge_trees_cleanly(&self, base: Oid, ours: Oid, theirs: Oid) -> Result<Option<Oid>> {
        Ok(self.automatic_merge(Some(base), ours, theirs, "GIT_ALTERNATE_OBJECT_DIRECTORIES")?.clean())
    }

    /// What git takes for the bases of a merge of two commits.
    pub fn merge_bases(&self, ours: Oid, theirs: Oid) -> Result<Vec<Oid>> {
        let aside = empty_repository(self.format())?;
        let git = self.aside(aside.path(), "GIT_ALTERNATE_OBJECT_DIRECTORIES").arguments(["merge-base", "--all"]);
        let done = git.argument(ours.to_string()).argument(theirs.to_string()).try_run()?;
        match done.code {
            0 | 1 => done.text().lines().map(Oid::from_hex).collect(),
            _ => Err(Code::Rapid1503.because(format!(
                "the base of {} and {} cannot be told: {}",
                ours.short(),
                theirs.short(),
                done.complaint()
            ))),
        }
    }

    /// The same merge, and what it makes is kept here.
    pub fn merge_and_keep(&self, ours: Oid, theirs: Oid) -> Result<Merge> {
        self.automatic_merge(None, ours, theirs, "GIT_OBJECT_DIRECTORY")
    }

    /// Git in an empty repository that borrows our objects. `objects_as` is the variable by which it is told of them.
    pub(super) fn aside(&self, place: &Path, objects_as: &str) -> Git {
        Git::new(&self.environment.clone().in_directory(place))
            .with("GIT_DIR", place)
            .with(objects_as, self.gix.objects.store_ref().path())
            .with("GIT_CONFIG_GLOBAL", "/dev/null")
            .with("GIT_CONFIG_NOSYSTEM", "1")
            .with("GIT_ATTR_NOSYSTEM", "1")
    }

    fn automatic_merge(&self, base: Option<Oid>, ours: Oid, theirs: Oid, objects_as: &str) -> Result<Merge> {
        let aside = empty_repository(self.format())?;
        let git = self.aside(aside.path(), objects_as).arguments(["-c", "core.attributesFile=/dev/null"]).arguments([
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
        ]);
        let git = match base {
            Some(base) => git.argument(format!("--merge-base={base}")),
            None => git,
        };
        let git = git.argument("--end-of-options");
        let done = git.argument(ours.to_string()).argument(theirs.to_string()).try_run()?;
        let said = done.text();
        let mut parts = said.split('\0').map(str::trim).filter(|part| !part.is_empty());
        match (done.code, parts.next()) {
            (0, Some(tree)) => Oid::from_hex(tree).map(Merge::Clean),
            _ => Ok(Merge::Conflicts(parts.map(str::to_owned).collect())),
        }
    }

    /// The newest commit of the protected branch as this clone knows it: where the default remote's HEAD points.
    pub fn protected_tip(&self) -> Result<Option<Oid>> {
        Ok(self.protected_branch()?.map(|(_, tip)| tip))
    }

    /// The same, with the name that this clone has for it, as `origin/HEAD`.
    pub fn protected_branch(&self) -> Result<Option<(String, Oid)>> {
        let names = self.remote_names();
        let remote = names.iter().find(|name| *name == "origin").or_else(|| names.first());
        let Some(remote) = remote else { return Ok(None) };
        let name = format!("{remote}/HEAD");
        Ok(self.resolve_commit(&format!("refs/remotes/{name}")).ok().map(|tip| (name, tip)))
    }
}

/// A bare repository with nothing in it, gone when its handle is.
pub(super) fn empty_repository(format: ObjectFormat) -> Result<tempfile::TempDir> {
    let failed = |error: std::io::Error| Code::Rapid1504.because(format!("no temporary directory: {error}"));
    let aside = tempfile::tempdir().map_err(failed)?;
    for directory in ["objects", "refs"] {
        std::fs::create_dir(aside.path().join(directory)).map_err(failed)?;
    }
    let config = match format {
        ObjectFormat::Sha1 => "[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n",
        ObjectFormat::Sha256 => {
            "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
        }
    };
    for (name, text) in [("HEAD", "ref: refs/heads/none\n"), ("config", config)] {
        std::fs::write(aside.path().join(name), text).map_err(failed)?;
    }
    Ok(aside)
}
