//! What tools leave behind in a working copy.

use gix::bstr::{BStr, ByteSlice};

/// Names of directories that tools fill.
const DIRECTORIES: &[&str] = &[
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".nyc_output",
    ".tox",
    ".nox",
    ".gradle",
    ".idea",
];

/// Names of files that tools leave.
const FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini", ".coverage", ".eslintcache"];

/// Endings of files that tools leave.
const ENDINGS: &[&str] = &[".pyc", ".pyo", ".swp", ".swo", "~", ".orig.tmp"];

/// What counts as litter: the built-in list and a project's own names.
#[derive(Clone, Debug, Default)]
pub struct Litter {
    /// More names of files or directories.
    pub own: Vec<String>,
}

impl Litter {
    /// Whether an untracked path is litter, itself or because of a directory that it lies in.
    pub fn matches(&self, path: &BStr, is_directory: bool) -> bool {
        let own = |part: &[u8]| self.own.iter().any(|name| name.as_bytes() == part);
        let mut parts = path.split_str(b"/").peekable();
        while let Some(part) = parts.next() {
            let is_file = parts.peek().is_none() && !is_directory;
            let listed = |list: &[&str]| list.iter().any(|name| name.as_bytes() == part);
            if own(part)
                || listed(DIRECTORIES)
                || (is_file && (listed(FILES) || ENDINGS.iter().any(|end| part.ends_with(end.as_bytes()))))
            {
                return true;
            }
        }
        false
    }
}
