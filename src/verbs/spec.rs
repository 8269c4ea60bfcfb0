//! `spec`: create, revise and move specs.

use super::rapid::Rapid;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::SpecId,
    lifecycle::SpecStatus,
    spec::{SpecDraft, SpecRevision, StatusRecord},
};
use crate::registry::{Draft, Spec};

/// Writes a new spec (RAPID806 when the id is taken).
pub fn create(rapid: &Rapid, draft: &SpecDraft, id: Option<SpecId>, status: SpecStatus) -> Result<Spec> {
    let draft = without_secrets(rapid, draft.clone())?;
    let id = match id {
        Some(id) => id,
        None => SpecId::from_title(&draft.title)?,
    };
    if status == SpecStatus::Archived {
        return Err(Code::Rapid805.because("a new spec is draft or ready"));
    }
    rapid.registry().append(|records| {
        if records.has_spec(&id)? {
            return Err(Code::Rapid806
                .because(format!("there is a spec '{id}' already"))
                .hint(format!("revise it: git rapid spec revise {id}"))
                .hint("or choose another id with --id"));
        }
        let revision = SpecRevision::new(id.clone(), 1, draft.clone());
        let mut entry = Draft::new("spec", &id, format!("spec {id}: {}", draft.title));
        entry.revision(&revision)?;
        entry.spec_status(&StatusRecord { spec_id: id.clone(), ordinal: 1, status, current_revision: 1 })?;
        Ok((entry, ()))
    })?;
    rapid.registry().records()?.spec(&id)
}

/// Writes a new revision, which is a draft again (RAPID805 when the spec is archived).
pub fn revise(rapid: &Rapid, id: &SpecId, change: &dyn Fn(SpecDraft) -> Result<SpecDraft>) -> Result<Spec> {
    let id = &rapid.registry().existing_records()?.meant_spec(id)?;
    rapid.registry().append(|records| {
        let spec = records.spec(id)?;
        if spec.status == SpecStatus::Archived {
            return Err(Code::Rapid805.because(format!("spec '{id}' is archived and cannot be revised")));
        }
        let current = spec.current()?;
        let content = without_secrets(rapid, change(current.content.clone())?.checked()?)?;
        if content == current.content {
            return Err(Code::Rapid803
                .because("the revision changes nothing")
                .hint("name what changes, like --title or --task"));
        }
        let revision = SpecRevision::new(id.clone(), current.revision + 1, content);
        let mut entry = Draft::new("spec", id, format!("spec {id}: revision {}", revision.revision));
        entry.revision(&revision)?;
        entry.spec_status(&moved(&spec, SpecStatus::Draft, revision.revision))?;
        Ok((entry, ()))
    })?;
    rapid.registry().records()?.spec(id)
}

/// Moves a spec.
pub fn status(rapid: &Rapid, id: &SpecId, to: SpecStatus) -> Result<Spec> {
    let id = &rapid.registry().existing_records()?.meant_spec(id)?;
    rapid.registry().append(|records| {
        let spec = records.spec(id)?;
        spec.status.step(to)?;
        let mut entry = Draft::new("spec", id, format!("spec {id}: {to}"));
        entry.spec_status(&moved(&spec, to, spec.current()?.revision))?;
        Ok((entry, ()))
    })?;
    rapid.registry().records()?.spec(id)
}

/// The draft as it may be stored, under the configuration in the working copy: no run's terms speak of it yet.
fn without_secrets(rapid: &Rapid, draft: SpecDraft) -> Result<SpecDraft> {
    let redactor = rapid.redactor(&rapid.working_config()?)?;
    draft.rewritten(|text| redactor.text(text))
}

fn moved(spec: &Spec, status: SpecStatus, current_revision: u32) -> StatusRecord {
    let ordinal = u32::try_from(spec.history.len()).unwrap_or(u32::MAX).saturating_add(1);
    StatusRecord { spec_id: spec.id.clone(), ordinal, status, current_revision }
}
