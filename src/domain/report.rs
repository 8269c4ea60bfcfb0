//! The report of an evaluation (§2.8): assertions and the verdict that follows from them, bound to exactly what was judged.

use super::{
    capability::Capability,
    contract::Ruleset,
    digest::Digest,
    git_id::GitId,
    ids::{AssertionId, EvidenceId, RunId},
    json::{Fields, Value},
    word::words,
};
use crate::diagnostics::{Code, Result};

words! {
    /// What an assertion speaks of.
    Category, "a category" {
        /// The run's life cycle.
        Lifecycle = "lifecycle",
        /// A task.
        Task = "task",
        /// A gate.
        Gate = "gate",
        /// A capability.
        Capability = "capability",
    }
}

words! {
    /// How an assertion stands.
    Status, "a status" {
        /// Shown.
        Pass = "pass",
        /// Contradicted.
        Fail = "fail",
        /// Neither.
        Unverified = "unverified",
        /// Let go by a person.
        Waived = "waived",
        /// Not asked.
        NotApplicable = "not_applicable",
    }
}

words! {
    /// The conclusion.
    Verdict, "a verdict" {
        /// Everything asked for is shown.
        Pass = "pass",
        /// Everything asked for is shown or was let go by a person.
        PassWithWaivers = "pass_with_waivers",
        /// Something asked for is not shown.
        Unverified = "unverified",
        /// Something asked for is contradicted.
        Fail = "fail",
    }
}

impl Status {
    /// Whether nothing is left to be shown or let go.
    pub fn is_settled(self) -> bool {
        match self {
            Status::Pass | Status::Waived | Status::NotApplicable => true,
            Status::Fail | Status::Unverified => false,
        }
    }
}

impl Verdict {
    /// The verdict that follows from assertions (§5.3).
    pub fn of(assertions: &[Assertion]) -> Verdict {
        let any = |status| assertions.iter().any(|assertion| assertion.required && assertion.status == status);
        match () {
            () if any(Status::Fail) => Verdict::Fail,
            () if any(Status::Unverified) => Verdict::Unverified,
            () if any(Status::Waived) => Verdict::PassWithWaivers,
            () => Verdict::Pass,
        }
    }

    /// Whether `--require-pass` lets it through.
    pub fn is_pass(self) -> bool {
        matches!(self, Verdict::Pass | Verdict::PassWithWaivers)
    }
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Like `gate.gate.tests.evidence`.
    pub id: AssertionId,
    /// What it speaks of.
    pub category: Category,
    /// The run, task, gate or capability.
    pub subject_id: String,
    /// Whether the verdict asks for it.
    pub required: bool,
    /// The answer.
    pub status: Status,
    /// Why, in words.
    pub reason: String,
    /// The evidence looked at, by ordinal.
    pub evidence_ids: Vec<EvidenceId>,
}

/// The report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The run.
    pub run_id: RunId,
    /// Its contract.
    pub contract_digest: Digest,
    /// The state that was judged.
    pub state_revision: u32,
    /// That state's digest.
    pub state_digest: Digest,
    /// The evidence that was judged.
    pub evidence_set_digest: Digest,
    /// By which rules.
    pub ruleset: Ruleset,
    /// The digest of those rules.
    pub ruleset_digest: Digest,
    /// Capabilities asked for beyond the contract's, sorted.
    pub extra_capability_ids: Vec<Capability>,
    /// The tree that the verdict is about; only ruleset 4 says.
    pub tree: Option<GitId>,
    /// The answers, in the order the rules give them.
    pub assertions: Vec<Assertion>,
}

