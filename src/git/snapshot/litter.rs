//! What tools leave behind in a working copy, and what looks too secret to be kept. One list each.

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

/// Whether an untracked file looks like it holds a secret: it is named in the record instead of being kept.
pub(super) fn looks_secret(path: &BStr) -> bool {
    let name = path.rsplit_str(b"/").next().unwrap_or_default().to_ascii_lowercase();
    let name = name.as_bstr();
    let example = [".example", ".sample", ".template", ".dist", ".pub"].iter().any(|end| name.ends_with_str(end));
    let exact = [
        ".env",
        ".envrc",
        ".netrc",
        "_netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".htpasswd",
        "credentials",
        "credentials.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.toml",
        "service-account.json",
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
    ];
    let ending =
        [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".tfvars", ".ovpn"];
    !example
        && (exact.iter().any(|known| name == known)
            || name.starts_with(b".env.")
            || ending.iter().any(|end| name.ends_with_str(end)))
}
