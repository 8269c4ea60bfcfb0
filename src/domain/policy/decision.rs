//! The outcome of the policy for one run (§3.1), as the contract embeds it.

use crate::diagnostics::{Code, Result};
use crate::domain::{
    gate::Gate,
    json::{Fields, Value},
    word::words,
};

words! {
    /// How much a change reaches; in rising order.
    Classification, "a classification" {
        /// Something is tried out.
        Spike = "spike",
        /// A change within known bounds.
        Bounded = "bounded",
        /// A change to how things are built.
        Architectural = "architectural",
    }
}

words! {
    /// How much can go wrong; in rising order.
    Risk, "a risk" {
        /// 10.
        Low = "low",
        /// 50.
        Medium = "medium",
        /// 80.
        High = "high",
        /// 100.
        Critical = "critical",
    }
}

words! {
    /// Where the work may happen; in rising order.
    Workspace, "a workspace rule" {
        /// The user's working copy will do.
        CurrentAllowed = "current_allowed",
        /// A worktree of its own is asked for.
        IsolatedRequired = "isolated_required",
    }
}

/// Something in the spec or policy that raised the risk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskSignal {
    /// Like `scope.security`.
    pub id: String,
    /// How far it raises the risk.
    pub level: Risk,
    /// In words.
    pub reason: String,
    /// Where it was seen: `mode`, `tag:…`, `path:…`, `data_impact`, `policy`, `override`.
    pub source: String,
}

/// What the policy decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How much the change reaches.
    pub classification: Classification,
    /// How much can go wrong.
    pub risk: Risk,
    /// Why, in the order the rules were applied.
    pub risk_signals: Vec<RiskSignal>,
    /// Where the work may happen.
    pub workspace: Workspace,
    /// The run's gates, in catalogue order.
    pub gates: Vec<Gate>,
    /// Short tokens, each once.
    pub reasons: Vec<String>,
}

impl RiskSignal {
    fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("level", self.level.into()),
            ("reason", (&self.reason).into()),
            ("source", (&self.source).into()),
        ])
    }

    fn from_value(value: Value) -> Result<RiskSignal> {
        let mut fields = Fields::of(value, Code::Rapid1002, "a risk signal")?;
        let signal = RiskSignal {
            id: fields.text("id")?,
            level: Risk::parse(&fields.text("level")?, Code::Rapid1002)?,
            reason: fields.text("reason")?,
            source: fields.text("source")?,
        };
        fields.end()?;
        Ok(signal)
    }
}

impl Decision {
    /// The members that the contract repeats beside the decision (§2.5).
    pub fn members(&self) -> [(&'static str, Value); 5] {
        [
            ("classification", self.classification.into()),
            ("risk", self.risk.into()),
            ("risk_signals", Value::list(self.risk_signals.iter().map(RiskSignal::to_value))),
            ("workspace", self.workspace.into()),
            ("gates", Value::list(self.gates.iter().map(Gate::to_value))),
        ]
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        Value::object(self.members()).with("reasons", Value::list(&self.reasons))
    }

    /// Reads what [`Decision::to_value`] writes; faults are RAPID1002.
    pub fn from_value(value: Value) -> Result<Decision> {
        let code = Code::Rapid1002;
        let mut fields = Fields::of(value, code, "the policy decision")?;
        let decision = Decision {
            classification: Classification::parse(&fields.text("classification")?, code)?,
            risk: Risk::parse(&fields.text("risk")?, code)?,
            risk_signals: fields
                .list("risk_signals")?
                .into_iter()
                .map(RiskSignal::from_value)
                .collect::<Result<_>>()?,
            workspace: Workspace::parse(&fields.text("workspace")?, code)?,
            gates: fields.list("gates")?.into_iter().map(Gate::from_value).collect::<Result<_>>()?,
            reasons: fields.texts("reasons")?,
        };
        fields.end()?;
        Ok(decision)
    }
}
