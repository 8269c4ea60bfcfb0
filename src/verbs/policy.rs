//! `policy`: the policy that a run would begin under, and what it decides for a spec. Reads the working copy; a run is judged
//! by what is committed (`terms`).

use super::rapid::{CONFIG_PATH, Rapid};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::PolicySource,
    ids::SpecId,
    policy::{Decision, Overrides, Policy, Project, decide},
    spec::SpecDraft,
};

/// The policy in effect.
pub struct Effective {
    /// The policy.
    pub policy: Policy,
    /// Where it comes from.
    pub source: PolicySource,
}

/// The policy that the working copy's configuration gives (RAPID1005, RAPID1006).
pub fn effective(rapid: &Rapid) -> Result<Effective> {
    match rapid.working_config()?.policy {
        None => Ok(Effective { policy: Policy::default(), source: PolicySource::Default }),
        Some(table) => {
            let policy = Policy::default().tightened(&table).map_err(|error| error.at(CONFIG_PATH))?;
            Ok(Effective { policy, source: PolicySource::Config })
        }
    }
}

/// The spec that is asked about.
pub enum Asked {
    /// The current revision of one in the ledger.
    Spec(SpecId),
    /// The one of the active run, in the revision that the run was promised.
    Active,
    /// One that nobody recorded.
    Draft(Box<SpecDraft>),
}

/// What the policy decides for a spec.
pub fn check(rapid: &Rapid, asked: Asked, overrides: &Overrides) -> Result<(SpecDraft, Effective, Decision)> {
    let draft = match asked {
        Asked::Draft(draft) => *draft,
        Asked::Active => {
            let (records, run) = rapid.run(None).map_err(|error| match error.code {
                Code::Rapid1300 => Diagnostic { hints: Vec::new(), ..error }
                    .hint("name a spec: git rapid policy check --spec ID, or --spec-file FILE"),
                _ => error,
            })?;
            records.spec(&run.contract.spec_id)?.revision(run.contract.spec_revision)?.content.clone()
        }
        Asked::Spec(id) => {
            let records = rapid.registry().existing_records()?;
            records.spec(&records.meant_spec(&id)?)?.current()?.content.clone()
        }
    };
    let effective = effective(rapid)?;
    let rules = rapid.repository().workdir().map(|top| top.join(super::arch::RULES_PATH));
    let project = Project { has_architecture_rules: rules.is_some_and(|path| path.exists()) };
    let decision = decide(&draft, &effective.policy, overrides, &project)?;
    Ok((draft, effective, decision))
}
