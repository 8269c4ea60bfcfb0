//! Where a specifier leads: relative to its file, or through an alias of the rules; everything else is a module from outside.

use super::read::Import;
use crate::architecture::{
    path,
    project::Project,
    reference::{Reference, Target},
};

/// Endings in the order in which they are tried.
const ENDINGS: &[&str] = &[".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];

/// Endings that a specifier says and the source may have instead.
const INSTEAD: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

/// Where one import leads; nothing when it leaves the repository.
pub(crate) fn resolve(
    project: &Project,
    aliases: &[(String, String)],
    file: &str,
    import: &Import,
) -> Option<Reference> {
    let whole = import.specifier.as_str();
    let relative = |text: &str| matches!(text, "." | "..") || text.starts_with("./") || text.starts_with("../");
    let aliased = aliases.iter().find_map(|(prefix, place)| Some(format!("{place}{}", whole.strip_prefix(prefix)?)));
    let base = match aliased {
        Some(place) => path::resolve("", &place)?,
        None if relative(whole) => path::resolve(path::parent(file), whole)?,
        None => return Some(Reference::new(import.line, Target::module(whole))),
    };
    // What a bundler is told behind `?` or `#` is no part of the path, unless a file is called so.
    let plain = base.split(['?', '#']).next().unwrap_or_default();
    let found = source(project, &base).or_else(|| source(project, plain));
    // A file that is not there yet still lies where its path says.
    let target = Target::file(found.unwrap_or_else(|| plain.to_owned()));
    Some(Reference::new(import.line, target))
}

fn source(project: &Project, base: &str) -> Option<String> {
    let exact = (!base.is_empty()).then(|| base.to_owned());
    let instead = INSTEAD.iter().filter_map(|(said, real)| Some((base.strip_suffix(said)?, real)));
    let instead = instead.flat_map(|(stem, real)| real.iter().map(move |ending| format!("{stem}{ending}")));
    let ended = ENDINGS.iter().map(|ending| format!("{base}{ending}"));
    let index = ENDINGS.iter().map(|ending| path::join(base, &format!("index{ending}")));
    exact.into_iter().chain(instead).chain(ended).chain(index).find(|path| project.has(path))
}
