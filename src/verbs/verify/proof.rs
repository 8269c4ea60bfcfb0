//! The proof of a ledger: every entry walked, every record read, and the answer that follows.
//!
//! Not here: what is remembered of it (`memory`), and what it says of a commit (`coverage`).

use super::memory::Proved;
use crate::diagnostics::{Class, Result};
use crate::git::{Oid, Repository};
use crate::ledger::{
    Ledger, View,
    verify::{Finding, check_unread, walk},
};
use crate::registry::{self, Audit, MaterialCount, Scope};
use crate::signature::Allowed;
use std::collections::{BTreeSet, HashMap};

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything there is was proved.
    Proven,
    /// Something is wrong.
    Disproven,
    /// Something could not be looked at.
    CannotSay,
}

impl Answer {
    /// As `verify --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Proven => "proven",
            Answer::Disproven => "disproven",
            Answer::CannotSay => "cannot_say",
        }
    }

    /// The exit status.
    pub fn exit_code(self) -> i32 {
        match self {
            Answer::Proven => 0,
            Answer::Disproven => 1,
            Answer::CannotSay => 2,
        }
    }
}

/// What was proved.
pub struct Proof {
    /// How many entries there are.
    pub entries: usize,
    /// How many of them were proved now, and not before.
    pub verified_now: usize,
    /// What is wrong or missing.
    pub findings: Vec<Finding>,
    /// How much of the material is here.
    pub material: MaterialCount,
    /// The entry with the latest date, and the date, in seconds since 1970.
    pub latest: Option<(i64, Oid)>,
}

impl Proof {
    /// The findings that the answer rests on: a remark moves none.
    pub fn weighty(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.is_remark())
    }

    /// Whether a finding only says that something could not be looked at. Where no entry was, a question that cannot be asked
    /// disproves none.
    pub fn is_absence(&self, finding: &Finding) -> bool {
        finding.is_absence() || (self.entries == 0 && finding.diagnostic.code.class() == Class::Error)
    }

    /// The answer that follows.
    pub fn answer(&self) -> Answer {
        let weighty = || self.weighty();
        match weighty().all(|finding| self.is_absence(finding)) {
            _ if weighty().next().is_none() => Answer::Proven,
            true => Answer::CannotSay,
            false => Answer::Disproven,
        }
    }
}

/// Proves the ledger at `tip`; material is looked up at `attachments`. What `known` proved is not proved again.
pub fn prove(
    repository: &Repository,
    tip: Oid,
    attachments: Option<Oid>,
    known: Option<&Proved>,
    allowed: Option<&Allowed>,
) -> Result<Proof> {
    if let Some(known) = known.filter(|known| known.tip == tip && known.attachments == attachments) {
        return Ok(Proof {
            entries: known.entries,
            verified_now: 0,
            findings: Vec::new(),
            material: known.material,
            latest: known.latest,
        });
    }
    let repository = &repository.bounded()?;
    let known = match known {
        // A chain that cannot be followed is walked from its tip, which finds where it breaks.
        Some(known) if Ledger::of(repository).is_ancestor(known.tip, tip).unwrap_or(false) => Some(known),
        _ => None,
    };
    let walked = walk(repository, tip, known.map(|known| known.tip))?;
    let mut findings = walked.findings;
    let mut audit = Audit::default();
    let mut material = MaterialCount::default();
    // Records can only be read together where the newest entry itself could be read, and where that would end.
    if !walked.exceeded && View::at(repository, Some(tip)).is_ok() {
        let scope = match known {
            None => Scope::Everything,
            Some(known) => {
                let mut touched: BTreeSet<String> = walked.introduced.iter().map(|new| new.path.clone()).collect();
                touched.extend(registry::runs_with_new_material(repository, known.attachments, attachments)?);
                Scope::Touched(touched)
            }
        };
        audit = registry::audit(repository, tip, attachments, &scope, allowed)?;
        material = audit.material;
        if let Some(known) = known {
            let before = registry::audit(repository, known.tip, known.attachments, &scope, allowed)?.material;
            material = known.material.plus(material, before);
        }
    }
    findings.extend(check_unread(repository, &walked.introduced, &audit.read, registry::check_record));
    let named: BTreeSet<String> = findings.iter().filter_map(|finding| finding.diagnostic.path.clone()).collect();
    if !audit.findings.is_empty() {
        let brought: HashMap<&str, Oid> = walked.introduced.iter().map(|new| (new.path.as_str(), new.entry)).collect();
        for diagnostic in audit.findings {
            let path = diagnostic.path.clone().unwrap_or_default();
            if !named.contains(&path) {
                findings.push(Finding { entry: brought.get(path.as_str()).copied(), diagnostic });
            }
        }
    }
    findings.sort_by_key(|finding| finding.is_absence());
    let entries = walked.entries + known.map_or(0, |known| known.entries);
    let latest = walked.latest.max(known.and_then(|known| known.latest));
    Ok(Proof { entries, verified_now: walked.entries, findings, material, latest })
}
