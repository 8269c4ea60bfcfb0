//! Which file holds which module: by cargo's conventions for the files of a package, and by what `#[path]` says otherwise.

use super::read::{Declared, Unit};
use crate::architecture::{path, project::Project};
use std::collections::BTreeMap;

/// The modules of all crates of the repository.
pub(crate) struct Modules {
    places: BTreeMap<String, Place>,
    files: BTreeMap<Place, String>,
    /// The library crates by name: the directory of each one's root.
    pub(super) libraries: BTreeMap<String, String>,
}

/// A module: the directory of its crate's root, and its path in the crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) base: String,
    pub(super) path: Vec<String>,
}

impl Modules {
    pub(crate) fn of<'u>(project: &Project, units: impl Iterator<Item = (&'u str, &'u Unit)>) -> Modules {
        let mut modules = Modules { places: BTreeMap::new(), files: BTreeMap::new(), libraries: libraries(project) };
        for file in project.files().filter(|file| file.ends_with(".rs")) {
            modules.add(project, file);
        }
        for (file, unit) in units {
            for declared in unit.modules.iter().filter(|declared| declared.place.is_some()) {
                if let (Some(place), Some(target)) =
                    (modules.declared(file, unit, declared), elsewhere(file, unit, declared))
                {
                    modules.files.insert(place, target);
                }
            }
        }
        modules
    }

    /// The module that a file holds by convention.
    pub(super) fn place(&self, file: &str) -> Option<&Place> {
        self.places.get(file)
    }

    /// The file of exactly this module.
    pub(super) fn file(&self, place: &Place) -> Option<&str> {
        self.files.get(place).map(String::as_str)
    }

    /// The module that `mod name;` declares.
    pub(super) fn declared(&self, file: &str, unit: &Unit, declared: &Declared) -> Option<Place> {
        let mut place = self.place(file)?.clone();
        place.path.extend(unit.scopes.get(declared.scope)?.iter().cloned());
        place.path.push(declared.name.clone());
        Some(place)
    }

    fn add(&mut self, project: &Project, file: &str) {
        let (base, many_roots) = base_of(project, file);
        let stem = path::below(file, &base).and_then(|rest| rest.strip_suffix(".rs")).unwrap_or_default();
        let mut parts: Vec<String> = stem.split('/').map(str::to_owned).collect();
        if matches!(stem, "lib" | "main") || parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        // Beside each other stand roots and what they share; such a file is looked for as a module and sees itself as a root.
        let is_root = many_roots && parts.len() == 1 && path::name(file) != "mod.rs";
        let own = if is_root { Vec::new() } else { parts.clone() };
        self.places.insert(file.to_owned(), Place { base: base.clone(), path: own });
        self.files.entry(Place { base, path: parts }).or_insert_with(|| file.to_owned());
    }
}

/// The file that a `#[path]` names.
fn elsewhere(file: &str, unit: &Unit, declared: &Declared) -> Option<String> {
    let scope = unit.scopes.get(declared.scope)?.join("/");
    let directory = path::join(path::parent(file), &scope);
    path::resolve(&directory, declared.place.as_deref()?)
}

/// The directory of the root of a file's crate, and whether each file there is a root of its own.
fn base_of(project: &Project, file: &str) -> (String, bool) {
    let here = path::parent(file);
    let package = path::upwards(here).find(|directory| project.has(&path::join(directory, "Cargo.toml")));
    if let Some(package) = package {
        let rest = path::below(file, package).unwrap_or_default();
        for home in ["src/bin", "tests", "benches", "examples"] {
            let Some(inside) = path::below(rest, home) else { continue };
            let home = path::join(package, home);
            let own = inside.split_once('/').map(|(own, _)| path::join(&home, own));
            return match own.filter(|own| project.has(&path::join(own, "main.rs"))) {
                Some(own) => (own, false),
                None => (home, true),
            };
        }
        if path::below(rest, "src").is_some() {
            return (path::join(package, "src"), false);
        }
    }
    let has_root =
        |directory: &&str| ["lib.rs", "main.rs"].iter().any(|root| project.has(&path::join(directory, root)));
    let found = path::upwards(here).find(has_root).or_else(|| path::upwards(here).find(|dir| path::name(dir) == "src"));
    (found.unwrap_or(here).to_owned(), false)
}

/// The library crates that the manifests name.
fn libraries(project: &Project) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (directory, text) in project.manifests("Cargo.toml") {
        let Ok(manifest) = text.parse::<toml::Table>() else { continue };
        let text = |table: &str, key: &str| manifest.get(table)?.as_table()?.get(key)?.as_str().map(str::to_owned);
        let Some(name) = text("lib", "name").or_else(|| text("package", "name")) else { continue };
        let root = text("lib", "path").unwrap_or_else(|| "src/lib.rs".to_owned());
        if let Some(root) = path::resolve(directory, &root).filter(|root| project.has(root)) {
            found.insert(name.replace('-', "_"), path::parent(&root).to_owned());
        }
    }
    found
}
