//! How much changed between two trees, and whose commits lie between two points: what a person is shown before they decide.
//!
//! Git's own counts; no driver, filter or program that a configuration names is asked, but by `diff_for_people`, which says so.

use super::{Oid, Repository};
use crate::diagnostics::Result;
use std::collections::BTreeMap;

/// Lines that came and went in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// How many came.
    pub added: u64,
    /// How many went.
    pub removed: u64,
}

impl Repository {
    /// The counts of each file that differs between two trees, by path; files that are not text have none.
    pub fn line_counts(&self, old: Oid, new: Oid) -> Result<BTreeMap<String, LineCounts>> {
        let plain = ["--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let git = self.git().argument("diff-tree").argument("-r").arguments(plain);
        let done = git.argument(old.to_string()).argument(new.to_string()).run()?;
        let text = done.text();
        let counts = text.split('\0').filter_map(|line| {
            let mut fields = line.splitn(3, '\t');
            let (added, removed) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((fields.next()?.to_owned(), LineCounts { added, removed }))
        });
        Ok(counts.collect())
    }

    /// What differs between two trees, as a patch, up to so many bytes; and whether there was more.
    pub fn patch(&self, old: Oid, new: Oid, most: usize) -> Result<(String, bool)> {
        let plain = ["-r", "-p", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", "--full-index"];
        let git = self.git().argument("diff-tree").arguments(plain);
        let done = git.argument(old.to_string()).argument(new.to_string()).run()?;
        let kept = done.stdout.get(..most).unwrap_or(&done.stdout);
        Ok((String::from_utf8_lossy(kept).into_owned(), kept.len() < done.stdout.len()))
    }

    /// What differs between two trees as `git diff` shows it to people here, up to so many bytes: by the external program and the
    /// text conversions that configuration and attributes name, which are run for it.
    pub fn diff_for_people(&self, old: Oid, new: Oid, most: usize) -> Result<String> {
        let git = self.git().arguments(["diff", "--ext-diff", "--textconv", "--no-color"]);
        let done = git.argument(old.to_string()).argument(new.to_string()).argument("--").run()?;
        let kept = done.stdout.get(..most).unwrap_or(&done.stdout);
        Ok(String::from_utf8_lossy(kept).into_owned())
    }

    /// The addresses of the authors of the commits behind `HEAD` that are not behind `base`, sorted.
    pub fn authors_since(&self, base: Option<Oid>) -> Result<Vec<String>> {
        let Some(head) = self.head()?.commit else { return Ok(Vec::new()) };
        let git = self.git().arguments(["rev-list", "--no-commit-header", "--format=%ae"]).argument(head.to_string());
        let git = match base {
            Some(base) => git.argument(format!("^{base}")),
            None => git,
        };
        let done = git.run()?;
        let mut authors: Vec<String> =
            done.text().lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
        authors.sort();
        authors.dedup();
        Ok(authors)
    }
}
