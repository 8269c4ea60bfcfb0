//! Which gates a run has, and why (§3.3, step 8): the catalogue, asked row by row.

use super::{Policy, Project, Risk, RiskSignal, scope};
use crate::diagnostics::Result;
use crate::domain::{
    gate::{CATALOGUE, CatalogueRow, Gate, GateKind},
    ids::GateId,
    mode::Mode,
    spec::SpecDraft,
};

/// What the choice depends on.
pub(super) struct Choice<'a> {
    pub(super) spec: &'a SpecDraft,
    pub(super) policy: &'a Policy,
    pub(super) project: &'a Project,
    pub(super) risk: Risk,
    pub(super) isolated: bool,
    pub(super) signals: &'a [RiskSignal],
}

impl Choice<'_> {
    /// The gates, in catalogue order.
    pub(super) fn gates(&self) -> Result<Vec<Gate>> {
        let mut gates = Vec::new();
        for row in CATALOGUE {
            if let Some(reason) = self.reason(row) {
                gates.push(Gate {
                    id: GateId::parse(row.id)?,
                    kind: row.kind,
                    phase: row.phase,
                    required: true,
                    waivable: self.policy.waivable_gate_ids.contains(row.id) && self.risk < Risk::Critical,
                    reason,
                });
            }
        }
        Ok(gates)
    }

    /// Why this run has the gate, in words; `None` when it has not.
    fn reason(&self, row: &CatalogueRow) -> Option<String> {
        let by_rule = match row.kind {
            GateKind::WorkspaceIsolation => {
                self.isolated.then(|| format!("work of {} risk happens in a worktree of its own", self.risk))
            }
            GateKind::BaselineCheck => self.at_least(
                Risk::Medium,
                "the tests must be green before the work begins, so that a later red is this run's",
            ),
            GateKind::ManualApproval => self.at_least(Risk::Critical, "a person lets the work begin"),
            GateKind::ImplementationTests => self.at_least(Risk::Medium, "the tests must be green on the result"),
            GateKind::ArchitectureCheck => {
                let mode = matches!(self.spec.mode, Mode::Feature | Mode::Bugfix | Mode::Refactor);
                (mode && self.project.has_architecture_rules)
                    .then(|| "the project has architecture rules; the result must keep them".to_owned())
            }
            GateKind::PeerReview => self.at_least(Risk::High, "a second pair of eyes looks at the change"),
            GateKind::SecurityReview => {
                self.because_of(&[scope::SECURITY.id, scope::AUTHENTICATION.id], "security is reviewed")
            }
            GateKind::MigrationReview => self.because_of(&[scope::DATABASE_MIGRATION.id], "the migration is reviewed"),
            GateKind::FinalVerification => Some("a person accepts the result of every run".to_owned()),
        };
        let extra = self.policy.extra_required_gate_ids.contains(row.id);
        by_rule.or_else(|| extra.then(|| "this project's policy asks for it in every run".to_owned()))
    }

    fn at_least(&self, risk: Risk, then: &str) -> Option<String> {
        (self.risk >= risk).then(|| format!("the risk is {}: {then}", self.risk))
    }

    fn because_of(&self, ids: &[&str], then: &str) -> Option<String> {
        let signal = self.signals.iter().find(|signal| ids.contains(&signal.id.as_str()))?;
        Some(format!("{}, so {then}", signal.reason))
    }
}
