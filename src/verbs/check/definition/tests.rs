//! What commands resolve to: what a change in the tree may not hide behind, and what it may well change.

use super::{UNRESOLVED, files, resolved};
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
use std::collections::{BTreeMap, BTreeSet};

struct Listed(BTreeMap<String, String>);

impl files::Files for Listed {
    fn look(&self, path: &str) -> Result<files::Found> {
        let below = format!("{path}/");
        Ok(match self.0.get(path) {
            Some(text) => match text.strip_prefix("-> ") {
                Some(target) => files::Found::Link(target.to_owned()),
                None => files::Found::File(text.clone().into_bytes()),
            },
            None if self.0.keys().any(|name| name.starts_with(&below)) => files::Found::Directory,
            None => files::Found::Nothing,
        })
    }

    fn directories(&self, path: &str) -> Result<Vec<String>> {
        let below = format!("{path}/");
        let names = self.0.keys().filter_map(|name| name.strip_prefix(&below)?.split_once('/'));
        Ok(names.map(|(name, _)| name.to_owned()).collect::<BTreeSet<_>>().into_iter().collect())
    }
}

fn tree(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn of(command: &[&str], tree: &BTreeMap<String, String>) -> BTreeMap<String, Digest> {
    let words: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    resolved(&Listed(tree.clone()), &words).unwrap()
}

/// What of the definition is not what it was.
fn changed(command: &[&str], before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<String> {
    let mut now = tree(before);
    now.extend(tree(after));
    let (was, is) = (of(command, &tree(before)), of(command, &now));
    let parts: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    parts.into_iter().filter(|part| was.get(*part) != is.get(*part)).cloned().collect()
}

fn unresolved(command: &[&str], files: &[(&str, &str)]) -> Vec<String> {
    of(command, &tree(files)).keys().filter_map(|part| part.strip_prefix(UNRESOLVED)).map(str::to_owned).collect()
}

/// A command, a tree, and a change of it that must be seen.
type Bypass = (&'static [&'static str], &'static [(&'static str, &'static str)], (&'static str, &'static str));

const BYPASSES: &[Bypass] = &[
    (&["make", "test"], &[("Makefile", "test: unit\nunit:\n\t./run\n")], ("Makefile", "test: unit\nunit:\n\ttrue\n")),
    (&["make", "test"], &[("Makefile", "T = ./run\ntest:\n\t$(T)\n")], ("Makefile", "T = true\ntest:\n\t$(T)\n")),
    (
        &["make", "test"],
        &[("Makefile", "A=$(B)\nB=x\ntest:\n\t$(A)\n")],
        ("Makefile", "A=$(B)\nB=true\ntest:\n\t$(A)\n"),
    ),
    (
        &["make", "test"],
        &[("Makefile", "test:\n\t$(MAKE) unit\nunit:\n\tx\n")],
        ("Makefile", "test:\n\t$(MAKE) unit\nunit:\n\ttrue\n"),
    ),
    (
        &["make", "test"],
        &[("Makefile", "D=unit\ntest: $(D)\nunit:\n\tx\n")],
        ("Makefile", "D=unit\ntest: $(D)\nunit:\n\ttrue\n"),
    ),
    (
        &["make", "test"],
        &[("Makefile", "include rules.mk\n"), ("rules.mk", "test:\n\tx\n")],
        ("rules.mk", "test:\n\ttrue\n"),
    ),
    (&["make", "test"], &[("Makefile", "test:\n\tsh t.sh\n"), ("t.sh", "x")], ("t.sh", "true")),
    (&["make", "-C", "sub", "test"], &[("sub/Makefile", "test:\n\tx\n")], ("sub/Makefile", "test:\n\ttrue\n")),
    (
        &["make", "test"],
        &[("Makefile", "test:\n\tmake -C sub all\n"), ("sub/Makefile", "all:\n\tx\n")],
        ("sub/Makefile", "all:\n\ttrue\n"),
    ),
    (
        &["make", "test"],
        &[("Makefile", "ifdef CI\ntest: a\nendif\na:\n\tx\n")],
        ("Makefile", "ifdef CI\ntest: a\nendif\na:\n\ttrue\n"),
    ),
    (
        &["make", "-j", "4", "test"],
        &[("Makefile", "SHELL=/bin/sh\ntest:\n\tx\n")],
        ("Makefile", "SHELL=/bin/true\ntest:\n\tx\n"),
    ),
    (&["just", "test"], &[("justfile", "test: unit\nunit:\n  x\n")], ("justfile", "test: unit\nunit:\n  true\n")),
    (
        &["just", "t"],
        &[("justfile", "alias t := test\ntest:\n  x\n")],
        ("justfile", "alias t := test\ntest:\n  true\n"),
    ),
    (
        &["npm", "test"],
        &[("package.json", r#"{"scripts":{"test":"npm run -s unit","unit":"node t.js"}}"#)],
        ("package.json", r#"{"scripts":{"test":"npm run -s unit","unit":"true"}}"#),
    ),
    (
        &["npm", "test"],
        &[("package.json", r#"{"scripts":{"test":"yarn unit && true","unit":"x","preunit":"y"}}"#)],
        ("package.json", r#"{"scripts":{"test":"yarn unit && true","unit":"x","preunit":"exit 0"}}"#),
    ),
    (
        &["npm", "test"],
        &[("package.json", r#"{"scripts":{"test":"run-s lint unit:*","unit:a":"x"}}"#)],
        ("package.json", r#"{"scripts":{"test":"run-s lint unit:*","unit:a":"true"}}"#),
    ),
    (&["npm", "t"], &[("package.json", r#"{"scripts":{"test":"sh t.sh"}}"#), ("t.sh", "x")], ("t.sh", "true")),
    (
        &["npm", "t"],
        &[("package.json", r#"{"scripts":{"test":"jest"}}"#), ("jest.config.js", "a")],
        ("jest.config.js", "b"),
    ),
    (&["bash", "-o", "pipefail", "test.sh"], &[("test.sh", "x")], ("test.sh", "true")),
    (&["bash", "-eu", "--weird", "test.sh"], &[("test.sh", "x")], ("test.sh", "true")),
    (&["bash", "--rcfile", "rc", "test.sh"], &[("test.sh", "x"), ("rc", "y")], ("rc", "z")),
    (&["env", "X=1", "sh", "t.sh"], &[("t.sh", "x")], ("t.sh", "true")),
    (&["env", "-u", "CI", "-C", "sub", "sh", "t.sh"], &[("sub/t.sh", "x")], ("sub/t.sh", "true")),
    (&["timeout", "-k", "5", "60", "sh", "t.sh"], &[("t.sh", "x")], ("t.sh", "true")),
    (&["sh", "-c", "./t.sh"], &[("t.sh", "x")], ("t.sh", "true")),
    (&["bash", "-euo", "pipefail", "-c", "cd sub && X=1 ./t.sh | tee log"], &[("sub/t.sh", "x")], ("sub/t.sh", "true")),
    (&["sh", "-c", "if true; then . ./lib.sh; fi"], &[("lib.sh", "x")], ("lib.sh", "true")),
    (&["python3.12", "-W", "error", "t.py"], &[("t.py", "x")], ("t.py", "pass")),
    (&["node", "--require", "./setup.js", "t.js"], &[("setup.js", "x"), ("t.js", "y")], ("setup.js", "")),
    (
        &["pytest"],
        &[("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['tests']\n")],
        ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['none']\n"),
    ),
    (
        &["uv", "run", "pytest"],
        &[("setup.cfg", "[tool:pytest]\naddopts = -q\n")],
        ("setup.cfg", "[tool:pytest]\naddopts = --co\n"),
    ),
    (
        &["poetry", "run", "python", "-m", "pytest"],
        &[("tox.ini", "[pytest]\na = 1\n")],
        ("tox.ini", "[pytest]\na = 2\n"),
    ),
    (
        &["poetry", "run", "check"],
        &[("pyproject.toml", "[tool.poetry.scripts]\ncheck = 'a:b'\n")],
        ("pyproject.toml", "[tool.poetry.scripts]\ncheck = 'a:c'\n"),
    ),
    (&["coverage", "run", "-m", "pytest"], &[("pytest.ini", "a")], ("pytest.ini", "b")),
    (
        &["npx", "jest"],
        &[("package.json", r#"{"jest":{"testMatch":["a"]}}"#)],
        ("package.json", r#"{"jest":{"testMatch":["b"]}}"#),
    ),
    (&["node_modules/.bin/jest", "--config", "j.json"], &[("j.json", "{}")], ("j.json", "{ }")),
    (
        &["cargo", "test"],
        &[("Cargo.toml", "[package]\nname='a'\n")],
        ("Cargo.toml", "[package]\nname='a'\n[[test]]\nname='t'\nharness=false\n"),
    ),
    (
        &["cargo", "+nightly", "test"],
        &[("Cargo.toml", "[workspace]\nmembers=['crates/*']\n"), ("crates/a/Cargo.toml", "[lib]\nname='a'\n")],
        ("crates/a/Cargo.toml", "[lib]\nname='a'\ntest=false\n"),
    ),
    (&["cargo", "t"], &[(".cargo/config.toml", "")], (".cargo/config.toml", "[alias]\nt='run'\n")),
    (&["./test"], &[("test", "-> tools/run"), ("tools/run", "x")], ("tools/run", "true")),
];

#[test]
fn no_way_round_is_silent() {
    for (command, before, after) in BYPASSES {
        let seen = changed(command, before, &[*after]);
        assert!(!seen.is_empty(), "{command:?} in {before:?}, then {after:?}: {:?}", of(command, &tree(before)));
    }
}

/// Ordinary work on what is not the tests.
const INNOCENT: &[Bypass] = &[
    (
        &["make", "test"],
        &[("Makefile", "V = 1\ntest: a\n\tx\na:\nother:\n\ty\n")],
        ("Makefile", "V = 2\n# note\ntest: a\n\tx\na:\nother:\n\tz\n"),
    ),
    (&["just", "test"], &[("justfile", "test:\n  x\nother:\n  y\n")], ("justfile", "test:\n  x\nother:\n  z\n")),
    (
        &["npm", "test"],
        &[("package.json", r#"{"version":"1.0.0","scripts":{"test":"jest","build":"a"}}"#)],
        ("package.json", r#"{"version":"1.0.1","scripts":{"test":"jest","build":"b"}}"#),
    ),
    (
        &["cargo", "test"],
        &[("Cargo.toml", "[package]\nversion='1.0.0'\n[[bin]]\nname='a'\n[dependencies]\n")],
        ("Cargo.toml", "[package]\nversion='1.1.0'\n[[bin]]\nname='a'\n[dependencies]\nx='1'\n"),
    ),
    (
        &["pytest"],
        &[("pyproject.toml", "[project]\nversion='1'\n[tool.pytest.ini_options]\na=1\n")],
        ("pyproject.toml", "[project]\nversion='2'\n[tool.pytest.ini_options]\na=1\n"),
    ),
    (&["sh", "test.sh"], &[("test.sh", "sh greeting.sh\n"), ("greeting.sh", "echo a\n")], ("greeting.sh", "echo b\n")),
    (&["go", "test", "./..."], &[("a.go", "x")], ("a.go", "y")),
    (&["/usr/bin/true"], &[("true", "x")], ("true", "y")),
];

#[test]
fn ordinary_work_changes_no_definition_and_is_resolved() {
    for (command, before, after) in INNOCENT {
        assert_eq!(changed(command, before, &[*after]), Vec::<String>::new(), "{command:?} in {before:?}");
        assert_eq!(unresolved(command, before), Vec::<String>::new(), "{command:?} in {before:?}");
    }
}

#[test]
fn what_cannot_be_told_is_said() {
    for command in [
        &["sh", "generated.sh"][..],
        &["./build/run-tests"],
        &["sh", "-c", "$RUNNER all"],
        &["sh", "-c", "eval \"$X\""],
        &["make", "test"],
        &["npm", "test"],
        &["npm", "test", "--workspaces"],
        &["cargo", "xtask", "test"],
        &["sh", "-c", "cd $DIR && ./t.sh"],
    ] {
        assert!(!unresolved(command, &[]).is_empty(), "{command:?}: {:?}", of(command, &tree(&[])));
    }
    // It is never empty: the words of the command are always a part.
    for command in [&["true"][..], &["/opt/runner", "x"]] {
        let found = of(command, &tree(&[]));
        assert_eq!(found.len(), 1, "{command:?}: {found:?}");
    }
}

#[test]
fn circles_come_to_an_end() {
    let circle = [
        ("Makefile", "test: test\n\tmake test\n\tmake other\nother: test\n\tmake other\n"),
        ("package.json", r#"{"scripts":{"test":"npm run a","a":"npm run test","posta":"npm test"}}"#),
        ("l", "-> l"),
    ];
    for command in [&["make", "test"][..], &["npm", "test"], &["./l"]] {
        assert!(of(command, &tree(&circle)).len() > 1, "{command:?}");
    }
    let deep = format!("{}true", "env ".repeat(500));
    assert!(of(&["sh", "-c", &deep], &tree(&[])).len() > 1);
}
