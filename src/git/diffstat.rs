//! How much changed between two trees, and whose commits lie between two points: what a person is shown before they decide.
//!
//! Git's own counts; no driver, filter or program that a configuration names is asked, but by `diff_for_people`, which says so.

use super::{Git, GitOutput, Oid, Repository, merge::empty_repository, snapshot::shown};
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
    /// The counts of each file that differs between two trees, by path as people read it; files that are not text have none.
    pub fn line_counts(&self, old: Oid, new: Oid) -> Result<BTreeMap<String, LineCounts>> {
        let done = self.plain_diff(old, new, &["--numstat", "-z"])?;
        let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse().ok();
        let counts = done.stdout.split(|byte| *byte == 0).filter_map(|line| {
            let mut fields = line.splitn(3, |byte| *byte == b'\t');
            let (added, removed) = (number(fields.next()?)?, number(fields.next()?)?);
            Some((shown(fields.next()?.into()), LineCounts { added, removed }))
        });
        Ok(counts.collect())
    }

    /// What differs between two trees, as a patch, up to so many bytes; and whether there was more.
    pub fn patch(&self, old: Oid, new: Oid, most: usize) -> Result<(String, bool)> {
        let done = self.plain_diff(old, new, &["-p", "--no-color", "--full-index"])?;
        let kept = done.stdout.get(..most).unwrap_or(&done.stdout);
        Ok((String::from_utf8_lossy(kept).into_owned(), kept.len() < done.stdout.len()))
    }

    /// By git in an empty repository that borrows our objects: no attribute and no setting of this clone hides a change.
    fn plain_diff(&self, old: Oid, new: Oid, form: &[&str]) -> Result<GitOutput> {
        let plain = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let asked = |git: Git| {
            git.arguments(plain).arguments(form.iter().copied()).argument(old.to_string()).argument(new.to_string())
        };
        let place = empty_repository(self.format())?;
        let aside = self.aside(place.path(), "GIT_ALTERNATE_OBJECT_DIRECTORIES");
        let done = asked(aside.arguments(["-c", "core.attributesFile=/dev/null"])).try_run()?;
        // What still waits in the spool is found from here only.
        if done.code == 0 { Ok(done) } else { asked(self.git()).run() }
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
