//! Decisions about subjects that diverged: which records stand, and which were set aside (docs/design/0002).
//!
//! A decision is made by a merge and lies in the ledger as a directory: `kept/` and `aside/` hold the records in which the two
//! sides differed, `decision.json` their digests. It is named by its round and its own digest, so that decisions of different
//! clones never share a path, and it is never changed. Nothing here reads or writes a repository.

use crate::diagnostics::Result;
use crate::domain::{digest::Digest, json::Value};
use crate::git::Oid;
use std::collections::{BTreeMap, BTreeSet};

/// The directory of all decisions.
pub const DIVERGED: &str = "diverged";

/// How many names lead to a subject: `runs/<hh>/<id>`.
pub(super) const SUBJECT_DEPTH: usize = 3;

/// Records by their path below a subject.
pub(super) type Leaves = BTreeMap<String, Oid>;

/// The decisions about one subject, by the names of their directories.
pub(super) type Decisions = BTreeMap<String, Decision>;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// 1 for the first about its subject; a later one overrules those before it.
    pub(super) round: u32,
    /// The records that only the chosen side had.
    pub(super) kept: Leaves,
    /// The records that only the other side had.
    pub(super) aside: Leaves,
}

/// The subject that a path belongs to; a shorter path is one by itself.
pub fn subject_of(path: &str) -> String {
    path.split('/').take(SUBJECT_DEPTH).collect::<Vec<_>>().join("/")
}

/// The round that a decision's directory names, when it is such a name.
pub(super) fn round_of(directory: &str) -> Option<u32> {
    let (digits, digest) = directory.split_once('-')?;
    let round = digits.parse().ok().filter(|round| *round > 0)?;
    let is_digest = digest.len() == 16 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_digest && format!("{round:04}") == digits).then_some(round)
}

impl Decision {
    /// The decision for one side of two that differ; `earlier` are those that either side knows.
    pub(super) fn between(chosen: &Leaves, other: &Leaves, earlier: &Decisions) -> Decision {
        let only = |one: &Leaves, two: &Leaves| -> Leaves {
            let own = one.iter().filter(|(path, id)| two.get(*path) != Some(id));
            own.map(|(path, id)| (path.clone(), *id)).collect()
        };
        let round = 1 + earlier.values().map(|decision| decision.round).max().unwrap_or(0);
        Decision { round, kept: only(chosen, other), aside: only(other, chosen) }
    }

    /// Its record; `digest_of` reads a blob.
    pub(super) fn record(&self, subject: &str, digest_of: &mut dyn FnMut(Oid) -> Result<Digest>) -> Result<Vec<u8>> {
        let mut listed = |leaves: &Leaves| -> Result<Value> {
            let digests = leaves.iter().map(|(path, id)| Ok((path.clone(), digest_of(*id)?.into())));
            digests.collect::<Result<_>>().map(Value::Object)
        };
        let record = Value::object([
            ("schema_version", 1.into()),
            ("subject", subject.into()),
            ("round", self.round.into()),
            ("kept", listed(&self.kept)?),
            ("aside", listed(&self.aside)?),
        ]);
        Ok(record.record_bytes())
    }

    /// The name of its directory, when this is its record.
    pub(super) fn directory(&self, record: &[u8]) -> String {
        let digest = Digest::of(record).to_string();
        format!("{:04}-{}", self.round, digest.get(..16).unwrap_or(&digest))
    }
}

/// The records of a subject that stand after two sides came together; `Err` names the paths that nobody decided about.
///
/// A record stands unless the latest decision that speaks of it set it aside. It is a function of two grow-only sets, the
/// records and the decisions, so it does not matter who joins whom first.
pub(super) fn standing(
    ours: &Leaves,
    theirs: &Leaves,
    decisions: &Decisions,
) -> std::result::Result<Leaves, BTreeSet<String>> {
    let mut stands = Leaves::new();
    let mut contested = BTreeSet::new();
    for (path, id) in ours.iter().chain(theirs) {
        let speak = |decision: &&Decision| decision.kept.get(path) == Some(id) || decision.aside.get(path) == Some(id);
        let latest = decisions.values().filter(speak).map(|decision| decision.round).max();
        let of_latest = || decisions.values().filter(speak).filter(|decision| Some(decision.round) == latest);
        let kept = of_latest().any(|decision| decision.kept.get(path) == Some(id));
        let aside = of_latest().any(|decision| decision.aside.get(path) == Some(id));
        match (kept, aside) {
            (false, true) => {}
            (true, true) => drop(contested.insert(path.clone())),
            _ => {
                if stands.insert(path.clone(), *id).is_some_and(|other| other != *id) {
                    contested.insert(path.clone());
                }
            }
        }
    }
    if contested.is_empty() { Ok(stands) } else { Err(contested) }
}
