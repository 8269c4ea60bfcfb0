//! What a program said and how it ended.

use git_rapid::domain::json::{self, Value};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// What a program said and how it ended.
#[derive(Clone, PartialEq, Eq)]
pub struct Output {
    /// Its exit status; 128+N for signal N.
    pub code: i32,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    shown: String,
    /// What our tool was asked; empty when it was another program.
    asked: Vec<String>,
}

impl Output {
    /// Runs a command to its end, with nothing to read.
    #[must_use = "how it ended is what a test asks"]
    pub fn of(command: &mut Command) -> Output {
        let shown = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        Output { asked: asked(command), ..Output::from_std(&output, shown) }
    }

    /// Like [`Output::of`]; `None` when there is no such program.
    pub fn of_any(command: &mut Command) -> Option<Output> {
        let shown = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let output = command.stdin(std::process::Stdio::null()).output().ok()?;
        Some(Output { asked: asked(command), ..Output::from_std(&output, shown) })
    }

    /// From a child that was waited for.
    pub fn from_std(output: &std::process::Output, shown: String) -> Output {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        Output { code, stdout: text(&output.stdout), stderr: text(&output.stderr), shown, asked: Vec::new() }
    }

    /// The same, when it ended with 0.
    pub fn ok(self) -> Output {
        self.ends(0)
    }

    /// The same, when it ended with this status and without a panic.
    pub fn ends(self, code: i32) -> Output {
        assert_eq!(self.code, code, "the exit status of {self}");
        assert!(!self.stderr.contains("panicked"), "no command panics: {self}");
        self
    }

    /// The same, when it names this code on standard error.
    pub fn names(self, code: &str) -> Output {
        assert!(self.stderr.contains(&format!("[{code}]")), "{code} is named by {self}");
        self
    }

    /// The same, when either stream holds this text.
    pub fn says(self, text: &str) -> Output {
        assert!(self.stdout.contains(text) || self.stderr.contains(text), "'{text}' is said by {self}");
        self
    }

    /// Standard output without its last line break.
    pub fn line(&self) -> String {
        self.stdout.trim_end().to_owned()
    }

    /// The one JSON document on standard output, which is as its schema says.
    pub fn json(&self) -> Value {
        let value =
            json::parse(self.stdout.as_bytes()).unwrap_or_else(|fault| panic!("not one document: {fault}: {self}"));
        assert_eq!(value.get("schema_version").and_then(Value::as_int), Some(1), "the document's version: {self}");
        crate::manual::fits(&self.asked, &value);
        value
    }

    /// The codes of the findings that `verify --json` lists, with the path of each.
    pub fn findings(&self) -> Vec<(String, String)> {
        let document = self.json();
        let text =
            |finding: &Value, key: &str| finding.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let findings = document.get("findings").and_then(Value::as_list).unwrap_or_default();
        findings.iter().map(|finding| (text(finding, "code"), text(finding, "path"))).collect()
    }

    /// The same, when `verify --json` lists this code, at a path that ends in `path`.
    pub fn finds(self, code: &str, path: &str) -> Output {
        let found = self.findings();
        assert!(
            found.iter().any(|(c, p)| (code.is_empty() || c == code) && p.ends_with(path)),
            "{code} at '{path}' is found by {self}"
        );
        self
    }
}

/// The arguments behind `git rapid` or `git-rapid`.
fn asked(command: &Command) -> Vec<String> {
    let mut words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    let program = command.get_program().to_string_lossy();
    match program.rsplit('/').next() {
        Some("git-rapid") => words.collect(),
        Some("git") if words.any(|word| word == "rapid") => words.collect(),
        _ => Vec::new(),
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}--- stderr ---\n{}[exit {}]", self.shown, self.stdout, self.stderr, self.code)
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
