//! Imports by language as tables of texts and where they lead, the judgement, and laws for arbitrary texts.

mod go;
mod judgement;
mod laws;
mod python;
mod rust;
mod script;

use super::{
    Project, is_manifest,
    language::{self, Language, Resolver},
    reference::Target,
};

/// Where the imports of one of some files lead, as `line target`; modules from outside in brackets.
fn leads(files: &[(&str, &str)], from: &str) -> Vec<String> {
    let mut project = Project::of(files.iter().map(|(path, _)| (*path).to_owned()));
    for (path, text) in files.iter().filter(|(path, _)| is_manifest(path)) {
        project.manifest(*path, *text);
    }
    let sources = files.iter().filter_map(|(path, text)| Some((*path, language::read(Language::of(path)?, text))));
    let read: Vec<_> = sources.collect();
    let aliases = [("@/".to_owned(), "src/".to_owned())];
    let resolver = Resolver::new(&project, &read, &aliases);
    let imports = &read.iter().find(|(path, _)| *path == from).expect("the file is there").1;
    let mut found = resolver.resolve(from, imports);
    found.sort();
    found.dedup();
    let shown = found.into_iter().map(|reference| match reference.target {
        Target::Files(files) => format!("{} {}", reference.line, files.join(" ")),
        Target::Module { name, whole } => format!("{} [{name}{}]", reference.line, if whole { " whole" } else { "" }),
    });
    shown.collect()
}

/// Checks a table: the text of `from` beside fixed other files, and where its imports lead.
fn check(others: &[&str], from: &str, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let mut files: Vec<(&str, &str)> =
            others.iter().filter(|path| **path != from).map(|path| (*path, "")).collect();
        files.push((from, text));
        assert_eq!(leads(&files, from), *expected, "{text}");
    }
}
