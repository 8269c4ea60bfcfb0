//! The policy itself (§3.2): what a project holds to be far-reaching or dangerous, and what it asks for then.
//!
//! A configuration may tighten it and nothing else. What it means for a spec is `decide`'s.

use super::{Classification, Risk, Workspace};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    digest::Digest,
    gate::CATALOGUE,
    json::{Fields, Value},
    text::plain_text,
};
use std::collections::BTreeSet;

/// Tags that make a change architectural, as built in.
pub(super) const ARCHITECTURAL_TAGS: &[&str] = &[
    "architectural",
    "architecture",
    "auth",
    "authentication",
    "authorization",
    "ci",
    "database-migration",
    "database-schema",
    "deployment",
    "infra",
    "infrastructure",
    "migration",
    "migrations",
    "schema",
    "security",
];

/// Where a change is architectural, as built in.
pub(super) const ARCHITECTURAL_PATHS: &[&str] = &[
    ".github/workflows/",
    "alembic/",
    "auth/",
    "deploy/",
    "infra/",
    "migrations/",
    "prisma/",
    "security/",
    "supabase/migrations/",
    "terraform/",
];

/// Tags of high risk, as built in.
pub(super) const HIGH_RISK_TAGS: &[&str] = &[
    "architecture",
    "auth",
    "authentication",
    "ci",
    "database-migration",
    "database-schema",
    "deployment",
    "infra",
    "infrastructure",
    "migration",
    "migrations",
    "security",
];

const CRITICAL_RISK_TAGS: &[&str] = &[
    "auth-migration",
    "breaking-change",
    "critical",
    "destructive-migration",
    "production-auth",
    "production-migration",
    "security-critical",
];

const WAIVABLE_GATES: &[&str] = &["gate.review", "gate.tests"];

/// The policy of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// No change is classified lower.
    pub minimum_classification: Classification,
    /// No change is of lower risk.
    pub minimum_risk: Risk,
    /// A tag of these makes a change architectural.
    pub architectural_tags: BTreeSet<String>,
    /// A path below one of these makes a change architectural.
    pub architectural_path_prefixes: BTreeSet<String>,
    /// A tag of these makes a change one of high risk.
    pub high_risk_tags: BTreeSet<String>,
    /// A tag of these makes a change one of critical risk.
    pub critical_risk_tags: BTreeSet<String>,
    /// Where the work may happen, for each risk in rising order.
    pub workspace_by_risk: [(Risk, Workspace); 4],
    /// Gates that a person may let go, below critical risk.
    pub waivable_gate_ids: BTreeSet<String>,
    /// Gates that every run has.
    pub extra_required_gate_ids: BTreeSet<String>,
}

impl Default for Policy {
    /// The built-in policy.
    fn default() -> Policy {
        let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Policy {
            minimum_classification: Classification::Spike,
            minimum_risk: Risk::Low,
            architectural_tags: set(ARCHITECTURAL_TAGS),
            architectural_path_prefixes: set(ARCHITECTURAL_PATHS),
            high_risk_tags: set(HIGH_RISK_TAGS),
            critical_risk_tags: set(CRITICAL_RISK_TAGS),
            workspace_by_risk: [
                (Risk::Low, Workspace::CurrentAllowed),
                (Risk::Medium, Workspace::CurrentAllowed),
                (Risk::High, Workspace::IsolatedRequired),
                (Risk::Critical, Workspace::IsolatedRequired),
            ],
            waivable_gate_ids: set(WAIVABLE_GATES),
            extra_required_gate_ids: BTreeSet::new(),
        }
    }
}

impl Policy {
    /// Where work of this risk may happen.
    pub fn workspace(&self, risk: Risk) -> Workspace {
        let row = self.workspace_by_risk.iter().find(|(of, _)| *of == risk);
        row.map_or(Workspace::IsolatedRequired, |(_, workspace)| *workspace)
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let workspaces = self.workspace_by_risk.iter();
        let workspaces = workspaces.map(|(risk, workspace)| (risk.as_str().to_owned(), (*workspace).into())).collect();
        Value::object([
            ("schema_version", 1.into()),
            ("minimum_classification", self.minimum_classification.into()),
            ("minimum_risk", self.minimum_risk.into()),
            ("architectural_tags", Value::list(&self.architectural_tags)),
            ("architectural_path_prefixes", Value::list(&self.architectural_path_prefixes)),
            ("high_risk_tags", Value::list(&self.high_risk_tags)),
            ("critical_risk_tags", Value::list(&self.critical_risk_tags)),
            ("workspace_by_risk", Value::Object(workspaces)),
            ("waivable_gate_ids", Value::list(&self.waivable_gate_ids)),
            ("extra_required_gate_ids", Value::list(&self.extra_required_gate_ids)),
        ])
    }

