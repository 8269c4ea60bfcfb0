//! What records say together: histories, bindings, replays, material. The second half of `verify`; the first is the
//! ledger's own walk.

use super::{Kept, MaterialCount, Place, Records, layout, material, records::canonical};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Contract,
    digest::Digest,
    evidence::Evidence,
    ids::RunId,
    report::Report,
    run::RunState,
    spec::{SpecRevision, StatusRecord},
};
use crate::evaluator;
use crate::ledger::{FORMAT, View};
use std::collections::BTreeSet;

/// What an audit saw.
#[derive(Default)]
pub struct Audit {
    /// What is wrong, each with the path of the record it is about.
    pub findings: Vec<Diagnostic>,
    /// How much of the material is here.
    pub material: MaterialCount,
}

/// Says what is wrong with one new record by itself: its path, its canonical form, its type, its own digest.
pub fn check_record(path: &str, bytes: &[u8]) -> Result<()> {
    let place = Place::of(path)?;
    match &place {
        Place::Format => match bytes == FORMAT.as_bytes() {
            true => Ok(()),
            false => Err(Code::Rapid1524.because("the ledger's format is not known")),
        },
        Place::Revision(..) => SpecRevision::from_value(canonical(bytes)?).map(drop),
        Place::SpecStatus(..) => StatusRecord::from_value(canonical(bytes)?).map(drop),
        Place::Contract(_) => Contract::from_value(canonical(bytes)?).map(drop),
        Place::State(..) => RunState::from_value(canonical(bytes)?).map(drop),
        Place::Evidence(..) => Evidence::from_value(canonical(bytes)?).map(drop),
        Place::Report(..) => Report::from_value(canonical(bytes)?).map(drop),
        // Bound by digest from their revision, contract or evidence: the audit compares them.
        Place::Document(..) | Place::Term(..) | Place::Signature(..) => Ok(()),
    }
}

/// Reads everything at one entry together.
pub fn audit(records: &Records<'_>, attachments: &View<'_>) -> Audit {
    let mut audit = Audit::default();
    match records.spec_ids() {
        Ok(ids) => {
            for id in ids {
                if let Err(diagnostic) = records.spec(&id) {
                    audit.findings.push(diagnostic.at(layout::spec_dir(&id)));
                }
            }
        }
        Err(diagnostic) => audit.findings.push(diagnostic.at("specs")),
    }
    match records.run_ids() {
        Ok(ids) => ids.iter().for_each(|id| run(records, attachments, id, &mut audit)),
        Err(diagnostic) => audit.findings.push(diagnostic.at("runs")),
    }
    audit
}

fn run(records: &Records<'_>, attachments: &View<'_>, id: &RunId, audit: &mut Audit) {
    let run = match records.run(id) {
        Ok(run) => run,
        Err(diagnostic) => return audit.findings.push(diagnostic.at(layout::run_dir(id))),
    };
    let contract_path = Place::Contract(id.clone()).path();
    for diagnostic in [terms(records, &run.contract), spec(records, &run.contract), root(records, &run.contract)] {
        audit.findings.extend(diagnostic.err().map(|diagnostic| diagnostic.at(&contract_path)));
    }
    for (report, ordinal) in run.reports.iter().zip(1..) {
        if let Err(diagnostic) = evaluator::replay(report, &run.contract, &run.states, &run.evidence, &BTreeSet::new())
        {
            audit.findings.push(diagnostic.at(Place::Report(id.clone(), ordinal).path()));
        }
    }
    for item in &run.evidence {
        for artifact in &item.artifacts {
            match material::read(attachments, item, artifact) {
                Ok(Kept::Here(_)) => audit.material.present += 1,
                Ok(Kept::Missing) => audit.material.missing += 1,
                Err(diagnostic) => audit.findings.push(diagnostic),
            }
        }
    }
}

/// The frozen terms are there, all of them and no others, with the digests that the contract binds.
fn terms(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let directory = format!("{}/terms", layout::run_dir(&contract.run_id));
    for name in records.view().list(&directory)? {
        if !contract.terms.contains_key(&name) {
            return Err(Code::Rapid1521
                .because(format!("the contract binds no term '{name}'"))
                .at(format!("{directory}/{name}")));
        }
    }
    for (name, digest) in &contract.terms {
        let path = format!("{directory}/{name}");
        match records.view().read(&path)? {
            Some(bytes) if Digest::of(&bytes) == *digest => {}
            Some(_) => {
                return Err(Code::Rapid1002
                    .because(format!("the term '{name}' is not what the contract binds"))
                    .at(path));
            }
            None => return Err(Code::Rapid1002.because(format!("the term '{name}' is missing")).at(path)),
        }
    }
    Ok(())
}

/// The contract's spec is there, with the digest that the contract binds.
fn spec(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let spec = records
        .spec(&contract.spec_id)
        .map_err(|error| Code::Rapid1003.because(format!("the contract's spec does not load: {}", error.message)))?;
    let revision = spec.revision(contract.spec_revision)?;
    match revision.content_digest == contract.spec_content_digest {
        true => Ok(()),
        false => Err(Code::Rapid1003.because("the contract's spec is not what it was when the run began")),
    }
}

/// The contract belongs to this ledger.
fn root(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let first = crate::ledger::first_entry(records.view().repository())?;
    match contract.ledger == first.to_git_id() {
        true => Ok(()),
        false => Err(Code::Rapid1203.because("the contract belongs to another ledger")),
    }
}
