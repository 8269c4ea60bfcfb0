//! `attach`: keeps a file with the run, as evidence for a task.

use super::rapid::Rapid;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Evidence, Payload},
    ids::{RunId, TaskId},
    lifecycle::TaskStatus,
    text::{Producer, RelativePath, Verb, portable_text},
};
use crate::os::files;
use crate::registry::{Draft, NewArtifact};
use std::path::PathBuf;

/// The largest file that is kept, in bytes.
const CAP: u64 = 32 << 20;

/// What is asked.
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// The file.
    pub file: PathBuf,
    /// The task; `None`: the one in progress.
    pub task: Option<TaskId>,
    /// What it is; `None`: its name.
    pub label: Option<String>,
}

/// Keeps a file.
pub fn attach(rapid: &Rapid, request: &Request) -> Result<(RunId, Evidence)> {
    let (records, run) = rapid.run(request.run.as_ref())?;
    let path = rapid.environment().cwd().join(&request.file);
    let shown = request.file.display();
    let unusable = |why: String| Code::Rapid1312.because(format!("'{shown}' cannot be attached: {why}"));
    let data = std::fs::symlink_metadata(&path).map_err(|error| unusable(error.to_string()))?;
    if !data.is_file() {
        return Err(unusable("it is not a file".to_owned()));
    }
    if data.len() > CAP {
        return Err(unusable(format!("it has {} bytes, more than {CAP}", data.len())));
    }
    let bytes = files::read(&path, CAP)?;
    let redactor = rapid.redactor(&rapid.config_of(&records, run.id())?)?;
    // Only text can be searched for secrets; other bytes are kept as they are.
    let bytes = if std::str::from_utf8(&bytes).is_ok() { redactor.redact(&bytes).bytes } else { bytes };
    let name = request.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = RelativePath::parse(&name, Code::Rapid1204)?;
    let label = match &request.label {
        Some(label) => portable_text(&redactor.text(label), Code::Rapid1202, "the label")?,
        None => name.to_string(),
    };
    let evidence = keep(rapid, run.id(), request.task.as_ref(), &name, &label, &bytes)?;
    Ok((run.id().clone(), evidence))
}

/// Keeps bytes, from which secrets are taken out already, as a file of a run.
pub fn keep(
    rapid: &Rapid,
    run: &RunId,
    task: Option<&TaskId>,
    name: &RelativePath,
    label: &str,
    bytes: &[u8],
) -> Result<Evidence> {
    let (_, evidence) = rapid.registry().append(|records| {
        let run = records.run(run)?;
        let state = run.state()?;
        if state.status.is_terminal() {
            return Err(Code::Rapid1014.because(format!(
                "run '{}' is {}: nothing more is recorded in it",
                run.id(),
                state.status
            )));
        }
        let task = match task {
            Some(id) => state.task(id)?.id.clone(),
            None => {
                let current = state.tasks.iter().find(|task| task.status == TaskStatus::InProgress);
                current
                    .map(|task| task.id.clone())
                    .ok_or_else(|| Code::Rapid1010.because("no task is in progress").hint("name one with --task"))?
            }
        };
        let evidence = Evidence {
            id: run.next_evidence_id(),
            run_id: run.id().clone(),
            contract_digest: run.contract.digest(),
            state_revision: state.revision,
            state_digest: state.digest(),
            producer: Producer::Rapid(Verb::Attach),
            summary: label.to_owned(),
            task_ids: vec![task],
            gate_ids: Vec::new(),
            capability_ids: Vec::new(),
            payload: Payload::Artifact { label: label.to_owned() },
            artifacts: Vec::new(),
        };
        let artifact = NewArtifact { path: format!("artifacts/{name}"), bytes: bytes.to_vec() };
        let mut draft = Draft::new("attach", run.id(), format!("attach {} to {}", name, run.id()));
        let evidence = draft.evidence(&run.contract, evidence, &[artifact], None)?;
        Ok((draft, evidence))
    })?;
    Ok(evidence)
}
