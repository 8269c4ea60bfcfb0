//! The files by which known runners are told which tests there are: whole files, or the part of a shared manifest that is theirs.
//!
//! Not here: names of tests and which files hold them; those are compared by what ran.

use super::{Resolver, files};
use crate::diagnostics::Result;
use crate::domain::json::{self, Value};

/// Runners and their files; `file#part` is a table of TOML, a section of an INI file, or a member of JSON.
const SETTINGS: &[(&[&str], &[&str])] = &[
    (
        &["pytest", "py.test"],
        &["pytest.ini", ".pytest.ini", "pyproject.toml#tool.pytest", "setup.cfg#tool:pytest", "tox.ini#pytest"],
    ),
    (&["unittest", "nose2"], &["unittest.cfg", "nose2.cfg"]),
    (&["tox"], &["tox.ini", "tox.toml", "pyproject.toml#tool.tox", "setup.cfg#tox:tox"]),
    (&["nox"], &["noxfile.py"]),
    (&["hatch"], &["pyproject.toml#tool.hatch.envs", "hatch.toml"]),
    (&["invoke", "inv"], &["tasks.py"]),
    (&["django-admin"], &["setup.cfg", "pyproject.toml#tool.django"]),
    (&["ctest"], &["CTestTestfile.cmake", "CTestCustom.cmake", "CMakeLists.txt", "CMakePresets.json"]),
    (&["meson"], &["meson.build"]),
    (
        &["jest"],
        &[
            "package.json#jest",
            "jest.config.js",
            "jest.config.ts",
            "jest.config.mjs",
            "jest.config.cjs",
            "jest.config.json",
        ],
    ),
    (
        &["vitest"],
        &[
            "vitest.config.ts",
            "vitest.config.js",
            "vitest.config.mts",
            "vitest.config.mjs",
            "vitest.workspace.ts",
            "vite.config.ts",
            "vite.config.js",
            "vite.config.mts",
            "vite.config.mjs",
        ],
    ),
    (
        &["mocha", "_mocha"],
        &[
            "package.json#mocha",
            ".mocharc.js",
            ".mocharc.cjs",
            ".mocharc.yaml",
            ".mocharc.yml",
            ".mocharc.json",
            ".mocharc.jsonc",
        ],
    ),
    (&["ava"], &["package.json#ava", "ava.config.js", "ava.config.cjs", "ava.config.mjs"]),
    (&["tap"], &["package.json#tap", ".taprc"]),
    (&["jasmine"], &["spec/support/jasmine.json", "spec/support/jasmine.mjs", "spec/support/jasmine.js"]),
    (&["karma"], &["karma.conf.js", "karma.conf.ts"]),
    (&["playwright"], &["playwright.config.ts", "playwright.config.js"]),
    (&["cypress"], &["cypress.config.ts", "cypress.config.js", "cypress.json"]),
    (&["turbo"], &["turbo.json", "package.json#scripts"]),
    (&["nx"], &["nx.json", "package.json#scripts"]),
    (&["lerna"], &["lerna.json", "package.json#scripts"]),
    (&["wireit"], &["package.json#wireit"]),
    (&["deno"], &["deno.json", "deno.jsonc"]),
    (&["phpunit"], &["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]),
    (&["pest"], &["phpunit.xml", "phpunit.xml.dist", "tests/Pest.php"]),
    (&["composer"], &["composer.json#scripts"]),
    (&["rspec"], &[".rspec"]),
    (&["rake"], &["Rakefile", "rakefile", "Rakefile.rb"]),
    (&["cucumber"], &["cucumber.yml", "config/cucumber.yml"]),
    (&["prove"], &[".proverc"]),
    (&["task", "go-task"], &["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"]),
    (&["mix"], &["mix.exs", ".formatter.exs"]),
    (&["sbt"], &["build.sbt"]),
    (&["mvn", "mvnw"], &["pom.xml"]),
    (&["gradle", "gradlew"], &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]),
    (&["zig"], &["build.zig"]),
    (&["busted"], &[".busted"]),
    (
        &[
            "go",
            "gotestsum",
            "ginkgo",
            "bats",
            "behave",
            "green",
            "trial",
            "stestr",
            "robot",
            "dotnet",
            "swift",
            "nimble",
            "cabal",
        ],
        &[],
    ),
];

/// Subcommands of cargo that run what cargo itself finds.
const CARGO: &[&str] = &[
    "test",
    "t",
    "nextest",
    "llvm-cov",
    "tarpaulin",
    "check",
    "c",
    "build",
    "b",
    "clippy",
    "bench",
    "doc",
    "fmt",
    "hack",
    "miri",
];
/// What of a target of cargo decides which tests run.
const OF_TARGETS: &[&str] = &["test", "harness", "doctest", "doc-tests", "required-features", "path"];
/// Options of most runners that name their settings.
const OPTIONS: &[&str] = &["-c", "--config", "--configuration", "--config-file", "--settings", "--rcfile"];

impl Resolver<'_> {
    /// Takes the settings of a runner; false when it is none that is known.
    pub(super) fn settings(&mut self, name: &str, words: &[String], dir: &str) -> Result<bool> {
        if name == "cargo" {
            self.cargo(words, dir)?;
            return Ok(true);
        }
        let Some((_, files)) = SETTINGS.iter().find(|(names, _)| names.contains(&name)) else { return Ok(false) };
        for file in *files {
            self.setting(dir, file)?;
        }
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if OPTIONS.contains(&word.as_str()) {
                if let Some(file) = words.next() {
                    self.file(dir, file, false)?;
                }
            } else if let Some((_, file)) = word.split_once('=').filter(|(option, _)| OPTIONS.contains(option)) {
                self.file(dir, file, false)?;
            }
        }
        Ok(true)
    }

    /// Takes a file, or its part after `#`, where the tree has it.
    pub(super) fn setting(&mut self, dir: &str, what: &str) -> Result<()> {
        let (path, part) = what.split_once('#').unwrap_or((what, ""));
        let Some(place) = files::join(dir, path) else { return Ok(()) };
        let Some(bytes) = self.text(&place, part.is_empty())?.filter(|_| !part.is_empty()) else { return Ok(()) };
        let text = String::from_utf8_lossy(&bytes);
        let kept = match path.rsplit('.').next() {
            Some("toml") => toml_part(&text, part),
            Some("json") => json_part(&bytes, part),
            _ => Some(section(&text, part)),
        };
        match kept {
            // Not to be read: all of it counts.
            None => self.part(place, &bytes),
            Some(kept) if kept.is_empty() => {}
            Some(kept) => self.part(format!("{place}#{part}"), kept.as_bytes()),
        }
        Ok(())
    }

    /// What cargo takes for tests: targets that say so, the workspace, aliases.
    fn cargo(&mut self, words: &[String], dir: &str) -> Result<()> {
        for file in [".cargo/config.toml", ".cargo/config"] {
            self.file(dir, file, false)?;
        }
        let mut manifest = "Cargo.toml".to_owned();
        let mut subcommand = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--manifest-path" => manifest = words.next().cloned().unwrap_or_default(),
                "--" => break,
                "--config" | "-Z" | "--color" | "-C" => drop(words.next()),
                word => {
                    if let Some(path) = word.strip_prefix("--manifest-path=") {
                        path.clone_into(&mut manifest);
                    }
                    if !word.starts_with(['-', '+']) && subcommand.is_none() {
                        subcommand = Some(word.to_owned());
                    }
                }
            }
        }
        match subcommand.as_deref() {
            Some("nextest") => drop(self.file(dir, ".config/nextest.toml", false)?),
            // An alias or a program, most likely one of the project's own.
            Some(other) if !CARGO.contains(&other) => self.unresolved(&format!("cargo {other}")),
            _ => {}
        }
        match files::join(dir, &manifest) {
            Some(place) => self.cargo_manifest(&place, true),
            None => {
                self.unresolved(&manifest);
                Ok(())
            }
        }
    }

    fn cargo_manifest(&mut self, place: &str, with_members: bool) -> Result<()> {
        let Some(bytes) = self.text(place, false)? else { return Ok(()) };
        let Some(manifest) = toml::from_str::<toml::Table>(&String::from_utf8_lossy(&bytes)).ok() else {
            self.part(place.to_owned(), &bytes);
            return Ok(());
        };
        for kind in ["lib", "bin", "test", "bench", "example"] {
            let targets = match manifest.get(kind) {
                Some(toml::Value::Array(targets)) => targets.iter().filter_map(toml::Value::as_table).collect(),
                Some(toml::Value::Table(target)) => vec![target],
                _ => Vec::new(),
            };
            for target in targets {
                let said: Vec<String> = OF_TARGETS
                    .iter()
                    .filter(|key| **key != "path" || kind == "test")
                    .filter_map(|key| target.get(*key).map(|value| format!("{key} = {}\n", written(value))))
                    .collect();
                let name = target.get("name").and_then(toml::Value::as_str).unwrap_or_default();
                if !said.is_empty() {
                    self.part(format!("{place}#{kind} {name}").trim_end().to_owned(), said.concat().as_bytes());
                }
            }
        }
        let table = |name: &str| manifest.get(name).and_then(toml::Value::as_table);
        let pick = |table: Option<&toml::Table>, keys: &[&str]| -> String {
            let said = keys.iter().filter_map(|key| Some(format!("{key} = {}\n", written(table?.get(*key)?))));
            said.collect()
        };
        let parts = [
            ("package", pick(table("package"), &["autotests", "autobins", "autoexamples", "autobenches", "autolib"])),
            ("features", pick(table("features"), &["default"])),
            ("profile", pick(table("profile"), &["test"])),
            ("workspace", pick(table("workspace"), &["members", "default-members", "exclude"])),
        ];
        for (part, said) in parts.into_iter().filter(|(_, said)| !said.is_empty()) {
            self.part(format!("{place}#{part}"), said.as_bytes());
        }
        let members = table("workspace").and_then(|workspace| workspace.get("members")?.as_array());
        let dir = place.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
        for member in members.into_iter().flatten().filter_map(toml::Value::as_str).filter(|_| with_members) {
            let places = match member.strip_suffix("/*") {
                Some(above) => {
                    let above = files::join(&dir, above).unwrap_or_default();
                    self.files.directories(&above)?.into_iter().map(|name| format!("{above}/{name}")).collect()
                }
                None => files::join(&dir, member).into_iter().collect::<Vec<_>>(),
            };
            if places.is_empty() {
                self.unresolved(member);
            }
            for member in places {
                self.cargo_manifest(&format!("{member}/Cargo.toml"), false)?;
            }
        }
        Ok(())
    }
}

/// A table of TOML by its dotted name, empty when there is none; `None` when the text is no TOML.
fn toml_part(text: &str, part: &str) -> Option<String> {
    let table = toml::from_str::<toml::Table>(text).ok()?;
    let mut at = toml::Value::Table(table);
    for key in part.split('.') {
        match at.get(key) {
            Some(next) => at = next.clone(),
            None => return Some(String::new()),
        }
    }
    Some(written(&at))
}

/// A value in one way only, for its digest.
fn written(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("{text:?}"),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(time) => time.to_string(),
        toml::Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        toml::Value::Table(table) => {
            let members = table.iter().map(|(key, value)| format!("{key:?} = {}", written(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A member of a JSON object, empty when there is none; `None` when the bytes are no JSON.
fn json_part(bytes: &[u8], part: &str) -> Option<String> {
    let value = json::parse(bytes).ok()?;
    Some(value.get(part).map(Value::canonical).unwrap_or_default())
}

/// The lines of a section of an INI file, without blank lines and comments.
fn section(text: &str, name: &str) -> String {
    let head = format!("[{name}]");
    let mut inside = false;
    let mut out = String::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if line.starts_with('[') {
            inside = line == head;
        } else if inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
