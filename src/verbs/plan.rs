//! The plan of a run: which revision of which spec, under which decision of the policy, with which contract. Shared by
//! `start`, which adds the workspace and the baseline, and by `run create`, which adds nothing.
//!
//! Not here: what happens in the working copy. A plan is made on the records as they stand and made again when another
//! writer was first.

use super::{rapid::Rapid, terms::Terms};
use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    contract::{Base, Contract, PolicySource, Task},
    digest::Digest,
    ids::{HarnessId, RunId, SpecId, TaskId},
    lifecycle::SpecStatus,
    mode::Mode,
    policy::{Classification, Decision, Overrides, Project, Risk, decide},
    run::RunState,
    spec::{SpecDraft, SpecRevision, StatusRecord},
};
use crate::git::{Head, Oid};
use crate::ledger;
use crate::registry::{Draft, Records};

/// The run that is wanted.
pub struct Wanted {
    /// The kind of work.
    pub mode: Mode,
    /// What is to be done.
    pub spec: SpecSource,
    /// The agent's harness.
    pub harness: HarnessId,
    /// Raise the risk to this.
    pub risk: Option<Risk>,
    /// Raise the classification to this.
    pub classification: Option<Classification>,
    /// The run's id; `None`: derived from the spec's.
    pub run_id: Option<RunId>,
}

/// Where the spec comes from.
pub enum SpecSource {
    /// It is written now, under this id or one derived from its title.
    New(Box<SpecDraft>, Option<SpecId>),
    /// It is in the ledger and ready; this revision, or the current one.
    Existing(SpecId, Option<u32>),
}

impl SpecSource {
    /// The same source, as it may be stored. A spec that is in the ledger already stays as it is.
    pub fn without_secrets(self, redactor: &Redactor) -> Result<SpecSource> {
        Ok(match self {
            SpecSource::New(draft, id) => SpecSource::New(Box::new(draft.rewritten(|text| redactor.text(text))?), id),
            existing @ SpecSource::Existing(..) => existing,
        })
    }
}

/// What will be written, decided on the records as they stand.
pub struct Plan {
    /// The spec's revision.
    pub revision: SpecRevision,
    /// Whether the spec is written with the run.
    pub is_new: bool,
    /// The contract.
    pub contract: Contract,
}

impl Plan {
    /// Writes the spec, where it is new, the contract and the first state; returns that state.
    pub fn write(&self, draft: &mut Draft, terms: &Terms) -> Result<RunState> {
        if self.is_new {
            draft.revision(&self.revision)?;
            draft.spec_status(&StatusRecord {
                spec_id: self.revision.spec_id.clone(),
                ordinal: 1,
                status: SpecStatus::Ready,
                current_revision: 1,
            })?;
        }
        draft.contract(&self.contract, &terms.files)?;
        let state = RunState::prepared(&self.contract);
        draft.state(&state)?;
        Ok(state)
    }
}

/// What a plan is made from.
pub struct Planning<'a> {
    /// The repository.
    pub rapid: &'a Rapid,
    /// The run that is wanted.
    pub wanted: &'a Wanted,
    /// The terms it begins under.
    pub terms: &'a Terms,
    /// Where the code stands.
    pub head: &'a Head,
}

impl Planning<'_> {
    /// The plan.
    pub fn plan(&self, records: &Records<'_>) -> Result<Plan> {
        let (revision, is_new) = self.spec(records)?;
        let overrides = Overrides { classification: self.wanted.classification, risk: self.wanted.risk };
        let project = Project { has_architecture_rules: self.terms.has("architecture.json") };
        let decision = decide(&revision.content, &self.terms.policy, &overrides, &project)?;
        let run_id = self.run_id(records, &revision)?;
        let contract = self.contract(run_id, &revision, decision)?;
        Ok(Plan { revision, is_new, contract })
    }

    fn spec(&self, records: &Records<'_>) -> Result<(SpecRevision, bool)> {
        match &self.wanted.spec {
            SpecSource::New(draft, id) => {
                let id = match id {
                    Some(id) => id.clone(),
                    None => SpecId::from_title(&draft.title)?,
                };
                if records.has_spec(&id)? {
                    return Err(Code::Rapid806
                        .because(format!("there is a spec '{id}' already"))
                        .hint(format!("begin another run on it: git rapid start {} --spec {id}", self.wanted.mode))
                        .hint("or choose another title"));
                }
                Ok((SpecRevision::new(id, 1, (**draft).clone()), true))
            }
            SpecSource::Existing(id, revision) => {
                let spec = records.spec(&records.meant_spec(id)?)?;
                let id = &spec.id;
                if spec.status != SpecStatus::Ready {
                    return Err(Code::Rapid1003
                        .because(format!("spec '{id}' is {}, only a ready spec opens a run", spec.status))
                        .hint(format!("when it is ready: git rapid spec status {id} ready")));
                }
                let revision = match revision {
                    None => spec.current()?.clone(),
                    Some(number) => spec.revision(*number)?.clone(),
                };
                if revision.content.mode != self.wanted.mode {
                    return Err(Code::Rapid1003
                        .because(format!(
                            "spec '{id}' asks for a {}, not a {}",
                            revision.content.mode, self.wanted.mode
                        ))
                        .hint(format!("git rapid start {} --spec {id}", revision.content.mode)));
                }
                Ok((revision, false))
            }
        }
    }

    fn run_id(&self, records: &Records<'_>, revision: &SpecRevision) -> Result<RunId> {
        if let Some(id) = &self.wanted.run_id {
            return match records.has_run(id)? {
                false => Ok(id.clone()),
                true => Err(Code::Rapid1007
                    .because(format!("there is a run '{id}' already"))
                    .hint("choose another id, or leave it out")),
            };
        }
        derive_run_id(records, &revision.spec_id, revision.revision)
    }

    fn contract(&self, run_id: RunId, revision: &SpecRevision, decision: Decision) -> Result<Contract> {
        let tasks = revision.content.implementation_tasks.iter().zip(1..);
        Ok(Contract {
            run_id,
            spec_id: revision.spec_id.clone(),
            spec_revision: revision.revision,
            spec_content_digest: revision.content_digest,
            mode: revision.content.mode,
            harness: self.wanted.harness.clone(),
            test_command: self.terms.config.test_command.clone(),
            ruleset: self.terms.config.ruleset,
            approvals: self.terms.config.approvals,
            approvers: self.terms.config.approvers.clone(),
            ledger: ledger::first_entry(self.rapid.repository())?.to_git_id(),
            base: Base {
                commit: self.head.commit.map(Oid::to_git_id),
                tree: self.head.tree.to_git_id(),
                object_format: self.rapid.repository().format(),
            },
            terms: self.terms.files.iter().map(|(name, bytes)| (name.clone(), Digest::of(bytes))).collect(),
            policy_source: if self.terms.tightened { PolicySource::Config } else { PolicySource::Default },
            policy_digest: self.terms.policy.digest(),
            decision,
            tasks: tasks
                .map(|(description, ordinal)| Task { id: TaskId::of(ordinal), description: description.clone() })
                .collect(),
        })
    }
}

/// The first run id of a spec's revision that is free.
fn derive_run_id(records: &Records<'_>, spec: &SpecId, revision: u32) -> Result<RunId> {
    for ordinal in 1..100_000 {
        let id = RunId::derive(spec, revision, ordinal)?;
        if !records.has_run(&id)? {
            return Ok(id);
        }
    }
    Err(Code::Rapid1525.because(format!("spec '{spec}' has too many runs")))
}
