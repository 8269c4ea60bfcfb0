//! The languages whose imports are read, told by the ending of a file's name.

use super::{go, project::Project, python, reference::Reference, rust, script};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Rust, edition 2018 or later.
    Rust,
    /// Python 3.
    Python,
    /// TypeScript and JavaScript.
    Script,
    /// Go.
    Go,
}

impl Language {
    /// The language of a file; `None` when its imports are not read.
    pub fn of(path: &str) -> Option<Language> {
        let (_, ending) = super::path::name(path).rsplit_once('.')?;
        match ending {
            "rs" => Some(Language::Rust),
            "py" | "pyi" => Some(Language::Python),
            "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" => Some(Language::Script),
            "go" => Some(Language::Go),
            _ => None,
        }
    }
}

/// Whether a file says how names lead to files: its text is needed beside those of the sources.
pub fn is_manifest(path: &str) -> bool {
    matches!(super::path::name(path), "Cargo.toml" | "go.mod")
}

/// A file's imports as its syntax has them.
pub(super) enum Imports {
    Rust(rust::Unit),
    Python(Vec<python::Import>),
    Script(Vec<script::Import>),
    Go(Vec<go::Import>),
}

/// Reads a file's imports.
pub(super) fn read(language: Language, text: &str) -> Imports {
    match language {
        Language::Rust => Imports::Rust(rust::read(text)),
        Language::Python => Imports::Python(python::read(text)),
        Language::Script => Imports::Script(script::read(text)),
        Language::Go => Imports::Go(go::read(text)),
    }
}

/// Where the imports of many files lead.
pub(super) struct Resolver<'a> {
    project: &'a Project,
    rust: rust::Modules,
    python: python::Roots,
    go: go::Modules,
    aliases: &'a [(String, String)],
}

impl<'a> Resolver<'a> {
    pub(super) fn new(project: &'a Project, read: &[(&str, Imports)], aliases: &'a [(String, String)]) -> Resolver<'a> {
        let units = read.iter().filter_map(|(path, imports)| match imports {
            Imports::Rust(unit) => Some((*path, unit)),
            _ => None,
        });
        Resolver {
            project,
            rust: rust::Modules::of(project, units),
            python: python::Roots::of(project),
            go: go::Modules::of(project),
            aliases,
        }
    }

    /// Where the imports of one file lead, in no particular order.
    pub(super) fn resolve(&self, path: &str, imports: &Imports) -> Vec<Reference> {
        match imports {
            Imports::Rust(unit) => self.rust.resolve(path, unit),
            Imports::Python(imports) => {
                imports.iter().flat_map(|i| self.python.resolve(self.project, path, i)).collect()
            }
            Imports::Script(imports) => {
                imports.iter().filter_map(|i| script::resolve(self.project, self.aliases, path, i)).collect()
            }
            Imports::Go(imports) => imports.iter().map(|i| self.go.resolve(path, i)).collect(),
        }
    }
}
