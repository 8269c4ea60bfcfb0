//! What one verb adds: typed records put together into one entry.

use super::{Place, layout, run::references};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    contract::Contract,
    digest::Digest,
    evidence::{Artifact, Evidence},
    expunged::Expunged,
    ids::{EvidenceId, RunId},
    report::Report,
    run::RunState,
    spec::{Document, SpecRevision, StatusRecord},
    text::RelativePath,
};
use crate::git::Oid;
use crate::ledger::{Additions, Material};

/// The largest artifact that is kept, in bytes.
pub const ARTIFACT_CAP: u64 = 32 << 20;

/// The most pieces of evidence a run may have.
const MAX_EVIDENCE: u32 = 10_000;

/// A file to be kept with a piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewArtifact {
    /// Below the evidence's own directory: `log`, or `artifacts/…`.
    pub path: String,
    /// Its bytes, redacted already.
    pub bytes: Vec<u8>,
}

/// One entry being put together.
pub struct Draft {
    additions: Additions,
}

impl Draft {
    /// An entry by `verb` about `about`; `subject` says in a few words what happened.
    pub fn new(verb: &str, about: impl ToString, subject: impl Into<String>) -> Draft {
        Draft { additions: Additions::new(verb, about.to_string(), subject) }
    }

    pub(super) fn into_additions(self) -> Additions {
        self.additions
    }

    /// Adds a revision of a spec and its documents.
    pub fn revision(&mut self, revision: &SpecRevision) -> Result<()> {
        let (id, number) = (&revision.spec_id, revision.revision);
        self.put(&Place::Revision(id.clone(), number), revision.to_value().record_bytes())?;
        for document in Document::ALL {
            let place = Place::Document(id.clone(), number, document.file_name().to_owned());
            self.put(&place, document.render(&revision.content).into_bytes())?;
        }
        Ok(())
    }

    /// Adds a status record of a spec.
    pub fn spec_status(&mut self, record: &StatusRecord) -> Result<()> {
        self.put(&Place::SpecStatus(record.spec_id.clone(), record.ordinal), record.to_value().record_bytes())
    }

    /// Adds a contract with the terms it binds.
    pub fn contract(&mut self, contract: &Contract, terms: &[(String, Vec<u8>)]) -> Result<()> {
        self.put(&Place::Contract(contract.run_id.clone()), contract.to_value().record_bytes())?;
        for (name, bytes) in terms {
            if contract.terms.get(name) != Some(&Digest::of(bytes)) {
                return Err(Code::Rapid003.because(format!("the contract does not bind the term '{name}'")));
            }
            self.put(&Place::Term(contract.run_id.clone(), name.clone()), bytes.clone())?;
        }
        Ok(())
    }

    /// Adds a state of a run.
    pub fn state(&mut self, state: &RunState) -> Result<()> {
        self.put(&Place::State(state.run_id.clone(), state.revision), state.to_value().record_bytes())
    }

    /// Adds a piece of evidence with its files and, when it speaks of one that was kept, its tree. Returns the record
    /// with the files' digests in it.
    pub fn evidence(
        &mut self,
        contract: &Contract,
        evidence: Evidence,
        artifacts: &[NewArtifact],
        tree: Option<Oid>,
    ) -> Result<Evidence> {
        if evidence.id.ordinal() > MAX_EVIDENCE {
            return Err(Code::Rapid1525.because(format!("a run may have at most {MAX_EVIDENCE} pieces of evidence")));
        }
        let prefix = Evidence::artifact_prefix(&evidence.run_id, &evidence.id);
        let directory = layout::material_dir(&evidence.run_id, &evidence.id);
        let mut evidence = evidence;
        for artifact in artifacts {
            let size_bytes = artifact.bytes.len() as u64;
            if size_bytes > ARTIFACT_CAP {
                return Err(Code::Rapid1525
                    .because(format!("'{}' has {size_bytes} bytes, more than {ARTIFACT_CAP}", artifact.path)));
            }
            let path = RelativePath::parse(&format!("{prefix}{}", artifact.path), Code::Rapid1204)?;
            evidence.artifacts.push(Artifact { path, sha256: Digest::of(&artifact.bytes), size_bytes });
            self.additions
                .attach(&format!("{directory}/{}", artifact.path), Material::Bytes(artifact.bytes.clone()))?;
        }
        if let Some(tree) = tree {
            self.additions.attach(&format!("{directory}/tree"), Material::Tree(tree))?;
        }
        let evidence = evidence.in_order();
        references(&evidence, contract)?;
        let record = evidence.to_value();
        // What cannot be read back would be a fault of ours in everybody's ledger: find it before it is written.
        Evidence::from_value(record.clone())?;
        self.put(&Place::Evidence(evidence.run_id.clone(), evidence.id.clone()), record.record_bytes())?;
        Ok(evidence)
    }

    /// Adds a detached signature over a piece of evidence.
    pub fn signature(&mut self, run: &RunId, id: &EvidenceId, bytes: Vec<u8>) -> Result<()> {
        self.put(&Place::Signature(run.clone(), id.clone()), bytes)
    }

    /// Adds a report.
    pub fn report(&mut self, ordinal: u32, report: &Report) -> Result<()> {
        self.put(&Place::Report(report.run_id.clone(), ordinal), report.to_value().record_bytes())
    }

    /// Adds the record that a piece of material was removed.
    pub fn expunged(&mut self, record: &Expunged) -> Result<()> {
        let bytes = record.to_value().record_bytes();
        Expunged::from_value(record.to_value())?;
        self.put(&Place::Expunged(record.run_id.clone(), record.file_name()), bytes)
    }

    pub(super) fn attach(&mut self, path: &str, material: Material) -> Result<()> {
        self.additions.attach(path, material)
    }

    pub(super) fn put(&mut self, place: &Place, bytes: Vec<u8>) -> Result<()> {
        self.additions.record(&place.path(), bytes)
    }
}
