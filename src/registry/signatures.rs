//! The signatures of a run's decisions: checked when the run is read, by the lists that its contract froze.
//!
//! Not here: what a missing or bad signature means (`evaluator`, `audit`). A signature that does not hold is kept as a
//! finding; it never keeps a run from being read.

use super::{Place, Records, Run};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::{Approvals, Contract},
    digest::Digest,
    evidence::{Evidence, Payload, ReviewOutcome},
    ids::EvidenceId,
    signer::Signed,
    text::Producer,
};
use crate::signature::{self, Allowed};
use std::collections::BTreeMap;

/// What signatures say, by one list of allowed signers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signatures {
    /// The evidence whose signature holds, and whose it is.
    pub signed: Signed,
    /// The signatures that do not count, and why.
    pub refused: BTreeMap<EvidenceId, Diagnostic>,
}

impl Signatures {
    /// Whether every signature could be looked at.
    pub fn are_known(&self) -> bool {
        self.refused.values().all(|why| why.code != Code::Rapid1444)
    }
}

impl Records<'_> {
    /// The lists of signers that a contract froze, verified (RAPID1002).
    pub fn allowed(&self, contract: &Contract) -> Result<Allowed> {
        Allowed::from_terms(|name| {
            let Some(digest) = contract.terms.get(name) else { return Ok(None) };
            let path = Place::Term(contract.run_id.clone(), name.to_owned()).path();
            match self.view().read(&path)? {
                Some(bytes) if Digest::of(&bytes) == *digest => Ok(Some(bytes)),
                _ => Err(Code::Rapid1002.because(format!("the term '{name}' is not what the contract binds")).at(path)),
            }
        })
    }
}

/// Reads the signatures beside a run's evidence.
pub(super) fn read(
    records: &Records<'_>,
    contract: &Contract,
    ids: Vec<EvidenceId>,
) -> Result<BTreeMap<EvidenceId, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for id in ids {
        let place = Place::Signature(contract.run_id.clone(), id.clone());
        found.extend(records.view().read(&place.path())?.map(|bytes| (id, bytes)));
    }
    Ok(found)
}

/// Checks signatures by a list.
pub(super) fn check(
    contract: &Contract,
    evidence: &[Evidence],
    signatures: &BTreeMap<EvidenceId, Vec<u8>>,
    allowed: &Allowed,
) -> Signatures {
    let mut found = Signatures::default();
    for (id, bytes) in signatures {
        let at = evidence.iter().position(|item| item.id == *id);
        let item = at.and_then(|at| evidence.get(at));
        let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| evidence.get(at));
        let over = item.and_then(|item| signature::statement(contract, before, item));
        let checked = match over {
            Some((statement, at)) => signature::check(allowed, &statement, bytes, at),
            None => Err(Code::Rapid1441.because(format!("{id} is nothing that can be signed"))),
        };
        match checked {
            Ok(signer) => drop(found.signed.insert(id.clone(), signer)),
            Err(why) => {
                let path = Place::Signature(contract.run_id.clone(), id.clone()).path();
                found
                    .refused
                    .insert(id.clone(), Diagnostic { message: format!("{id}: {}", why.message), ..why }.at(path));
            }
        }
    }
    found
}

impl Run {
    /// What its signatures say by another list than the one that its contract froze: a reviewer's own.
    pub fn signatures_by(&self, allowed: &Allowed) -> Signatures {
        check(&self.contract, &self.evidence, &self.signatures, allowed)
    }

    /// What is wrong with its signatures, by what was found of them: those that do not hold always, the rest where the terms
    /// ask for signatures.
    pub fn signature_faults(&self, found: &Signatures) -> Vec<Diagnostic> {
        let asked = self.contract.approvals == Approvals::Signed;
        let counts = |why: &&Diagnostic| asked || matches!(why.code, Code::Rapid1441 | Code::Rapid1444);
        let mut faults: Vec<Diagnostic> = found.refused.values().filter(counts).cloned().collect();
        if asked {
            let unsigned =
                self.evidence.iter().filter(|item| is_decision(item) && !self.signatures.contains_key(&item.id));
            faults.extend(unsigned.map(|item| {
                Code::Rapid1440
                    .because(format!("{} decides without a signature, and the run's terms ask for one", item.id))
                    .at(Place::Evidence(self.contract.run_id.clone(), item.id.clone()).path())
            }));
        }
        faults
    }
}

/// Whether a person decides something in it that a run's pass may rest on.
fn is_decision(item: &Evidence) -> bool {
    let lets_pass = |outcome| matches!(outcome, ReviewOutcome::Approved | ReviewOutcome::Waived);
    item.producer == Producer::User && matches!(&item.payload, Payload::Review(review) if lets_pass(review.outcome))
}
