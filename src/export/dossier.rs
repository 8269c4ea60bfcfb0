//! What is exported: a ledger as it was proved, and runs as the registry read them. Facts only.

use crate::domain::{
    contract::Contract,
    evidence::{Evidence, Payload, Review, ReviewOutcome, TestCounts},
    git_id::GitId,
    report::Report,
    run::RunState,
    signer::Signer,
    spec::SpecRevision,
    test_list::TestList,
};

/// The most of one log that is taken along, in bytes; the middle of a longer one is left out.
pub const MOST_LOG: usize = 64 << 10;

/// A ledger and some of its runs.
#[derive(Clone, Debug)]
pub struct Dossier {
    /// The version of the program.
    pub version: &'static str,
    /// When it was proved and exported, in seconds since 1970.
    pub at: i64,
    /// The newest entry.
    pub tip: GitId,
    /// How many entries there are.
    pub entries: usize,
    /// What could not be looked at; empty when everything was proved. A ledger that was disproved is not exported.
    pub unproved: Vec<String>,
    /// The runs, those with the newest entries first.
    pub runs: Vec<RunFile>,
}

/// A run with everything that is told of it.
#[derive(Clone, Debug)]
pub struct RunFile {
    /// The revision of the spec that it was opened on.
    pub spec: SpecRevision,
    /// What was promised.
    pub contract: Contract,
    /// Where it stands.
    pub state: RunState,
    /// Its evidence.
    pub items: Vec<Item>,
    /// The judgement of it as it stands.
    pub report: Report,
    /// The reports that were recorded.
    pub recorded: Vec<Report>,
    /// How strong its evidence is.
    pub standing: Standing,
    /// The code that it is about.
    pub code: AboutCode,
    /// The entries that added records of it, the oldest first.
    pub entries: Vec<Entry>,
}

/// A piece of evidence with what lies beside it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The record.
    pub evidence: Evidence,
    /// Its path in the ledger.
    pub path: String,
    /// Whether it is signed.
    pub signature: Signature,
    /// What a check printed.
    pub log: Log,
    /// The tests by name, where that list is here.
    pub tests: Option<TestList>,
}

/// A signature beside a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// None.
    None,
    /// One that holds, by an allowed key.
    Holds(Signer),
    /// One that does not count, and why.
    Void(String),
}

/// The log of a check, as far as it is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Log {
    /// None was recorded.
    None,
    /// It was recorded, and is not in this clone.
    Missing,
    /// It was expunged: by whom and why.
    Expunged(String),
    /// It is here, and not taken along.
    Kept,
    /// Its text, and how many bytes were left out of its middle.
    Text(String, usize),
}

/// How strong the evidence of a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// In the words of `verify`.
    pub strength: &'static str,
    /// `none`, `terminal` or `signed`.
    pub approvals: &'static str,
    /// What its newest counted check says.
    pub tests: Option<TestCounts>,
    /// What somebody saw who ran its checks again.
    pub rerun: Option<Rerun>,
}

/// A re-run of a run's checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerun {
    /// Who recorded it.
    pub by: String,
    /// Whether it was green.
    pub green: bool,
    /// How it went, in words.
    pub summary: String,
    /// Whether nobody of that name recorded anything else of the run.
    pub another_party: bool,
}

/// The code that a run is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AboutCode {
    /// The tree that `finish` recorded; `None` before.
    pub tree: Option<GitId>,
    /// Commits with exactly this tree that this clone knows as the tips of its branches.
    pub commits: Vec<GitId>,
    /// The files that differ from the base; `None` when one of the two trees is not here.
    pub changes: Option<Vec<Changed>>,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Where.
    pub path: String,
    /// `A`, `D` or `M`.
    pub letter: char,
    /// Lines that came and went; `None` for what is not text.
    pub lines: Option<(u64, u64)>,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The commit.
    pub id: GitId,
    /// When, in seconds since 1970, as its writer claims.
    pub seconds: i64,
    /// Who wrote it down.
    pub author: String,
    /// What happened, in a few words.
    pub subject: String,
    /// The records that it added.
    pub records: Vec<String>,
}

impl RunFile {
    /// When its first and its newest entry were written.
    pub fn span(&self) -> Option<(i64, i64)> {
        Some((self.entries.first()?.seconds, self.entries.last()?.seconds))
    }

    /// When a record was written.
    pub fn written(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.records.iter().any(|record| record == path))
    }

    /// The decisions of people and reviews of others, with the record of each.
    pub fn reviews(&self) -> impl Iterator<Item = (&Item, &Review)> {
        self.items.iter().filter_map(|item| match &item.evidence.payload {
            Payload::Review(review) => Some((item, review)),
            _ => None,
        })
    }

    /// The checks.
    pub fn checks(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.evidence.payload.check_facts().is_some())
    }

    /// The gates that a person let go: which, and why.
    pub fn waived(&self) -> Vec<(String, String)> {
        let gates = self.state.gates.iter().filter(|gate| gate.disposition.as_str() == ReviewOutcome::Waived.as_str());
        gates.map(|gate| (gate.id.to_string(), gate.reason.clone())).collect()
    }
}

/// How a check stands by itself: `pass`, `fail`, or `unverified` when it proves nothing. A failure that was expected is a failure.
pub fn check_outcome(item: &Evidence) -> &'static str {
    match item.payload.check_facts() {
        _ if item.payload.fails() => "fail",
        Some(_) if crate::evaluator::shortfall(item).is_none() => "pass",
        _ => "unverified",
    }
}

/// Whether a check's tests were counted, and not only its exit status seen.
pub(super) fn is_counted(item: &Evidence) -> bool {
    matches!(&item.payload, Payload::TestResult { counted: true, .. })
}