    /// The digest that contracts hold.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.to_value())
    }

    /// The policy under a configuration whose `[policy]` table is this: the built-in one, tightened by it.
    pub fn under(table: Option<&Value>) -> Result<Policy> {
        table.map_or_else(|| Ok(Policy::default()), |table| Policy::default().tightened(table))
    }

    /// This policy with the members of `table` in place of its own. A member left out stays; a list that is given is the
    /// whole list. What is malformed or unknown is RAPID1005, what asks for less than before is RAPID1006.
    pub fn tightened(&self, table: &Value) -> Result<Policy> {
        let mut fields = Fields::of(table.clone(), Code::Rapid1005, "the policy")?;
        if fields.optional("schema_version").is_some_and(|version| version != Value::Int(1)) {
            return Err(fields.fault("schema_version is not 1"));
        }
        let mut policy = self.clone();
        if let Some(word) = fields.optional_text("minimum_classification")? {
            policy.minimum_classification = Classification::parse(&word, Code::Rapid1005)?;
        }
        if let Some(word) = fields.optional_text("minimum_risk")? {
            policy.minimum_risk = Risk::parse(&word, Code::Rapid1005)?;
        }
        for (key, set) in policy.sets_mut() {
            if let Some(words) = fields.optional_texts(key)? {
                *set = words.iter().map(|text| word(key, text)).collect::<Result<_>>()?;
            }
        }
        for id in policy.waivable_gate_ids.iter().chain(&policy.extra_required_gate_ids) {
            known_gate(id)?;
        }
        if let Some(table) = fields.optional("workspace_by_risk") {
            policy.workspace_by_risk = workspaces(table)?;
        }
        fields.end()?;
        policy.is_no_weaker_than(self)?;
        Ok(policy)
    }

    fn sets_mut(&mut self) -> [(&'static str, &mut BTreeSet<String>); 6] {
        [
            ("architectural_tags", &mut self.architectural_tags),
            ("architectural_path_prefixes", &mut self.architectural_path_prefixes),
            ("high_risk_tags", &mut self.high_risk_tags),
            ("critical_risk_tags", &mut self.critical_risk_tags),
            ("waivable_gate_ids", &mut self.waivable_gate_ids),
            ("extra_required_gate_ids", &mut self.extra_required_gate_ids),
        ]
    }

    fn is_no_weaker_than(&self, before: &Policy) -> Result<()> {
        if self.minimum_classification < before.minimum_classification {
            return Err(weaker("minimum_classification", "is lower than before"));
        }
        if self.minimum_risk < before.minimum_risk {
            return Err(weaker("minimum_risk", "is lower than before"));
        }
        for (key, new, old) in [
            ("architectural_tags", &self.architectural_tags, &before.architectural_tags),
            ("architectural_path_prefixes", &self.architectural_path_prefixes, &before.architectural_path_prefixes),
            ("high_risk_tags", &self.high_risk_tags, &before.high_risk_tags),
            ("critical_risk_tags", &self.critical_risk_tags, &before.critical_risk_tags),
            ("extra_required_gate_ids", &self.extra_required_gate_ids, &before.extra_required_gate_ids),
        ] {
            let lost: Vec<&str> = old.difference(new).map(String::as_str).collect();
            if !lost.is_empty() {
                return Err(weaker(key, &format!("leaves out {}", lost.join(", "))).hint(format!(
                    "a list replaces the built-in one: repeat what it holds ({}) and add yours",
                    lost.join(", ")
                )));
            }
        }
        if let Some(gate) = self.waivable_gate_ids.difference(&before.waivable_gate_ids).next() {
            return Err(weaker("waivable_gate_ids", &format!("adds {gate}, which nobody may waive")));
        }
        for ((risk, new), (_, old)) in self.workspace_by_risk.iter().zip(&before.workspace_by_risk) {
            if new < old {
                return Err(weaker(
                    "workspace_by_risk",
                    &format!("lets work of {risk} risk happen in the current workspace"),
                ));
            }
        }
        Ok(())
    }
}

fn weaker(key: &str, why: &str) -> Diagnostic {
    Code::Rapid1006.because(format!("the policy's '{key}' {why}"))
}

fn word(key: &str, text: &str) -> Result<String> {
    let text = plain_text(text.trim(), Code::Rapid1005, key)?;
    match text.is_empty() {
        true => Err(Code::Rapid1005.because(format!("the policy: '{key}' holds an empty text"))),
        false => Ok(text.to_lowercase()),
    }
}

fn known_gate(id: &str) -> Result<()> {
    match CATALOGUE.iter().any(|row| row.id == id) {
        true => Ok(()),
        false => {
            let known: Vec<&str> = CATALOGUE.iter().map(|row| row.id).collect();
            Err(Code::Rapid1005
                .because(format!("the policy names '{}', which is no gate", id.escape_debug()))
                .hint(format!("the gates are {}", known.join(", "))))
        }
    }
}

fn workspaces(table: Value) -> Result<[(Risk, Workspace); 4]> {
    let mut fields = Fields::of(table, Code::Rapid1005, "the policy's workspace_by_risk")?;
    let mut of = |risk: Risk| -> Result<(Risk, Workspace)> {
        Ok((risk, Workspace::parse(&fields.text(risk.as_str())?, Code::Rapid1005)?))
    };
    let workspaces = [of(Risk::Low)?, of(Risk::Medium)?, of(Risk::High)?, of(Risk::Critical)?];
    fields.end()?;
    Ok(workspaces)
}
