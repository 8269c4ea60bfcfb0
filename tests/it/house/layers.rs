//! Arrows go down only (docs/architecture.md): reads the paths in the code and refuses an arrow that the table does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each room and the rooms it may name.
const ARROWS: &[(&str, &[&str])] = &[
    ("diagnostics", &[]),
    ("domain", &["diagnostics"]),
    ("evaluator", &["domain", "diagnostics"]),
    ("conductor", &["evaluator", "domain", "diagnostics"]),
    ("architecture", &["domain", "diagnostics"]),
    ("export", &["evaluator", "domain", "diagnostics"]),
    ("safety", &["domain", "diagnostics"]),
    ("story", &["safety", "domain", "diagnostics"]),
    ("mission", &["safety", "domain", "diagnostics"]),
    ("os", &["domain", "diagnostics"]),
    ("git", &["os", "domain", "diagnostics"]),
    ("ledger", &["git", "os", "domain", "diagnostics"]),
    ("signature", &["os", "domain", "diagnostics"]),
    ("registry", &["ledger", "git", "signature", "os", "evaluator", "story", "mission", "domain", "diagnostics"]),
    ("check", &["os", "domain", "diagnostics"]),
    ("approval", &["os", "domain", "diagnostics"]),
    ("agent", &["check", "os", "story", "safety", "domain", "diagnostics"]),
    (
        "verbs",
        &[
            "registry",
            "signature",
            "ledger",
            "git",
            "os",
            "check",
            "agent",
            "approval",
            "conductor",
            "architecture",
            "export",
            "story",
            "mission",
            "safety",
            "evaluator",
            "domain",
            "diagnostics",
        ],
    ),
    ("hooks", &["verbs", "registry", "ledger", "git", "os", "conductor", "evaluator", "domain", "diagnostics"]),
    (
        "cli",
        &[
            "hooks",
            "verbs",
            "registry",
            "signature",
            "ledger",
            "git",
            "os",
            "check",
            "agent",
            "approval",
            "conductor",
            "architecture",
            "export",
            "story",
            "mission",
            "safety",
            "evaluator",
            "domain",
            "diagnostics",
        ],
    ),
];

/// Rooms that decide and never touch the world, and what they may not name in the standard library.
const PURE: &[&str] =
    &["domain", "diagnostics", "evaluator", "conductor", "architecture", "export", "safety", "story", "mission"];
const WORLD: &[&str] =
    &["std::fs", "std::env", "std::process", "std::net", "std::thread", "SystemTime", "Instant::now"];

/// Names that one room alone may use.
const OWNED: &[(&str, &str)] = &[
    ("gix", "git"),
    ("clap", "cli"),
    ("anstyle", "cli"),
    ("rmcp", "cli"),
    ("tokio", "cli"),
    ("rustix", "os"),
    ("signal_hook", "os"),
    ("ssh_key", "signature"),
    ("base64ct", "export"),
];

#[test]
fn every_arrow_between_rooms_is_in_the_table() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.iter().map(|(room, rooms)| (*room, rooms.iter().copied().collect())).collect();
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let room = room_of(&file);
        let Some(may) = allowed.get(room.as_str()) else {
            assert!(matches!(room.as_str(), "lib" | "main"), "the room '{room}' is not in the table");
            continue;
        };
        for named in names_after(&code_of(&text), "crate::") {
            if named != room && allowed.contains_key(named.as_str()) && !may.contains(named.as_str()) {
                wrong.push(format!("{}: {room} names {named}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that go up:\n{}", wrong.join("\n"));
}

#[test]
fn pure_rooms_name_nothing_of_the_world() {
    let mut wrong = Vec::new();
    for (file, text) in
        sources().into_iter().filter(|(file, _)| PURE.contains(&room_of(file).as_str()) && !is_test(file))
    {
        let code = code_of(&text);
        wrong
            .extend(WORLD.iter().filter(|word| code.contains(*word)).map(|word| format!("{}: {word}", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_outside_name_is_used_in_its_own_room_only() {
    let mut wrong = Vec::new();
    for (file, text) in sources().into_iter().filter(|(file, _)| !is_test(file)) {
        let (room, code) = (room_of(&file), code_of(&text));
        for (name, owner) in OWNED {
            if room != *owner && (code.contains(&format!("{name}::")) || code.contains(&format!("use {name}"))) {
                wrong.push(format!("{}: {name}", file.display()));
            }
        }
        if room != "git" && (code.contains("Command::new(\"git\")") || code.contains("Invocation::new(\"git\"")) {
            wrong.push(format!("{}: starts git", file.display()));
        }
        if room != "cli" && (code.contains("println!") || code.contains("eprintln!") || code.contains("print!(")) {
            wrong.push(format!("{}: prints", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_itself_has_no_circle() {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while done.len() < ARROWS.len() {
        let next =
            ARROWS.iter().find(|(room, rooms)| !done.contains(room) && rooms.iter().all(|room| done.contains(room)));
        let (room, _) = next.expect("the rooms can be put in an order in which each only names earlier ones");
        done.insert(room);
    }
}

/// Every source file with its text.
pub fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("the sources can be listed") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source is text");
                let short = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("below src");
                files.push((short.to_owned(), text));
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "the sources are there");
    files
}

/// The first part of a path below `src`.
pub fn room_of(file: &Path) -> String {
    let first =
        file.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned()).unwrap_or_default();
    first.trim_end_matches(".rs").to_owned()
}

/// Whether a file holds tests only.
pub fn is_test(file: &Path) -> bool {
    file.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs" | "fixture.rs")))
}

/// The text without comments and without what stands behind `#[cfg(test)]` at the end of a file.
fn code_of(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]\nmod tests {"));
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The words behind each `prefix`, those in braces included.
fn names_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(inside) => {
                let mut depth = 0;
                let mut start = true;
                for (index, c) in inside.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && !c.is_whitespace() => {
                            names.insert(word(&inside[index..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
            None => drop(names.insert(word(rest))),
        }
    }
    names
}
