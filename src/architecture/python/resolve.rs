//! Where an import leads: relative to the file's package, or below one of the directories that Python may search.

use super::read::Import;
use crate::architecture::{
    path,
    project::Project,
    reference::{Reference, Target},
};
use std::collections::BTreeSet;

/// The directories that hold top-level packages, in the whole repository.
pub(crate) struct Roots {
    everywhere: Vec<String>,
}

impl Roots {
    pub(crate) fn of(project: &Project) -> Roots {
        let mut found = BTreeSet::new();
        for file in project.files().filter(|file| path::name(file) == "__init__.py") {
            let package = path::parent(file);
            let above = path::parent(package);
            if !package.is_empty() && !project.has(&path::join(above, "__init__.py")) {
                found.insert(above.to_owned());
            }
        }
        found.extend(["", "src", "lib"].map(str::to_owned));
        Roots { everywhere: found.into_iter().collect() }
    }

    /// Where one import leads; nothing when it is relative and nothing is there.
    pub(crate) fn resolve(&self, project: &Project, file: &str, import: &Import) -> Option<Reference> {
        let here = path::parent(file);
        let module = import.module.replace('.', "/");
        if import.dots > 0 {
            let base = path::upwards(here).nth(import.dots - 1)?;
            let target = path::join(base, &module);
            return named(project, &target, import)
                .or_else(|| longest(project, base, &module).map(|found| at(import.line, found)));
        }
        let own = path::upwards(here).filter(|directory| !project.has(&path::join(directory, "__init__.py")));
        let roots: Vec<&str> = own.chain(self.everywhere.iter().map(String::as_str)).collect();
        for root in roots {
            let found = named(project, &path::join(root, &module), import)
                .or_else(|| longest(project, root, &module).map(|found| at(import.line, found)));
            if found.is_some() {
                return found.filter(|reference| reference.target != Target::file(file));
            }
        }
        let name = match &import.name {
            Some((_, name)) if name != "*" => format!("{}.{name}", import.module),
            _ => import.module.clone(),
        };
        Some(Reference::new(import.line, Target::module(name)))
    }
}

fn at(line: u32, found: String) -> Reference {
    Reference::new(line, Target::file(found))
}

/// The module that `from package import name` names, when the name is a module of the package.
fn named(project: &Project, package: &str, import: &Import) -> Option<Reference> {
    let (line, name) = import.name.as_ref().filter(|(_, name)| name != "*")?;
    module_file(project, &path::join(package, name)).map(|found| at(*line, found))
}

/// The file of the longest beginning of a module's path that has one.
fn longest(project: &Project, root: &str, module: &str) -> Option<String> {
    // The root itself is the package of `from . import name`.
    let parts = path::upwards(module).filter(|part| !part.is_empty() || module.is_empty());
    parts.filter_map(|part| module_file(project, &path::join(root, part))).next()
}

fn module_file(project: &Project, module: &str) -> Option<String> {
    let inside = |name: &str| path::join(module, name);
    let beside = |ending: &str| format!("{module}{ending}");
    [inside("__init__.py"), beside(".py"), inside("__init__.pyi"), beside(".pyi")]
        .into_iter()
        .find(|file| project.has(file))
}
