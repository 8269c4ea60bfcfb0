//! Every case of the corpus: no wrong pass anywhere, finished runners exactly, missed passes bounded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::json::{self, Json};
use super::super::{Counts, Input, Outcome, Summary, recognise};

/// How many genuine passes of the whole corpus may go unrecognised.
const MISSED: std::ops::RangeInclusive<usize> = 0..=0;

/// One case.
pub(in crate::check) struct Case {
    /// `runner/case`.
    pub name: String,
    /// The directory.
    pub directory: String,
    /// The output.
    pub output: Vec<u8>,
    facts: Json,
}

impl Case {
    /// The exit code.
    pub(in crate::check) fn exit_code(&self) -> i32 {
        self.facts.count("exit_code").and_then(|code| i32::try_from(code).ok()).expect("an exit code")
    }

    /// The command as a shell was given it.
    pub(in crate::check) fn command(&self) -> Vec<String> {
        let typed = self.facts.word("command").unwrap_or_default();
        vec!["bash".to_owned(), "-c".to_owned(), typed.to_owned()]
    }

    /// What is recognised in it.
    pub(in crate::check) fn recognised(&self) -> Summary {
        let command = self.command();
        let exit_code = self.exit_code();
        recognise(&Input { output: &self.output, exit_code, command: &command, truncated: false })
    }

    /// The machine format that it is in, when it is in one.
    pub(in crate::check) fn format(&self) -> Option<&str> {
        self.facts.get("extra")?.word("format")
    }

    /// Whether these are the numbers of an acceptable answer.
    pub(in crate::check) fn has(&self, counts: Counts) -> bool {
        let same = |answer: &Json, key: &str, value: u64| answer.count(key).is_none_or(|wanted| wanted == value);
        self.answers().iter().any(|answer| {
            same(answer, "passed", counts.passed)
                && same(answer, "failed", counts.failed)
                && same(answer, "skipped", counts.skipped)
        })
    }

    /// The expected answer and the other acceptable ones.
    fn answers(&self) -> Vec<&Json> {
        let acceptable = self.facts.get("extra").and_then(|extra| extra.get("acceptable")).and_then(Json::list);
        let expected = self.facts.get("expected").expect("an expected answer");
        std::iter::once(expected).chain(acceptable.unwrap_or_default()).collect()
    }

    fn expects_pass(&self) -> bool {
        self.facts.get("expected").and_then(|expected| expected.word("verdict")) == Some("pass")
    }

    fn may_pass(&self) -> bool {
        self.answers().iter().any(|answer| answer.word("verdict") == Some("pass"))
    }

    fn is_met_by(&self, summary: &Summary) -> bool {
        self.answers().iter().any(|answer| meets(answer, summary))
    }
}

/// Whether a summary agrees with an answer in every key that is given and not null.
fn meets(answer: &Json, summary: &Summary) -> bool {
    let same = |key: &str, value: u64| match answer.get(key) {
        Some(Json::Number(_)) => answer.count(key) == Some(value),
        _ => true,
    };
    answer.flag("counted").is_none_or(|counted| counted == summary.counted)
        && answer.word("verdict").is_none_or(|verdict| verdict == summary.outcome.as_str())
        && same("passed", summary.counts.passed)
        && same("failed", summary.counts.failed)
        && same("skipped", summary.counts.skipped)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/runners")
}

/// All cases, in order.
pub(in crate::check) fn cases() -> Vec<Case> {
    let mut found = Vec::new();
    for directory in sorted(&root()).into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&directory).into_iter().filter(|path| path.extension().is_some_and(|e| e == "json")) {
            let facts = json::parse(&std::fs::read_to_string(&file).unwrap()).expect("the case is JSON");
            let output = std::fs::read(file.with_extension("txt")).unwrap();
            let directory = directory.file_name().unwrap().to_string_lossy().into_owned();
            let name = format!("{directory}/{}", file.file_stem().unwrap().to_string_lossy());
            found.push(Case { name, directory, output, facts });
        }
    }
    found
}

fn sorted(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn the_corpus_is_complete() {
    assert_eq!(cases().len(), 595);
}

#[test]
fn nothing_passes_that_must_not() {
    let wrong: Vec<String> = cases()
        .iter()
        .filter(|case| !case.may_pass() && case.recognised().outcome == Outcome::Pass)
        .map(|case| case.name.clone())
        .collect();
    assert!(wrong.is_empty(), "wrong passes: {wrong:#?}");
}

#[test]
fn every_case_is_met_exactly() {
    let mut faults = Vec::new();
    for case in cases() {
        let summary = case.recognised();
        if !case.is_met_by(&summary) {
            faults.push(format!("{}: {summary:?}\n    expected {:?}", case.name, case.facts.get("expected")));
        }
    }
    assert!(faults.is_empty(), "{} cases:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn few_genuine_passes_are_missed() {
    let mut missed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut unmet: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in cases() {
        let summary = case.recognised();
        if !case.is_met_by(&summary) {
            let list = if case.expects_pass() && summary.outcome != Outcome::Pass { &mut missed } else { &mut unmet };
            list.entry(case.directory.clone()).or_default().push(format!(
                "{} -> {} {}/{}/{} {}",
                case.name,
                summary.outcome.as_str(),
                summary.counts.passed,
                summary.counts.failed,
                summary.counts.skipped,
                summary.reason
            ));
        }
    }
    let count: usize = missed.values().map(Vec::len).sum();
    println!("missed passes: {count}\n{missed:#?}");
    println!("other unmet cases: {}\n{unmet:#?}", unmet.values().map(Vec::len).sum::<usize>());
    assert!(MISSED.contains(&count), "{count} missed passes");
}
