//! The catalogue of gates (§4): what each is, when it is met, who decides it. Which of them a run has is `policy`'s.

use super::{
    ids::GateId,
    json::{Fields, Value},
    word::words,
};
use crate::diagnostics::{Code, Result};

words! {
    /// What a gate asks for.
    GateKind, "a gate kind" {
        /// The run works in its own worktree.
        WorkspaceIsolation = "workspace_isolation",
        /// The tests were green before the work.
        BaselineCheck = "baseline_check",
        /// A person lets the work begin.
        ManualApproval = "manual_approval",
        /// The tests are green after the work.
        ImplementationTests = "implementation_tests",
        /// The architecture rules hold.
        ArchitectureCheck = "architecture_check",
        /// A peer reviewed the change.
        PeerReview = "peer_review",
        /// Security was reviewed.
        SecurityReview = "security_review",
        /// The migration was reviewed.
        MigrationReview = "migration_review",
        /// A person accepts the result.
        FinalVerification = "final_verification",
    }
}

words! {
    /// When a gate is met.
    Phase, "a gate phase" {
        /// Before the run becomes active.
        PreExecution = "pre_execution",
        /// Before the run is finished.
        PostExecution = "post_execution",
    }
}

words! {
    /// What a review speaks of.
    ReviewType, "a review type" {
        /// The code, by a peer.
        Peer = "peer",
        /// Security.
        Security = "security",
        /// A migration.
        Migration = "migration",
        /// Whether work may begin.
        Manual = "manual",
        /// The result.
        Final = "final",
    }
}

/// One row of the catalogue.
pub struct CatalogueRow {
    /// The gate's id.
    pub id: &'static str,
    /// What it asks for.
    pub kind: GateKind,
    /// When it is met.
    pub phase: Phase,
    /// The review that meets it; `None` for a machine gate.
    pub review: Option<ReviewType>,
}

/// All gates, in catalogue order.
pub const CATALOGUE: &[CatalogueRow] = {
    use {GateKind as K, Phase as P, ReviewType as R};
    const fn row(id: &'static str, kind: K, phase: P, review: Option<R>) -> CatalogueRow {
        CatalogueRow { id, kind, phase, review }
    }
    &[
        row("gate.workspace-isolation", K::WorkspaceIsolation, P::PreExecution, None),
        row("gate.baseline", K::BaselineCheck, P::PreExecution, None),
        row("gate.manual-approval", K::ManualApproval, P::PreExecution, Some(R::Manual)),
        row("gate.tests", K::ImplementationTests, P::PostExecution, None),
        row("gate.architecture", K::ArchitectureCheck, P::PostExecution, None),
        row("gate.review", K::PeerReview, P::PostExecution, Some(R::Peer)),
        row("gate.security-review", K::SecurityReview, P::PostExecution, Some(R::Security)),
        row("gate.migration-review", K::MigrationReview, P::PostExecution, Some(R::Migration)),
        row("gate.final-verification", K::FinalVerification, P::PostExecution, Some(R::Final)),
    ]
};

/// The gates that a person decides.
pub fn of_people() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().filter(|row| row.review.is_some()).map(|row| row.id)
}

impl GateKind {
    /// The review that meets a gate of this kind; `None` for a machine gate.
    pub fn review(self) -> Option<ReviewType> {
        CATALOGUE.iter().find(|row| row.kind == self).and_then(|row| row.review)
    }

    /// Whether only a person decides it.
    pub fn is_human(self) -> bool {
        self.review().is_some()
    }
}

/// A gate of a run: its row of the catalogue with what the policy said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Its id.
    pub id: GateId,
    /// What it asks for.
    pub kind: GateKind,
    /// When it is met.
    pub phase: Phase,
    /// Whether the verdict asks for it.
    pub required: bool,
    /// Whether a person may let it go.
    pub waivable: bool,
    /// Why the policy chose it.
    pub reason: String,
}

impl Gate {
    /// Its JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("kind", self.kind.into()),
            ("phase", self.phase.into()),
            ("required", self.required.into()),
            ("waivable", self.waivable.into()),
            ("reason", (&self.reason).into()),
        ])
    }

    /// Reads what [`Gate::to_value`] writes; faults are RAPID1002.
    pub fn from_value(value: Value) -> Result<Gate> {
        let code = Code::Rapid1002;
        let mut fields = Fields::of(value, code, "a gate of the contract")?;
        let gate = Gate {
            id: GateId::parse(&fields.text("id")?)?,
            kind: GateKind::parse(&fields.text("kind")?, code)?,
            phase: Phase::parse(&fields.text("phase")?, code)?,
            required: fields.flag("required")?,
            waivable: fields.flag("waivable")?,
            reason: fields.text("reason")?,
        };
        fields.end()?;
        let known =
            CATALOGUE.iter().any(|row| row.id == gate.id.as_str() && row.kind == gate.kind && row.phase == gate.phase);
        if known { Ok(gate) } else { Err(code.because(format!("'{}' is not a gate of the catalogue", gate.id))) }
    }
}