impl Report {
    /// The verdict that follows from the assertions (§5.3).
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.assertions)
    }

    /// The ids of required assertions that are not satisfied, in order.
    pub fn missing(&self) -> Vec<AssertionId> {
        let open = |a: &&Assertion| a.required && matches!(a.status, Status::Unverified | Status::Fail);
        self.assertions.iter().filter(open).map(|assertion| assertion.id.clone()).collect()
    }

    /// The assertion with this id.
    pub fn assertion(&self, id: &str) -> Option<&Assertion> {
        self.assertions.iter().find(|assertion| assertion.id.as_str() == id)
    }

    /// How many assertions stand how (§5.4); for people, not digested.
    pub fn summary(&self) -> Value {
        let count = |status| self.assertions.iter().filter(|assertion| assertion.status == status).count();
        Value::object([
            ("total_assertions", self.assertions.len().into()),
            ("satisfied", count(Status::Pass).into()),
            ("waived", count(Status::Waived).into()),
            ("unverified", count(Status::Unverified).into()),
            ("failed", count(Status::Fail).into()),
            ("not_applicable", count(Status::NotApplicable).into()),
        ])
    }

    fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("run_id", (&self.run_id).into()),
            ("contract_digest", self.contract_digest.into()),
            ("state_revision", self.state_revision.into()),
            ("state_digest", self.state_digest.into()),
            ("evidence_set_digest", self.evidence_set_digest.into()),
            ("ruleset_version", i64::from(self.ruleset.number()).into()),
            ("ruleset_digest", self.ruleset_digest.into()),
            ("extra_capability_ids", Value::list(self.extra_capability_ids.iter().copied())),
            ("assertions", Value::list(self.assertions.iter().map(Assertion::to_value))),
            ("verdict", self.verdict().into()),
        ])
        .with_some("tree", self.tree.as_ref())
    }

    /// The digest of its record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let body = self.body();
        let digest = Digest::of_value(&body);
        body.with("report_digest", digest)
    }

    /// Reads and verifies what [`Report::to_value`] writes; faults are RAPID1221, a digest that does not hold is RAPID1222.
    pub fn from_value(value: Value) -> Result<Report> {
        let code = Code::Rapid1221;
        let mut fields = Fields::of(value, code, "the report")?;
        fields.version()?;
        let extra = fields.texts("extra_capability_ids")?;
        let report = Report {
            run_id: RunId::parse(&fields.text("run_id")?)?,
            contract_digest: Digest::parse(&fields.text("contract_digest")?, code)?,
            state_revision: fields.ordinal("state_revision")?,
            state_digest: Digest::parse(&fields.text("state_digest")?, code)?,
            evidence_set_digest: Digest::parse(&fields.text("evidence_set_digest")?, code)?,
            ruleset: Ruleset::parse(fields.number("ruleset_version", 1)?, code)?,
            ruleset_digest: Digest::parse(&fields.text("ruleset_digest")?, code)?,
            extra_capability_ids: extra
                .iter()
                .map(|id| Capability::parse(id, Code::Rapid1101))
                .collect::<Result<_>>()?,
            tree: fields.optional_text("tree")?.map(|id| GitId::parse(&id, code)).transpose()?,
            assertions: fields.list("assertions")?.into_iter().map(Assertion::from_value).collect::<Result<_>>()?,
        };
        let verdict = Verdict::parse(&fields.text("verdict")?, code)?;
        let stored = Digest::parse(&fields.text("report_digest")?, Code::Rapid1222)?;
        fields.end()?;
        if verdict != report.verdict() {
            return Err(code.because(format!("the report says '{verdict}', its assertions say '{}'", report.verdict())));
        }
        if report.assertion("run.lifecycle").is_none() {
            return Err(code.because("the report has no assertion on the run's life cycle"));
        }
        let mut ids = std::collections::BTreeSet::new();
        if let Some(twice) = report.assertions.iter().find(|assertion| !ids.insert(&assertion.id)) {
            return Err(code.because(format!("the assertion '{}' is there twice", twice.id)));
        }
        if !report.extra_capability_ids.is_sorted_by(|a, b| a.as_str() < b.as_str()) {
            return Err(code.because("the report's capabilities are not in order"));
        }
        match stored == report.digest() {
            true => Ok(report),
            false => Err(Code::Rapid1222.because("the report's digest does not hold")),
        }
    }
}

impl Assertion {
    /// Its JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("category", self.category.into()),
            ("subject_id", (&self.subject_id).into()),
            ("required", self.required.into()),
            ("status", self.status.into()),
            ("reason", (&self.reason).into()),
            ("evidence_ids", Value::list(&self.evidence_ids)),
        ])
    }

    fn from_value(value: Value) -> Result<Assertion> {
        let code = Code::Rapid1221;
        let mut fields = Fields::of(value, code, "an assertion")?;
        let assertion = Assertion {
            id: AssertionId::parse(&fields.text("id")?)?,
            category: Category::parse(&fields.text("category")?, code)?,
            subject_id: fields.text("subject_id")?,
            required: fields.flag("required")?,
            status: Status::parse(&fields.text("status")?, code)?,
            reason: fields.text("reason")?,
            evidence_ids: fields
                .texts("evidence_ids")?
                .iter()
                .map(|id| EvidenceId::parse(id))
                .collect::<Result<_>>()?,
        };
        fields.end()?;
        match assertion.reason.trim().is_empty()
            || !assertion.evidence_ids.is_sorted_by(|a, b| a.ordinal() < b.ordinal())
        {
            true => Err(code
                .because(format!("the assertion '{}' has no reason, or its evidence is not in order", assertion.id))),
            false => Ok(assertion),
        }
    }
}
