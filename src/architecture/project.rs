//! What the resolvers know of a repository: the paths of all its files, and the manifests that give names to directories.

use std::collections::{BTreeMap, BTreeSet};

/// The repository as the resolvers see it.
#[derive(Clone, Debug, Default)]
pub struct Project {
    files: BTreeSet<String>,
    manifests: BTreeMap<String, String>,
}

impl Project {
    /// A repository with these files.
    pub fn of(files: impl IntoIterator<Item = String>) -> Project {
        Project { files: files.into_iter().collect(), manifests: BTreeMap::new() }
    }

    /// Adds the text of a manifest (`Cargo.toml`, `go.mod`).
    pub fn manifest(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.manifests.insert(path.into(), text.into());
    }

    /// Every path.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// The manifests of this name: directory and text.
    pub(super) fn manifests<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let named = self.manifests.iter().filter(move |(path, _)| super::path::name(path) == name);
        named.map(|(path, text)| (super::path::parent(path), text.as_str()))
    }
}
