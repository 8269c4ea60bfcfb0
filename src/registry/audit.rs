//! What records say together: histories, bindings, replays, material. The second half of `verify`; the first is the
//! ledger's own walk.

use super::{MaterialCount, Place, Records, layout, material, mission, promises, records::canonical, story};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Contract,
    digest::Digest,
    evidence::Evidence,
    expunged::Expunged,
    ids::{RunId, SpecId},
    report::Report,
    run::RunState,
    spec::{SpecRevision, StatusRecord},
};
use crate::evaluator;
use crate::git::{Oid, Repository};
use crate::ledger::{DIVERGED, FORMAT, Known, Reads, View};
use crate::mission::{EventRecord, MissionId, PlanRecord};
use crate::signature::Allowed;
use crate::story::{StoryId, StoryRecord};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What an audit saw.
#[derive(Default)]
pub struct Audit {
    /// What is wrong, each with the path of the record it is about.
    pub findings: Vec<Diagnostic>,
    /// How much of the material is here.
    pub material: MaterialCount,
    /// The records that were read for subjects of which there is nothing to say: each of its type, with its digest.
    pub read: Known,
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
        Place::Expunged(_, name) => match Expunged::from_value(canonical(bytes)?)? {
            record if record.file_name() == *name => Ok(()),
            record => Err(Code::Rapid1555.because(format!("the record belongs under the name {}", record.file_name()))),
        },
        Place::Story(..) => StoryRecord::from_value(canonical(bytes)?).map(drop),
        Place::Spooled(..) => super::spool::check_mark(path, bytes),
        Place::MissionPlan(_) => PlanRecord::from_value(canonical(bytes)?).map(drop),
        Place::MissionEvent(..) => EventRecord::from_value(canonical(bytes)?).map(drop),
        // Bound by digest from their revision, contract or evidence: the audit compares them.
        Place::Document(..) | Place::Term(..) | Place::Signature(..) | Place::MissionSignature(..) => Ok(()),
    }
}

/// What an audit looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every spec, run, story and mission.
    Everything,
    /// Those that these paths of records belong to: the rest was audited before and cannot have changed.
    Touched(BTreeSet<String>),
}

/// Reads everything in scope together, on several threads. `allowed` are the signers of a reviewer who does not take those
/// that the contracts froze.
pub fn audit(
    repository: &Repository,
    tip: Oid,
    attachments: Option<Oid>,
    scope: &Scope,
    allowed: Option<&Allowed>,
) -> Result<Audit> {
    let records = Records::of(View::at(repository, Some(tip))?);
    let mut audit = Audit::default();
    let mut subjects: Vec<Subject> = Vec::new();
    match records.spec_ids() {
        Ok(ids) => subjects.extend(ids.into_iter().map(Subject::Spec)),
        Err(diagnostic) => audit.findings.push(diagnostic.at("specs")),
    }
    match records.run_ids() {
        Ok(ids) => subjects.extend(ids.into_iter().map(Subject::Run)),
        Err(diagnostic) => audit.findings.push(diagnostic.at("runs")),
    }
    audit.findings.extend(without_run(&records).err());
    match records.story_ids() {
        Ok(ids) => subjects.extend(ids.into_iter().map(Subject::Story)),
        Err(diagnostic) => audit.findings.push(diagnostic.at("stories")),
    }
    match records.mission_ids() {
        Ok(ids) => subjects.extend(ids.into_iter().map(Subject::Mission)),
        Err(diagnostic) => audit.findings.push(diagnostic.at("missions")),
    }
    if let Scope::Touched(paths) = scope {
        let touches = |directory: String| {
            let directory = format!("{directory}/");
            paths.range(directory.clone()..).next().is_some_and(|path| path.starts_with(&directory))
        };
        subjects.retain(|subject| match subject {
            Subject::Run(id) => touches(layout::run_dir(id)) || touches(layout::expunged_dir(id)),
            Subject::Spec(id) => touches(layout::spec_dir(id)),
            Subject::Story(id) => touches(layout::story_dir(id)),
            Subject::Mission(id) => touches(layout::mission_dir(id)),
        });
    }
    for part in in_parallel(repository, tip, attachments, &subjects, allowed, &audit.read)? {
        audit.findings.extend(part.findings);
        audit.material = audit.material.plus(part.material, MaterialCount::default());
        audit.read.extend(part.noted);
    }
    Ok(audit)
}

/// A spec, a run, a story or a mission.
enum Subject {
    Spec(SpecId),
    Run(RunId),
    Story(StoryId),
    Mission(MissionId),
}

/// Refuses records of what was removed from a run that never was (RAPID1555).
fn without_run(records: &Records<'_>) -> Result<()> {
    for id in records.runs_with_expunged()? {
        let was_there =
            records.has_run(&id)? || records.view().locate(&format!("{DIVERGED}/{}", layout::run_dir(&id)))?.is_some();
        if !was_there {
            let path = layout::expunged_dir(&id);
            return Err(Code::Rapid1555.because(format!("there is no run '{id}' to expunge anything of")).at(path));
        }
    }
    Ok(())
}

/// How many subjects one thread takes at least; fewer are not worth a thread.
const SHARE: usize = 64;

