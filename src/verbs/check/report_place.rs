//! Where the command's report of its tests is looked for: what was asked, or what the run's terms say of the test command.

use crate::diagnostics::{Code, Result};
use crate::domain::text::RelativePath;
use std::path::{Path, PathBuf};

/// Where the report is.
pub(super) struct Wanted<'a> {
    /// What was asked; relative to where the command runs.
    pub asked: Option<&'a Path>,
    /// What the terms say, when the command is the test command; relative to the top of the working copy.
    pub terms: Option<&'a RelativePath>,
}

impl Wanted<'_> {
    /// The place, for a command that runs in `directory` of the working copy at `top`.
    ///
    /// # Errors
    /// RAPID1321 when another place is asked for than the terms say: the numbers of the test command come from one place.
    pub(super) fn place(&self, directory: &Path, top: &Path) -> Result<Option<PathBuf>> {
        let asked = self.asked.map(|path| directory.join(path));
        let terms = self.terms.map(|path| top.join(path.as_str()));
        match (asked, terms) {
            (Some(asked), Some(terms)) if !same(&asked, &terms) => Err(Code::Rapid1321
                .because(format!(
                    "the run's terms say that the test command writes its report to '{}'",
                    terms.display()
                ))
                .hint("leave --junit out, or give the command itself after '--'")),
            (asked, terms) => Ok(terms.or(asked)),
        }
    }
}

/// Whether two paths are the same, word by word or on the disk.
fn same(one: &Path, two: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == two || (real(one).is_some() && real(one) == real(two))
}
