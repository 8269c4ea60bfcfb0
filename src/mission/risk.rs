//! Risk and approval targets: what a work package may break decides, not how large it is.

use super::plan::WorkPackage;
use crate::domain::policy::Risk;

/// What a person has to allow, and the words by which it is known in paths and targets.
const TARGETS: &[(&str, &[&str])] = &[
    ("ssh", &["ssh", "sshd"]),
    ("firewall", &["firewall", "iptables", "nftables", "ufw"]),
    ("authentication", &["auth", "authn", "authz", "authentication", "authorization", "login", "oauth", "sso"]),
    ("secrets", &["secret", "secrets", "credential", "credentials", "vault", "keystore", "passwd", "password"]),
    ("recovery", &["recovery", "backup", "backups", "restore"]),
    ("orchestrator_runtime", &["orchestrator"]),
    ("circuit_breaker", &["circuit", "breaker", "circuitbreaker"]),
    ("root_policy", &["sudo", "sudoers", "polkit", "rootpolicy"]),
    ("live_trading", &["trading", "livetrading"]),
];

/// What risk is judged by beside the work package itself.
#[derive(Clone, Debug, Default)]
pub struct Grounds {
    /// More targets, words of the configuration.
    pub targets: Vec<String>,
}

/// The approval targets that a text touches: a path, a pattern or a target of the plan.
pub fn targets_of(text: &str, grounds: &Grounds) -> Vec<String> {
    let folded = text.to_lowercase();
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined: String = words.concat();
    let named = TARGETS
        .iter()
        .filter(|(name, known)| words.iter().any(|word| known.contains(word)) || joined == name.replace('_', ""));
    let mut found: Vec<String> = named.map(|(name, _)| (*name).to_owned()).collect();
    let own = grounds.targets.iter().filter(|target| {
        let target = target.to_lowercase();
        words.iter().any(|word| **word == target) || folded.trim() == target
    });
    found.extend(own.cloned());
    found
}

/// The approval targets of a work package, sorted.
pub fn touches(package: &WorkPackage, grounds: &Grounds) -> Vec<String> {
    let texts = package.scope.iter().chain(&package.targets);
    let mut found: Vec<String> = texts.flat_map(|text| targets_of(text, grounds)).collect();
    found.sort();
    found.dedup();
    found
}

/// The highest of the declared class, what scope and targets imply, and what the policy says.
pub fn classify_risk(package: &WorkPackage, grounds: &Grounds, policy: Risk) -> Risk {
    let implied = match package.scope.iter().any(|pattern| reaches_everything(pattern)) {
        _ if !touches(package, grounds).is_empty() => Risk::Critical,
        true => Risk::High,
        false => Risk::Low,
    };
    package.risk.max(implied).max(policy)
}

/// A pattern that begins with a wildcard may reach anything.
fn reaches_everything(pattern: &str) -> bool {
    pattern.starts_with("**") || pattern == "*"
}
