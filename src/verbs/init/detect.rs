//! The command that runs a project's tests, told from the files it has. A guess that a person reads before it is committed.

use crate::domain::json::parse;
use crate::os::files;
use std::path::Path;

/// The largest file that is looked into, in bytes.
const CAP: u64 = 1 << 20;

/// The most files that are looked into.
const MOST: usize = 50;

/// How Python's tests are run: by pytest where they are written for it.
const PYTEST: &[&str] = &["python3", "-m", "pytest"];

/// The command; `None` where nothing tells.
pub(super) fn test_command(top: &Path) -> Option<Vec<String>> {
    let has = |name: &str| top.join(name).exists();
    let begins = |name: &str, start: &str| text(&top.join(name)).lines().any(|line| line.starts_with(start));
    let words: &[&str] = match () {
        () if has("Cargo.toml") => &["cargo", "test"],
        () if has_npm_test(&text(&top.join("package.json"))) => &["npm", "test"],
        () if has("go.mod") => &["go", "test", "-v", "./..."],
        () if python(top).is_some() => python(top).unwrap_or_default(),
        () if begins("justfile", "test") => &["just", "test"],
        () if begins("Makefile", "test:") => &["make", "test"],
        () if has("tests.sh") => &["sh", "tests.sh"],
        () => return None,
    };
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

/// Whether a package has tests of its own: npm writes a script into every new one that only says there are none.
fn has_npm_test(package: &str) -> bool {
    let none = package.contains("no test specified");
    match parse(package.as_bytes()) {
        Ok(package) => !none && package.get("scripts").is_some_and(|scripts| scripts.get("test").is_some()),
        Err(_) => !none && package.contains("\"test\""),
    }
}

fn python(top: &Path) -> Option<&'static [&'static str]> {
    let has = |name: &str| top.join(name).exists();
    let names_pytest = |name: &&str| text(&top.join(name)).contains("pytest");
    let settings = ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"];
    if ["pytest.ini", "conftest.py", "tests/conftest.py"].into_iter().any(has) || settings.iter().any(names_pytest) {
        return Some(PYTEST);
    }
    // A function that is called test is one of pytest's; unittest only knows methods.
    let is_pytest = |text: &String| text.lines().any(|line| line.starts_with("def test_") || line == "import pytest");
    let (here, below) = (tests_in(top), tests_in(&top.join("tests")));
    match () {
        () if here.iter().chain(&below).any(is_pytest) => Some(PYTEST),
        () if !here.is_empty() => Some(&["python3", "-m", "unittest"]),
        () if !below.is_empty() => Some(&["python3", "-m", "unittest", "discover", "-s", "tests"]),
        () if has("pyproject.toml") || has("setup.py") => Some(&["python3", "-m", "unittest"]),
        () => None,
    }
}

/// The texts of the files in a directory that Python's runners take for tests.
fn tests_in(directory: &Path) -> Vec<String> {
    let names = files::names_in(directory);
    let is_test = |name: &&String| name.starts_with("test_") && name.ends_with(".py");
    names.iter().filter(is_test).take(MOST).map(|name| text(&directory.join(name))).collect()
}

/// A file's text; empty where there is none.
fn text(path: &Path) -> String {
    let bytes = files::read_if_there(path, CAP).ok().flatten().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_project_tell_its_test_command() {
        const METHOD: &str =
            "import unittest\n\n\nclass Area(unittest.TestCase):\n    def test_it(self):\n        pass\n";
        const FUNCTION: &str = "def test_it():\n    pass\n";
        let none = "{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}";
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[("package.json", "{\"scripts\": {\"test\": \"node --test\"}}")], "npm test"),
            (&[("package.json", none)], ""),
            (&[("package.json", "{\"keywords\": [\"test\"]}")], ""),
            (&[("test_area.py", FUNCTION)], "python3 -m pytest"),
            (&[("test_area.py", METHOD)], "python3 -m unittest"),
            (&[("tests/test_area.py", METHOD), ("pyproject.toml", "")], "python3 -m unittest discover -s tests"),
            (&[("tests/test_area.py", FUNCTION), ("requirements.txt", "requests\n")], "python3 -m pytest"),
            (&[("pyproject.toml", "[tool.pytest.ini_options]\n")], "python3 -m pytest"),
            (&[("setup.py", "")], "python3 -m unittest"),
            (&[("requirements.txt", "requests\n")], ""),
            (&[("Makefile", "all:\ntest: all\n")], "make test"),
            (&[("tests.sh", "")], "sh tests.sh"),
        ];
        for (files, wanted) in cases {
            let place = tempfile::tempdir().unwrap();
            for (name, text) in *files {
                let path = place.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            assert_eq!(test_command(place.path()).unwrap_or_default().join(" "), *wanted, "{files:?}");
        }
    }
}
