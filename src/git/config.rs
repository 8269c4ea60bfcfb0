//! Reading git's configuration: what git-rapid itself asks of it, and the format extensions it must know.

use super::repository::{RefStorage, Repository};
use crate::diagnostics::{Code, Result};

/// Extensions that change nothing for us, or that gix follows.
const KNOWN: &[&str] =
    &["noop", "noop-v1", "objectformat", "worktreeconfig", "preciousobjects", "partialclone", "relativeworktrees"];

/// Refuses extensions that nobody here knows (gix opens such a repository without complaint) and tells how refs are kept.
pub(super) fn check_extensions(gix: &gix::Repository) -> Result<RefStorage> {
    let snapshot = gix.config_snapshot();
    let mut storage = RefStorage::Files;
    if snapshot.integer("core.repositoryFormatVersion").unwrap_or(0) < 1 {
        return Ok(storage);
    }
    for section in snapshot.plumbing().sections_by_name("extensions").into_iter().flatten() {
        for name in section.value_names() {
            let name = name.to_string().to_ascii_lowercase();
            if name == "refstorage" {
                storage = match snapshot.string("extensions.refStorage").map(|value| value.to_string()).as_deref() {
                    None | Some("files") => RefStorage::Files,
                    Some("reftable") => RefStorage::Reftable,
                    Some(other) => {
                        return Err(Code::Rapid1502.because(format!("the ref storage '{other}' is not supported")));
                    }
                };
            } else if !KNOWN.contains(&name.as_str()) {
                return Err(Code::Rapid1502
                    .because(format!("the repository has the unknown extension '{name}'"))
                    .hint("use a newer git-rapid"));
            }
        }
    }
    Ok(storage)
}

impl Repository {
    /// A configuration value as text, empty ones included.
    pub fn config_text(&self, key: &str) -> Option<String> {
        self.gix.config_snapshot().string(key).map(|value| value.to_string())
    }

    /// The pager that git would take: `GIT_PAGER`, `core.pager`, `PAGER`, else `less`; `None` where it is said to be none.
    pub fn pager(&self) -> Option<String> {
        let set = self.environment.text("GIT_PAGER").map(str::to_owned).or_else(|| self.config_text("core.pager"));
        let set = set.or_else(|| self.environment.text("PAGER").map(str::to_owned));
        set.or_else(|| Some("less".to_owned())).filter(|command| !command.trim().is_empty())
    }

    /// A configuration value that this repository did not set: the system's, the person's, or the command line's.
    pub fn own_config_text(&self, key: &str) -> Option<String> {
        let outside = |meta: &gix::config::file::Metadata| meta.source.kind() != gix::config::source::Kind::Repository;
        self.gix.config_snapshot().plumbing().string_filter(key, outside).map(|value| value.to_string())
    }

    /// A configuration value as a truth value; `None` when it is not set or not one.
    pub fn config_flag(&self, key: &str) -> Option<bool> {
        self.gix.config_snapshot().boolean(key)
    }

    /// All values of a key, in order.
    pub fn config_texts(&self, key: &str) -> Vec<String> {
        let snapshot = self.gix.config_snapshot();
        let values = snapshot.plumbing().strings(key).unwrap_or_default();
        values.iter().map(ToString::to_string).collect()
    }

    /// The aliases, by name.
    pub fn config_aliases(&self) -> Vec<(String, String)> {
        let snapshot = self.gix.config_snapshot();
        let sections = snapshot.plumbing().sections_by_name("alias").into_iter().flatten();
        let mut found = Vec::new();
        for section in sections {
            for name in section.value_names() {
                found.extend(section.value(name.as_str()).map(|value| (name.to_string(), value.to_string())));
            }
        }
        found
    }

    /// The names of the configured remotes.
    pub fn remote_names(&self) -> Vec<String> {
        self.gix.remote_names().iter().map(ToString::to_string).collect()
    }
}
