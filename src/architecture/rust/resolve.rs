//! Where a path leads: to the file of the longest beginning of it that is a module, or out of the repository.

use super::{
    modules::{Modules, Place},
    read::{Form, Named, Unit},
};
use crate::architecture::reference::{Reference, Target};
use std::collections::{BTreeMap, BTreeSet};

/// How often a name may stand for a path that begins with a name again.
const MOST_ALIASES: usize = 4;

/// How many `use …::*` of one module are looked through for a name.
const MOST_GLOBS: usize = 16;

impl Modules {
    /// Where the paths of one file lead.
    pub(crate) fn resolve(&self, file: &str, unit: &Unit) -> Vec<Reference> {
        let Some(place) = self.place(file) else { return Vec::new() };
        let view = View::new(self, place, unit);
        let mut found = Vec::new();
        for declared in &unit.modules {
            let target = self.declared(file, unit, declared).and_then(|place| self.file(&place).map(Target::file));
            found.extend(target.map(|target| Reference::new(declared.line, target)));
        }
        for named in &unit.paths {
            let reference = view.reference(named).filter(|reference| reference.target != Target::file(file));
            found.extend(reference);
        }
        found
    }
}

/// A path, worked out.
enum End {
    Inside(Place),
    Outside(String),
    Nowhere,
}

/// A file with the names that its modules give to paths.
struct View<'a> {
    modules: &'a Modules,
    place: &'a Place,
    unit: &'a Unit,
    given: BTreeMap<(usize, &'a str), &'a Named>,
    globs: BTreeMap<usize, Vec<&'a Named>>,
    /// The modules that this file itself has: inline ones, and declared ones.
    own: BTreeSet<Vec<&'a str>>,
}

impl<'a> View<'a> {
    fn new(modules: &'a Modules, place: &'a Place, unit: &'a Unit) -> View<'a> {
        let mut view =
            View { modules, place, unit, given: BTreeMap::new(), globs: BTreeMap::new(), own: BTreeSet::new() };
        for named in &unit.paths {
            match &named.form {
                Form::Use(Some(name)) | Form::Crate(Some(name)) => {
                    view.given.entry((named.scope, name)).or_insert(named);
                }
                Form::Glob => {
                    let globs = view.globs.entry(named.scope).or_default();
                    if globs.len() < MOST_GLOBS {
                        globs.push(named);
                    }
                }
                Form::Use(None) | Form::Crate(None) | Form::Code => {}
            }
        }
        for declared in &unit.modules {
            let mut path = view.scope(declared.scope);
            path.push(&declared.name);
            view.own.insert(path);
        }
        view.own.extend(unit.scopes.iter().map(|scope| scope.iter().map(String::as_str).collect::<Vec<_>>()));
        view
    }

    fn scope(&self, scope: usize) -> Vec<&'a str> {
        self.unit.scopes.get(scope).into_iter().flatten().map(String::as_str).collect()
    }

    /// The module that a scope is.
    fn module(&self, scope: usize) -> Place {
        let mut place = self.place.clone();
        place.path.extend(self.scope(scope).into_iter().map(str::to_owned));
        place
    }

    fn reference(&self, named: &Named) -> Option<Reference> {
        let (end, given) = match (&named.form, named.path.first()) {
            (Form::Crate(_), Some(name)) if name != "crate" => (self.outside(&named.path), false),
            _ => self.end(named, named.path.clone()),
        };
        let target = match end {
            End::Inside(place) => Target::file(self.nearest(place)?),
            End::Outside(name) => Target::Module { name, whole: named.form == Form::Glob },
            End::Nowhere => return None,
        };
        Some(Reference { given, line: named.line, target })
    }

    /// The file of a module, or of the closest one around it that has a file.
    fn nearest(&self, mut place: Place) -> Option<&'a str> {
        loop {
            match self.modules.file(&place) {
                Some(file) => return Some(file),
                None => drop(place.path.pop()?),
            }
        }
    }

    /// Where a path ends, and whether it begins with a name that another import gave.
    fn end(&self, named: &Named, mut path: Vec<String>) -> (End, bool) {
        let mut used: Vec<&Named> = Vec::new();
        loop {
            let Some((first, rest)) = path.split_first() else { return (End::Nowhere, false) };
            let given = !used.is_empty();
            match first.as_str() {
                "" => return (self.outside(rest), given),
                "crate" => return (self.below(Place { base: self.place.base.clone(), path: Vec::new() }, rest), given),
                "self" => return (self.below(self.module(named.scope), rest), given),
                "super" => return (self.below(self.module(named.scope), &path), given),
                _ => {}
            }
            let mut child = self.scope(named.scope);
            child.push(first);
            if self.own.contains(&child) || self.modules.file(&self.child(named.scope, first)).is_some() {
                return (self.below(self.module(named.scope), &path), given);
            }
            let alias = self.given.get(&(named.scope, first.as_str())).copied();
            let fresh = |import: &&Named| !used.iter().chain([&named]).any(|seen| std::ptr::eq(*seen, *import));
            let Some(import) = alias.filter(fresh).filter(|_| used.len() < MOST_ALIASES) else { break };
            used.push(import);
            let is_crate =
                matches!(import.form, Form::Crate(_)) && import.path.first().is_some_and(|name| name != "crate");
            let mut whole = if is_crate { vec![String::new()] } else { Vec::new() };
            whole.extend(import.path.iter().chain(rest).cloned());
            path = whole;
        }
        (self.through_glob(named, &path).unwrap_or_else(|| self.outside(&path)), !used.is_empty())
    }

    fn child(&self, scope: usize, name: &str) -> Place {
        let mut place = self.module(scope);
        place.path.push(name.to_owned());
        place
    }

    /// A name that `use …::*` brings here, when it is a module with a file.
    fn through_glob(&self, named: &Named, path: &[String]) -> Option<End> {
        let first = path.first()?;
        for glob in self.globs.get(&named.scope)?.iter().filter(|glob| !std::ptr::eq(**glob, named)) {
            let begins = glob.path.first().map(String::as_str);
            if !matches!(begins, Some("crate" | "self" | "super")) {
                continue;
            }
            let (End::Inside(mut place), _) = self.end(named, glob.path.clone()) else { continue };
            place.path.push(first.clone());
            if self.modules.file(&place).is_some() {
                place.path.extend(path.iter().skip(1).cloned());
                return Some(End::Inside(place));
            }
        }
        None
    }

    /// A path below a module; `super` in front goes up.
    fn below(&self, mut place: Place, path: &[String]) -> End {
        let mut rest = path;
        while let Some((first, more)) = rest.split_first() {
            match first.as_str() {
                "super" if place.path.pop().is_none() => return End::Nowhere,
                "super" | "self" => rest = more,
                _ => break,
            }
        }
        place.path.extend(rest.iter().cloned());
        End::Inside(place)
    }

    /// A path that begins with a crate: one of this repository, or one from outside.
    fn outside(&self, path: &[String]) -> End {
        match path.split_first() {
            None => End::Nowhere,
            Some((first, rest)) => match self.modules.libraries.get(first) {
                Some(base) => End::Inside(Place { base: base.clone(), path: rest.to_vec() }),
                None => End::Outside(path.join("::")),
            },
        }
    }
}
