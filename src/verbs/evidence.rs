//! `evidence`: what somebody else observed, bound to a run by this tool; and what was kept with a record (`kept`).

mod kept;

pub use kept::{Checked, bring, expunged, kept_files, log, verify};

use super::rapid::Rapid;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Authored, Evidence},
    ids::RunId,
    json,
    text::RelativePath,
};
use crate::os::files;
use crate::registry::{Draft, NewArtifact};
use std::path::{Path, PathBuf};

/// The largest evidence document that is read, in bytes.
const DOCUMENT_CAP: usize = 1 << 20;

/// The largest artifact that is kept, in bytes.
const ARTIFACT_CAP: u64 = 32 << 20;

/// Binds an authored document to a run. `beside` is the directory of the document: artifacts are looked up there first, then
/// at the top of the working copy.
pub fn add(rapid: &Rapid, id: &RunId, document: &[u8], beside: Option<&Path>) -> Result<Evidence> {
    if document.len() > DOCUMENT_CAP {
        return Err(Code::Rapid1525.because("the evidence document is too large"));
    }
    let value = json::parse(document)
        .map_err(|fault| Code::Rapid1202.because(format!("the evidence document is not JSON: {fault}")))?;
    // What is no evidence is refused as such, whatever else is wrong.
    Authored::from_value(value.clone())?;
    let (records, _) = rapid.run(Some(id))?;
    let redactor = rapid.redactor(&rapid.config_of(&records, id)?)?;
    let authored = Authored::from_value(value.rewritten(&|text| redactor.text(text)))?;
    let mut artifacts = Vec::new();
    for path in &authored.artifacts {
        let bytes = files::read(&find(rapid, path, beside)?, ARTIFACT_CAP)?;
        let bytes = if std::str::from_utf8(&bytes).is_ok() { redactor.redact(&bytes).bytes } else { bytes };
        artifacts.push(NewArtifact { path: format!("artifacts/{path}"), bytes });
    }
    let (_, evidence) = rapid.registry().append(|records| {
        let run = records.run(id)?;
        let current = run.state()?;
        let state = match authored.state_revision {
            None => current,
            Some(revision) => run.states.iter().find(|state| state.revision == revision).ok_or_else(|| {
                Code::Rapid1203
                    .because(format!("the run has no state {revision}"))
                    .hint(format!("its states are 1 to {}", current.revision))
            })?,
        };
        let evidence = Evidence {
            id: run.next_evidence_id(),
            run_id: id.clone(),
            contract_digest: run.contract.digest(),
            state_revision: state.revision,
            state_digest: state.digest(),
            producer: authored.producer.clone(),
            summary: authored.summary.clone(),
            task_ids: authored.task_ids.clone(),
            gate_ids: authored.gate_ids.clone(),
            capability_ids: authored.capability_ids.clone(),
            payload: authored.payload.clone(),
            artifacts: Vec::new(),
        };
        if let crate::domain::text::Producer::Harness(harness) = &evidence.producer
            && *harness != run.contract.harness
        {
            return Err(Code::Rapid1203.because(format!(
                "the evidence comes from harness '{harness}', the contract names '{}'",
                run.contract.harness
            )));
        }
        let mut draft =
            Draft::new("evidence", id, format!("evidence {} {}: {}", id, evidence.id, evidence.payload.kind()));
        let evidence = draft.evidence(&run.contract, evidence, &artifacts, None)?;
        Ok((draft, evidence))
    })?;
    Ok(evidence)
}

/// An artifact's file: a plain file, reached through no symbolic link (RAPID1204), there (RAPID1205).
fn find(rapid: &Rapid, path: &RelativePath, beside: Option<&Path>) -> Result<PathBuf> {
    let tops = beside.map(Path::to_owned).into_iter().chain(rapid.repository().workdir().map(Path::to_owned));
    for top in tops {
        let mut place = top;
        let mut there = true;
        for part in path.as_str().split('/') {
            place.push(part);
            match std::fs::symlink_metadata(&place) {
                Ok(data) if data.is_symlink() => {
                    return Err(
                        Code::Rapid1204.because(format!("the artifact '{path}' is reached through a symbolic link"))
                    );
                }
                Ok(_) => {}
                Err(_) => {
                    there = false;
                    break;
                }
            }
        }
        if there && place.is_file() {
            return Ok(place);
        }
    }
    Err(Code::Rapid1205
        .because(format!("the artifact '{path}' is not there"))
        .hint("name it relative to the document, or to the top of the repository"))
}
