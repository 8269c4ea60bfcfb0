//! What a verification has to say, point by point: what the formats of other tools are made of.

use crate::diagnostics::{Class, Code, Diagnostic};
use crate::verbs::{
    check::CheckOutcome,
    verify::{Again, Coverage, Outcome},
};

/// The most differing files that are named.
const MOST_FILES: usize = 20;

/// One thing that is to be said.
pub(super) struct Point {
    /// What it is, and what to do next.
    pub diagnostic: Diagnostic,
    /// The entry that brought it in, when one did.
    pub entry: Option<String>,
    /// It only says that something could not be looked at.
    pub is_absence: bool,
    /// The files of the code that it is about.
    pub files: Vec<String>,
}

impl Point {
    fn of(diagnostic: Diagnostic) -> Point {
        Point { diagnostic, entry: None, is_absence: false, files: Vec::new() }
    }
}

/// What is said of the ledger.
pub(super) fn of_ledger(seen: &Outcome) -> Vec<Point> {
    let points = seen.proof.findings.iter().map(|finding| Point {
        entry: finding.entry.map(|entry| entry.to_string()),
        is_absence: seen.proof.is_absence(finding),
        ..Point::of(finding.diagnostic.clone())
    });
    points.collect()
}

/// What is said against the commit: that it is not covered, or that its checks are red here.
pub(super) fn of_commit(seen: &Outcome, again: &[Again]) -> Vec<Point> {
    let uncovered = seen.uncovered().map(|commit| Point {
        files: commit.difference.iter().take(MOST_FILES).map(|change| change.path.clone()).collect(),
        ..Point::of(refusal(commit, seen.refused.as_deref()))
    });
    let red = again.iter().filter(|again| again.outcome != CheckOutcome::Pass).map(|red| Point::of(not_green(red)));
    uncovered.into_iter().chain(red).collect()
}

/// How loud a code is.
pub(super) fn level(code: Code) -> &'static str {
    match code.class() {
        Class::Info => "info",
        Class::Warning => "warning",
        Class::Refusal | Class::Error => "error",
    }
}

/// That a re-run was not green.
pub(super) fn not_green(red: &Again) -> Diagnostic {
    let what = format!("run '{}' passed, and its tests do not pass here: {}", red.run_id, red.evidence.summary);
    let log = format!("git rapid evidence log {} --run {}", red.evidence.id, red.run_id);
    Code::Rapid1448.because(what).hint(format!("read what they said: {log}"))
}

/// Why a commit is not covered, or not in a way that its branch takes.
pub(super) fn refusal(commit: &Coverage, refused: Option<&str>) -> Diagnostic {
    let id = commit.id.short();
    let words = match (refused, commit.other_terms.first()) {
        (Some(why), _) => format!("commit {id} {why}"),
        (None, Some(other)) => format!("commit {id}: {other}"),
        (None, None) => format!("no passing run has the tree of commit {id} as its final tree"),
    };
    commit.remedy.iter().fold(Code::Rapid1530.because(words), Diagnostic::hint)
}
