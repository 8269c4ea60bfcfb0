//! The judgement: every import of every file of a layer against the rules.

use super::{
    language::{self, Language, Resolver},
    project::Project,
    reference::Target,
    rules::{Layer, Rule, Rules},
};
use std::collections::{BTreeMap, BTreeSet};

/// An import that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The importing file.
    pub path: String,
    /// The line that names what is imported; 0 when it is about the file as a whole.
    pub line: u32,
    /// The layer of the importing file.
    pub from: String,
    /// The layer or the outside module that it imports; `None`: a file in no layer.
    pub to: Option<String>,
    /// Which rule: `default`, `forbid`, `outside`, `forbid_modules` or `unread`.
    pub rule: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// A file that could not be read as a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its path.
    pub path: String,
    /// Why.
    pub why: String,
}

/// How many source files a layer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFiles {
    /// Its name.
    pub name: String,
    /// How many.
    pub files: usize,
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What is not allowed, by path, line and target.
    pub findings: Vec<Finding>,
    /// How many source files were read.
    pub files: usize,
    /// The layers in the order of the rules.
    pub layers: Vec<LayerFiles>,
    /// What is worth knowing and breaks no rule.
    pub notes: Vec<String>,
}

/// Judges the sources (path and text) of a project. A source of a layer that could not be read breaks the rules: nobody can say
/// that it keeps them.
pub fn judge(rules: &Rules, project: &Project, sources: &[(String, String)], unread: &[Unread]) -> Judgement {
    let wanted = sources.iter().filter(|(path, _)| !rules.ignores(path));
    let read: Vec<_> =
        wanted.filter_map(|(path, text)| Some((path.as_str(), language::read(Language::of(path)?, text)))).collect();
    let resolver = Resolver::new(project, &read, &rules.aliases);
    let mut findings = BTreeSet::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, imports) in &read {
        let Some(layer) = rules.layer_of(path) else { continue };
        *counts.entry(&layer.name).or_default() += 1;
        let mut references = resolver.resolve(path, imports);
        references.sort();
        let mut said = BTreeSet::new();
        for reference in references {
            for broken in broken(rules, layer, &reference.target) {
                // Every use of a name that was imported against the rules would repeat what the import says.
                let what = (broken.to.clone(), broken.rule);
                if !reference.given || !said.contains(&what) {
                    findings.insert(broken.at(path, reference.line, layer));
                    said.insert(what);
                }
            }
        }
    }
    let mut notes = Vec::new();
    for file in unread.iter().filter(|file| !rules.ignores(&file.path)) {
        match rules.layer_of(&file.path) {
            Some(layer) => {
                let message = format!("{}, so nobody can say what it imports", file.why);
                findings.insert(Broken { to: None, rule: "unread", message }.at(&file.path, 0, layer));
            }
            None => notes.push(format!("'{}' was not read: {}", file.path, file.why)),
        }
    }
    let layers = rules.layers.iter();
    let layers =
        layers.map(|l| LayerFiles { name: l.name.clone(), files: counts.get(l.name.as_str()).copied().unwrap_or(0) });
    let layers: Vec<_> = layers.collect();
    let empty = layers.iter().filter(|layer| layer.files == 0);
    notes.extend(empty.map(|layer| format!("layer '{}' has no source file", layer.name)));
    Judgement { findings: findings.into_iter().collect(), files: read.len(), layers, notes }
}

struct Broken {
    to: Option<String>,
    rule: &'static str,
    message: String,
}

impl Broken {
    fn at(self, path: &str, line: u32, from: &Layer) -> Finding {
        let Broken { to, rule, message } = self;
        Finding { path: path.to_owned(), line, from: from.name.clone(), to, rule, message }
    }
}

fn broken(rules: &Rules, from: &Layer, target: &Target) -> Vec<Broken> {
    match target {
        Target::Module { name, whole } => {
            let named = from.forbid_modules.iter().filter(|module| names(module, name, *whole));
            let message = || format!("layer '{}' may not name the module '{name}'", from.name);
            named
                .map(|module| Broken { to: Some(module.clone()), rule: "forbid_modules", message: message() })
                .collect()
        }
        Target::Files(files) => {
            let mut seen = BTreeSet::new();
            let ours = files.iter().filter(|file| !rules.ignores(file));
            ours.filter_map(|file| {
                let to = rules.layer_of(file);
                seen.insert(to.map(|layer| &layer.name)).then_some(())?;
                file_broken(rules, from, to, file)
            })
            .collect()
        }
    }
}

fn file_broken(rules: &Rules, from: &Layer, to: Option<&Layer>, file: &str) -> Option<Broken> {
    let Some(to) = to else {
        return (rules.outside == Rule::Forbid).then(|| Broken {
            to: None,
            rule: "outside",
            message: format!("layer '{}' may not import '{file}', which is in no layer", from.name),
        });
    };
    let rule = match () {
        () if to.name == from.name => return None,
        () if from.forbid.contains(&to.name) => "forbid",
        () if from.allow.contains(&to.name) || rules.default == Rule::Allow => return None,
        () => "default",
    };
    let message = format!("layer '{}' may not import layer '{}' ({file})", from.name, to.name);
    Some(Broken { to: Some(to.name.clone()), rule, message })
}

/// Whether a name is a forbidden module, a part of it, or (with everything below it) brings it in.
fn names(forbidden: &str, name: &str, whole: bool) -> bool {
    let plain = |module: &'_ str| module.strip_prefix("node:").unwrap_or(module).to_owned();
    let (forbidden, name) = (plain(forbidden), plain(name));
    let is_part = |of: &str, module: &str| {
        module
            .strip_prefix(of)
            .is_some_and(|rest| rest.is_empty() || ["::", ".", "/"].iter().any(|sep| rest.starts_with(sep)))
    };
    is_part(&forbidden, &name) || (whole && is_part(&name, &forbidden))
}