/// How many bytes of records one thread reads at most, and how many more for each subject.
const MOST_BYTES: u64 = 1 << 30;
const BYTES_OF_A_SUBJECT: u64 = 1 << 20;

/// What one thread saw.
#[derive(Default)]
struct Part {
    findings: Vec<Diagnostic>,
    material: MaterialCount,
    noted: Vec<u64>,
}

fn in_parallel(
    repository: &Repository,
    tip: Oid,
    attachments: Option<Oid>,
    subjects: &[Subject],
    allowed: Option<&Allowed>,
    known: &Known,
) -> Result<Vec<Part>> {
    let threads =
        std::thread::available_parallelism().map_or(1, usize::from).min(subjects.len().div_ceil(SHARE)).max(1);
    let share = subjects.len().div_ceil(threads).max(1);
    let look = |repository: &Repository, subjects: &[Subject]| -> Result<Part> {
        let reads = Rc::new(Reads::new(known, MOST_BYTES + subjects.len() as u64 * BYTES_OF_A_SUBJECT));
        let records = Records::of(View::at(repository, Some(tip))?.noting(&reads));
        let attachments = View::at(repository, attachments)?;
        let mut audit = Part::default();
        for subject in subjects.iter().take_while(|_| !reads.is_spent()) {
            let before = audit.findings.len();
            match subject {
                Subject::Spec(id) => {
                    let found = records.spec(id).err().map(|diagnostic| diagnostic.at(layout::spec_dir(id)));
                    audit.findings.extend(found);
                }
                Subject::Run(id) => run(&records, &attachments, id, allowed, &mut audit),
                Subject::Story(id) => {
                    let (findings, material) = story::audit(&records, &attachments, id);
                    audit.findings.extend(findings);
                    audit.material.present += material.present;
                    audit.material.missing += material.missing;
                }
                Subject::Mission(id) => audit.findings.extend(mission::audit(&records, id, allowed)),
            }
            let noted = reads.take();
            if audit.findings.len() == before {
                audit.noted.extend(noted);
            }
        }
        Ok(audit)
    };
    if threads == 1 {
        return Ok(vec![look(repository, subjects)?]);
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = subjects
            .chunks(share)
            .map(|share| {
                let own = repository.clone();
                scope.spawn(move || look(&own, share))
            })
            .collect();
        let broken = || Err(Code::Rapid003.because("a part of the verification did not end"));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| broken())).collect()
    })
}

fn run(records: &Records<'_>, attachments: &View<'_>, id: &RunId, allowed: Option<&Allowed>, audit: &mut Part) {
    let run = match records.run(id) {
        Ok(run) => run,
        Err(diagnostic) => return audit.findings.push(diagnostic.at(layout::run_dir(id))),
    };
    let contract_path = Place::Contract(id.clone()).path();
    audit.findings.extend(records.audit_spooled(id).err().map(|diagnostic| diagnostic.at(layout::run_dir(id))));
    for diagnostic in [terms, spec, root, base].map(|look| look(records, &run.contract)) {
        audit.findings.extend(diagnostic.err().map(|diagnostic| diagnostic.at(&contract_path)));
    }
    let by_reviewer = allowed.map(|allowed| run.signatures_by(allowed));
    audit.findings.extend(run.signature_faults(by_reviewer.as_ref().unwrap_or(&run.checked)));
    // A report is replayed by the lists that its run was promised under. Where one of the signatures could not be looked at,
    // nobody can say what it would be.
    for (report, ordinal) in run.reports.iter().zip(1..).filter(|_| run.checked.are_known()) {
        if let Err(diagnostic) = evaluator::replay(report, &run.contract, &run.states, &run.evidence, run.signed()) {
            audit.findings.push(diagnostic.at(Place::Report(id.clone(), ordinal).path()));
        }
    }
    audit.findings.extend(records.refuse_odd_expunged(id, &run.evidence).err());
    let expunged = records.expunged_of(id).unwrap_or_default();
    for item in &run.evidence {
        for artifact in &item.artifacts {
            match material::read(attachments, &expunged, item, artifact) {
                Ok(kept) => audit.material.add(&kept),
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

/// The contract's spec is there, with the digest that the contract binds, and the contract follows from it.
fn spec(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let spec = records
        .spec(&contract.spec_id)
        .map_err(|error| Code::Rapid1003.because(format!("the contract's spec does not load: {}", error.message)))?;
    let revision = spec.revision(contract.spec_revision)?;
    match revision.content_digest == contract.spec_content_digest {
        true => promises::kept(records, contract, &revision.content),
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

/// The contract's base is the code of the commit that it names. A clone that has only the ledger cannot tell.
fn base(records: &Records<'_>, contract: &Contract) -> Result<()> {
    let repository = records.view().repository();
    let tree = match &contract.base.commit {
        None => Oid::empty_tree(repository.format()),
        Some(commit) => match Oid::try_from(commit)? {
            commit if repository.has(commit) => repository.tree_of(commit)?,
            _ => return Ok(()),
        },
    };
    match tree.to_git_id() == contract.base.tree {
        true => Ok(()),
        false => Err(Code::Rapid1002.because("the contract's base is not the code of the commit that it names")),
    }
}
