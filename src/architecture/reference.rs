//! What an import leads to, whatever the language.

/// One import, resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reference {
    /// Whether it begins with a name that another import of the file gave: what that one breaks is said there.
    pub(super) given: bool,
    /// The line that names what is imported.
    pub(super) line: u32,
    /// Where it leads.
    pub(super) target: Target,
}

impl Reference {
    pub(super) fn new(line: u32, target: Target) -> Reference {
        Reference { given: false, line, target }
    }
}

/// Where an import leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// To files of the repository: one, or those of a package.
    Files(Vec<String>),
    /// To a module from outside.
    Module {
        /// Its name as the language writes it.
        name: String,
        /// Whether everything below it is brought in (`use std::*`).
        whole: bool,
    },
}

impl Target {
    pub(super) fn file(path: impl Into<String>) -> Target {
        Target::Files(vec![path.into()])
    }

    pub(super) fn module(name: impl Into<String>) -> Target {
        Target::Module { name: name.into(), whole: false }
    }
}
