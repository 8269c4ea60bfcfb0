//! What the test command resolves to in a tree: the script, the manifest entry or the target that it runs (design §5). Kept with
//! each check of the test command, so that a changed definition is seen even when the command's words stay the same.
//!
//! Only what stands in the tree; which program a name on the `PATH` means is this machine's matter.

use crate::diagnostics::Result;
use crate::domain::{
    digest::Digest,
    json::{self, Value},
};
use crate::git::{Kind, Mode, Oid, Repository};
use std::collections::BTreeMap;

/// The largest file that is looked into, in bytes.
const CAP: u64 = 4 << 20;

/// Programs that run the file that their first argument names.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "ruby", "perl", "php", "lua", "tclsh", "Rscript",
];

/// Files that say what a program does when it is called for tests: program, files.
const MANIFESTS: &[(&str, &[&str])] = &[
    ("cargo", &[".cargo/config.toml"]),
    ("pytest", &["pytest.ini"]),
    ("tox", &["tox.ini"]),
    ("nox", &["noxfile.py"]),
    ("ctest", &["CTestTestfile.cmake"]),
];

/// Programs that run an entry of `package.json`.
const PACKAGE_RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// The parts of `tree` that define what `command` runs, with the digest of each.
pub fn definition(repository: &Repository, tree: Oid, command: &[String]) -> Result<BTreeMap<String, Digest>> {
    let look = |path: &str| -> Result<Option<Vec<u8>>> {
        match repository.lookup(tree, path)? {
            Some(found) if matches!(found.mode, Mode::File | Mode::Executable) => {
                repository.read_verified(found.id, Kind::Blob, CAP).map(Some)
            }
            _ => Ok(None),
        }
    };
    let mut parts = BTreeMap::new();
    let program = command.first().map(String::as_str).unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    let mut words = command.iter().skip(1).map(String::as_str).filter(|word| !word.starts_with('-'));
    let module = command.iter().skip_while(|word| *word != "-m").nth(1).map(String::as_str);
    let scripts = [
        Some(program).filter(|path| path.contains('/')),
        INTERPRETERS.contains(&name).then(|| words.clone().next()).flatten(),
    ];
    for path in scripts.into_iter().flatten() {
        let path = path.trim_start_matches("./");
        if let Some(bytes) = look(path)? {
            parts.insert(path.to_owned(), Digest::of(&bytes));
        }
    }
    for (tool, files) in MANIFESTS.iter().filter(|(tool, _)| *tool == name || Some(*tool) == module) {
        for path in *files {
            if let Some(bytes) = look(path)? {
                parts.insert((*path).to_owned(), Digest::of(&bytes));
            }
        }
        let _ = tool;
    }
    if PACKAGE_RUNNERS.contains(&name)
        && let Some(bytes) = look("package.json")?
    {
        let entry = match words.next() {
            Some("run" | "run-script") => words.next().unwrap_or("test"),
            Some("t" | "test") | None => "test",
            Some(other) => other,
        };
        parts.extend(package_entry(&bytes, entry));
    }
    let target = command.iter().skip(1).map(String::as_str).find(|word| !word.starts_with('-') && !word.contains('='));
    let recipes: &[&str] = match name {
        "make" | "gmake" => &["GNUmakefile", "makefile", "Makefile"],
        "just" => &["justfile", "Justfile", ".justfile"],
        _ => &[],
    };
    for path in recipes {
        if let Some(bytes) = look(path)? {
            let text = String::from_utf8_lossy(&bytes);
            let rule = target.map_or_else(|| text.clone().into_owned(), |target| recipe(&text, target));
            let part = target.map_or_else(|| (*path).to_owned(), |target| format!("{path}#{target}"));
            parts.insert(part, Digest::of(rule.as_bytes()));
            break;
        }
    }
    Ok(parts)
}

/// The script of that name and those that run before and after it; the whole file where it cannot be read.
fn package_entry(bytes: &[u8], entry: &str) -> Vec<(String, Digest)> {
    let Ok(manifest) = json::parse(bytes) else {
        return vec![("package.json".to_owned(), Digest::of(bytes))];
    };
    let scripts = manifest.get("scripts").cloned().unwrap_or(Value::Null);
    let names = [format!("pre{entry}"), entry.to_owned(), format!("post{entry}")];
    let found = names.into_iter().filter_map(|name| {
        let script = scripts.get(&name)?.as_text()?.to_owned();
        Some((format!("package.json#scripts.{name}"), Digest::of(script.as_bytes())))
    });
    found.collect()
}

/// The lines of a rule: its head and what is indented under it.
fn recipe(text: &str, target: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in text.lines() {
        let indented = line.starts_with([' ', '\t']);
        if !indented && !line.trim().is_empty() {
            let head = line.split(':').next().unwrap_or_default();
            inside = line.contains(':') && head.split_whitespace().any(|word| word.trim_start_matches('@') == target);
        }
        if inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
