//! Applies a policy to a spec (§3.3): how far the change reaches, what can go wrong, where the work may happen, which gates
//! it must pass. Every step can only raise what the step before it said.

use super::{Classification, Decision, Policy, Risk, RiskSignal, Workspace, gates, rules, scope};
use crate::diagnostics::{Code, Result};
use crate::domain::{mode::Mode, spec::SpecDraft};

/// What a person asked for beyond what the policy calculates. It may only be more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// At least this classification.
    pub classification: Option<Classification>,
    /// At least this risk.
    pub risk: Option<Risk>,
}

/// What the policy has to know about the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// `.rapid/architecture.json` is there at the base.
    pub has_architecture_rules: bool,
}

/// Texts that stand for "stored data is not touched".
const NO_DATA_IMPACT: &[&str] = &["", "none", "n/a", "no", "nil", "sin impacto", "no especificado"];

/// Decides. An override that asks for less than was calculated is RAPID1006.
pub fn decide(spec: &SpecDraft, policy: &Policy, overrides: &Overrides, project: &Project) -> Result<Decision> {
    let mut signals = raising_signals(spec, policy);
    let mut reasons = vec![format!("mode.{}", spec.mode)];
    let classification = classify(spec.mode, !signals.is_empty(), policy, overrides, &mut reasons)?;
    if spec.mode == Mode::Research {
        // It only says why the work is taken for a trial; it raises nothing.
        let reason = "research tries something out";
        signals.insert(0, signal("mode.research", Risk::Low, reason, "mode"));
    }
    if classification == Classification::Architectural {
        let reason = "an architectural change is one of high risk";
        signals.push(signal("classification.architectural", Risk::High, reason, "policy"));
    }
    let risk = weigh(classification, policy, overrides, &mut signals)?;
    let workspace = policy.workspace(risk);
    for token in signals.iter().map(|signal| &signal.id) {
        if !reasons.contains(token) {
            reasons.push(token.clone());
        }
    }
    let chosen = gates::Choice {
        spec,
        policy,
        project,
        risk,
        isolated: workspace == Workspace::IsolatedRequired,
        signals: &signals,
    };
    let gates = chosen.gates()?;
    Ok(Decision { classification, risk, risk_signals: signals, workspace, gates, reasons })
}

fn signal(id: &str, level: Risk, reason: impl Into<String>, source: impl Into<String>) -> RiskSignal {
    RiskSignal { id: id.to_owned(), level, reason: reason.into(), source: source.into() }
}

/// The signals of steps 1 (hardening) to 4: any of them makes a change architectural.
fn raising_signals(spec: &SpecDraft, policy: &Policy) -> Vec<RiskSignal> {
    let mut signals = Vec::new();
    if spec.mode == Mode::Hardening {
        signals.push(signal("mode.hardening", Risk::High, "hardening changes code that others rely on", "mode"));
    }
    signals.extend(scope::signals(spec, policy));
    if !NO_DATA_IMPACT.contains(&spec.data_impact.trim().to_lowercase().as_str()) {
        signals.push(signal("data.impact", Risk::Medium, "the spec says that it touches stored data", "data_impact"));
    }
    if let Some(tag) = spec.tags.iter().find(|tag| policy.critical_risk_tags.contains(*tag)) {
        let reason = format!("the policy holds the tag '{tag}' to be critical");
        signals.push(signal("scope.critical-impact", Risk::Critical, reason, format!("tag:{tag}")));
    }
    let added = |tag: &&String| policy.high_risk_tags.contains(*tag) && !rules::HIGH_RISK_TAGS.contains(&tag.as_str());
    if let Some(tag) = spec.tags.iter().find(added) {
        let reason = format!("this project's policy holds the tag '{tag}' to be of high risk");
        signals.push(signal("policy.high-risk-tag", Risk::High, reason, format!("tag:{tag}")));
    }
    signals
}

fn classify(
    mode: Mode,
    raised: bool,
    policy: &Policy,
    overrides: &Overrides,
    reasons: &mut Vec<String>,
) -> Result<Classification> {
    let by_mode = match mode {
        Mode::Research => Classification::Spike,
        Mode::Hardening => Classification::Architectural,
        Mode::Feature | Mode::Bugfix | Mode::Refactor => Classification::Bounded,
    };
    let mut class = if raised { Classification::Architectural } else { by_mode };
    if policy.minimum_classification > class {
        class = policy.minimum_classification;
        reasons.push("policy.minimum-classification".to_owned());
    }
    match overrides.classification {
        Some(asked) if asked < class => Err(Code::Rapid1006
            .because(format!("the classification '{asked}' is lower than '{class}', which the policy calculates"))
            .hint("an override may only raise it")),
        Some(asked) if asked > class => {
            reasons.push(format!("override.classification:{asked}"));
            Ok(asked)
        }
        _ => Ok(class),
    }
}

fn weigh(class: Classification, policy: &Policy, overrides: &Overrides, signals: &mut Vec<RiskSignal>) -> Result<Risk> {
    let by_class = match class {
        Classification::Spike => Risk::Low,
        Classification::Bounded => Risk::Medium,
        Classification::Architectural => Risk::High,
    };
    let mut risk = signals.iter().map(|signal| signal.level).fold(by_class, Risk::max);
    if policy.minimum_risk > risk {
        risk = policy.minimum_risk;
        signals.push(signal(
            "policy.minimum-risk",
            risk,
            format!("the policy holds no change to be below {risk}"),
            "policy",
        ));
    }
    match overrides.risk {
        Some(asked) if asked < risk => Err(Code::Rapid1006
            .because(format!("the risk '{asked}' is lower than '{risk}', which the policy calculates"))
            .hint("an override may only raise it")),
        Some(asked) if asked > risk => {
            signals.push(signal(
                "override.risk",
                asked,
                format!("whoever started the run asked for {asked} risk"),
                "override",
            ));
            Ok(asked)
        }
        _ => Ok(risk),
    }
}
