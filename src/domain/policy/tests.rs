//! Tests of the policy: its digest, that it can only be tightened, and what it decides (the specification, §3).

use super::*;
use crate::diagnostics::Code;
use crate::domain::{json::parse_text, mode::Mode, spec::SpecDraft};

fn spec(mode: Mode, json: &str) -> SpecDraft {
    let value =
        parse_text(&format!("{{\"title\":\"A demo\"{}{json}}}", if json.is_empty() { "" } else { "," })).unwrap();
    SpecDraft::from_authoring(value, Some(mode)).unwrap()
}

fn decided(mode: Mode, json: &str) -> Decision {
    decide(&spec(mode, json), &Policy::default(), &Overrides::default(), &Project::default()).unwrap()
}

/// `class risk workspace: gates`, with `~` on waivable gates.
fn short(decision: &Decision) -> String {
    let gates = decision.gates.iter().map(|gate| {
        assert!(gate.required && !gate.reason.is_empty());
        let name = gate.id.as_str().strip_prefix("gate.").unwrap();
        if gate.waivable { format!("{name}~") } else { name.to_owned() }
    });
    let gates: Vec<String> = gates.collect();
    format!("{} {} {}: {}", decision.classification, decision.risk, decision.workspace, gates.join(" "))
}

fn signals(decision: &Decision) -> Vec<String> {
    decision.risk_signals.iter().map(|signal| format!("{} {}", signal.id, signal.level)).collect()
}

const BOUNDED: &str = "bounded medium current_allowed: baseline tests~ final-verification";
const HIGH: &str =
    "architectural high isolated_required: workspace-isolation baseline tests~ review~ final-verification";

#[test]
fn the_built_in_policy_has_the_known_digest() {
    assert_eq!(
        Policy::default().digest().to_string(),
        "e61a5704803d1dd1406f784d52549ae4237f5d37686d4c53fe96358aede335cf"
    );
}

#[test]
fn what_each_mode_means() {
    for mode in [Mode::Feature, Mode::Bugfix, Mode::Refactor] {
        let decision = decided(mode, "");
        assert_eq!(short(&decision), BOUNDED);
        assert_eq!(decision.reasons, [format!("mode.{mode}")]);
        assert!(decision.risk_signals.is_empty());
    }
    let hardening = decided(Mode::Hardening, "");
    assert_eq!(short(&hardening), HIGH);
    assert_eq!(signals(&hardening), ["mode.hardening high", "classification.architectural high"]);
    let research = decided(Mode::Research, "");
    assert_eq!(short(&research), "spike low current_allowed: final-verification");
    assert_eq!(signals(&research), ["mode.research low"]);
}

#[test]
fn tags_and_paths_say_how_far_a_change_reaches() {
    for (json, signal) in [
        (r#""tags":["schema"]"#, "scope.database-migration"),
        (r#""tags":["DB-Migration"]"#, "scope.database-migration"),
        (r#""affected_paths":["app/migrations/0001.sql"]"#, "scope.database-migration"),
        (r#""affected_paths":["Prisma/schema.prisma"]"#, "scope.database-migration"),
        (r#""tags":["k8s"]"#, "scope.infrastructure"),
        (r#""affected_paths":["terraform/main.tf"]"#, "scope.infrastructure"),
        (r#""tags":["owasp"]"#, "scope.security"),
        (r#""affected_paths":["security"]"#, "scope.security"),
        (r#""tags":["sso"]"#, "scope.authentication"),
        (r#""affected_paths":["auth/login.py"]"#, "scope.authentication"),
        (r#""tags":["ci-cd"]"#, "scope.ci"),
        (r#""affected_paths":[".github/workflows/ci.yml"]"#, "scope.ci"),
        (r#""tags":["core-architecture"]"#, "scope.architecture"),
    ] {
        let decision = decided(Mode::Feature, json);
        let due = [format!("{signal} high"), "classification.architectural high".to_owned()];
        assert_eq!(signals(&decision), due, "{json}");
        assert_eq!((decision.classification, decision.risk), (Classification::Architectural, Risk::High), "{json}");
        assert!(!decision.risk_signals[0].source.is_empty());
    }
    for json in [r#""tags":["author"]"#, r#""affected_paths":["src/auth/x","authx","lib/security/y","migrationsx"]"#] {
        assert_eq!(short(&decided(Mode::Feature, json)), BOUNDED, "{json}");
    }
}

#[test]
fn reviews_are_asked_for_by_what_is_reached() {
    let gates = |json| short(&decided(Mode::Feature, json)).split_once(": ").unwrap().1.to_owned();
    let around = |extra: &str| format!("workspace-isolation baseline tests~ review~ {extra} final-verification");
    assert_eq!(gates(r#""tags":["security"]"#), around("security-review"));
    assert_eq!(gates(r#""tags":["jwt"]"#), around("security-review"));
    assert_eq!(gates(r#""tags":["migration"]"#), around("migration-review"));
    assert_eq!(gates(r#""tags":["migration","auth"]"#), around("security-review migration-review"));
    assert_eq!(gates(r#""tags":["ci"]"#), around("").replace("  ", " "));
}

#[test]
fn touching_stored_data_is_architectural() {
    for none in ["", "none", "N/A", "No", "nil", "Sin impacto", "no especificado"] {
        assert_eq!(short(&decided(Mode::Feature, &format!("\"data_impact\":\"{none}\""))), BOUNDED, "{none}");
    }
    let touched = decided(Mode::Research, r#""data_impact":"one column more""#);
    assert_eq!(short(&touched), HIGH);
    assert_eq!(signals(&touched), ["mode.research low", "data.impact medium", "classification.architectural high"]);
}

#[test]
fn a_critical_change_waits_for_a_person_and_lets_nothing_go() {
    let decision = decided(Mode::Feature, r#""tags":["breaking-change"]"#);
    let due = "architectural critical isolated_required: workspace-isolation baseline manual-approval tests review final-verification";
    assert_eq!(short(&decision), due);
    assert_eq!(signals(&decision), ["scope.critical-impact critical", "classification.architectural high"]);
}

#[test]
fn the_architecture_is_checked_where_there_are_rules_and_code_is_changed() {
    let project = Project { has_architecture_rules: true };
    for (mode, asked) in [
        (Mode::Feature, true),
        (Mode::Bugfix, true),
        (Mode::Refactor, true),
        (Mode::Hardening, false),
        (Mode::Research, false),
    ] {
        let decision = decide(&spec(mode, ""), &Policy::default(), &Overrides::default(), &project).unwrap();
        assert_eq!(short(&decision).contains("architecture"), asked, "{mode}");
    }
}

#[test]
fn overrides_go_up_only() {
    let ask = |mode, classification, risk| {
        decide(&spec(mode, ""), &Policy::default(), &Overrides { classification, risk }, &Project::default())
    };
    let code = |mode, classification, risk| ask(mode, classification, risk).unwrap_err().code;
    assert_eq!(code(Mode::Feature, Some(Classification::Spike), None), Code::Rapid1006);
    assert_eq!(code(Mode::Feature, None, Some(Risk::Low)), Code::Rapid1006);
    assert_eq!(code(Mode::Hardening, None, Some(Risk::Medium)), Code::Rapid1006);
    assert_eq!(code(Mode::Feature, Some(Classification::Architectural), Some(Risk::Medium)), Code::Rapid1006);
    let same = ask(Mode::Feature, Some(Classification::Bounded), Some(Risk::Medium)).unwrap();
    assert_eq!(same, decided(Mode::Feature, ""), "asking for what is calculated changes nothing");
    let wider = ask(Mode::Research, Some(Classification::Architectural), None).unwrap();
    assert_eq!((wider.risk, wider.workspace), (Risk::High, Workspace::IsolatedRequired));
    assert!(wider.reasons.contains(&"override.classification:architectural".to_owned()));
    let riskier = ask(Mode::Feature, None, Some(Risk::Critical)).unwrap();
    assert_eq!(riskier.classification, Classification::Bounded);
    assert_eq!(signals(&riskier), ["override.risk critical"]);
}

fn tightened(json: &str) -> crate::diagnostics::Result<Policy> {
    Policy::default().tightened(&parse_text(json).unwrap())
}

#[test]
fn a_project_may_tighten_the_policy() {
    assert_eq!(tightened("{}").unwrap(), Policy::default());
    let decision_of = |json: &str, mode, spec_json: &str| {
        decide(&spec(mode, spec_json), &tightened(json).unwrap(), &Overrides::default(), &Project::default()).unwrap()
    };
    let class = decision_of(r#"{"minimum_classification":"architectural"}"#, Mode::Research, "");
    assert_eq!(short(&class), HIGH);
    assert!(class.reasons.contains(&"policy.minimum-classification".to_owned()));
    let risk = decision_of(r#"{"minimum_risk":"medium"}"#, Mode::Research, "");
    assert_eq!(
        (short(&risk).as_str(), signals(&risk).last().unwrap().as_str()),
        ("spike medium current_allowed: baseline tests~ final-verification", "policy.minimum-risk medium")
    );
    let extra = decision_of(r#"{"extra_required_gate_ids":["gate.security-review","gate.review"]}"#, Mode::Feature, "");
    assert_eq!(
        short(&extra),
        "bounded medium current_allowed: baseline tests~ review~ security-review final-verification"
    );
    let nothing_waivable = decision_of(r#"{"waivable_gate_ids":[]}"#, Mode::Feature, "");
    assert_eq!(short(&nothing_waivable), BOUNDED.replace('~', ""));
    let workspaces = r#"{"workspace_by_risk":{"low":"isolated_required","medium":"isolated_required","high":"isolated_required","critical":"isolated_required"}}"#;
    let isolated = decision_of(workspaces, Mode::Research, "");
    assert_eq!(short(&isolated), "spike low isolated_required: workspace-isolation final-verification");
}

/// The built-in list with one word more, as JSON.
fn longer(list: &std::collections::BTreeSet<String>, word: &str) -> String {
    let words: Vec<String> = list.iter().map(String::as_str).chain([word]).map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", words.join(","))
}

#[test]
fn a_project_may_add_tags_and_paths_of_its_own() {
    let policy = Policy::default();
    let json = format!(
        r#"{{"architectural_tags":{},"architectural_path_prefixes":{},"high_risk_tags":{},"critical_risk_tags":{}}}"#,
        longer(&policy.architectural_tags, "Billing"),
        longer(&policy.architectural_path_prefixes, "Ledger/"),
        longer(&policy.high_risk_tags, "payments"),
        longer(&policy.critical_risk_tags, "payroll"),
    );
    let own = tightened(&json).unwrap();
    let of = |json: &str| {
        let decision = decide(&spec(Mode::Feature, json), &own, &Overrides::default(), &Project::default()).unwrap();
        signals(&decision)
    };
    let class = "classification.architectural high";
    assert_eq!(of(r#""tags":["billing"]"#), ["scope.architecture high", class]);
    assert_eq!(of(r#""affected_paths":["ledger/book.rs"]"#), ["scope.architecture high", class]);
    assert_eq!(of(r#""tags":["payments"]"#), ["policy.high-risk-tag high", class]);
    assert_eq!(of(r#""tags":["payroll"]"#), ["scope.critical-impact critical", class]);
    assert_ne!(own.digest(), policy.digest());
    // And what was added stays.
    assert_eq!(
        own.tightened(
            &parse_text(&format!(r#"{{"high_risk_tags":{}}}"#, longer(&policy.high_risk_tags, "x"))).unwrap()
        )
        .unwrap_err()
        .code,
        Code::Rapid1006
    );
}

#[test]
fn weakening_is_refused() {
    for json in [
        r#"{"architectural_tags":["billing"]}"#,
        r#"{"architectural_path_prefixes":[]}"#,
        r#"{"high_risk_tags":["auth"]}"#,
        r#"{"critical_risk_tags":[]}"#,
        r#"{"waivable_gate_ids":["gate.tests","gate.review","gate.baseline"]}"#,
        r#"{"workspace_by_risk":{"low":"current_allowed","medium":"current_allowed","high":"current_allowed","critical":"isolated_required"}}"#,
    ] {
        assert_eq!(tightened(json).unwrap_err().code, Code::Rapid1006, "{json}");
    }
    let strict = tightened(
        r#"{"minimum_risk":"high","minimum_classification":"bounded","extra_required_gate_ids":["gate.review"]}"#,
    )
    .unwrap();
    for json in
        [r#"{"minimum_risk":"low"}"#, r#"{"minimum_classification":"spike"}"#, r#"{"extra_required_gate_ids":[]}"#]
    {
        assert_eq!(strict.tightened(&parse_text(json).unwrap()).unwrap_err().code, Code::Rapid1006, "{json}");
    }
}

#[test]
fn what_is_malformed_or_unknown_is_refused() {
    for json in [
        "[]",
        r#"{"colour":"red"}"#,
        r#"{"schema_version":2}"#,
        r#"{"minimum_risk":"huge"}"#,
        r#"{"minimum_classification":1}"#,
        r#"{"high_risk_tags":"auth"}"#,
        r#"{"high_risk_tags":[1]}"#,
        r#"{"high_risk_tags":[" "]}"#,
        r#"{"extra_required_gate_ids":["gate.lint"]}"#,
        r#"{"waivable_gate_ids":["tests"]}"#,
        r#"{"workspace_by_risk":{"low":"current_allowed"}}"#,
        r#"{"workspace_by_risk":{"low":"x","medium":"x","high":"x","critical":"x"}}"#,
        r#"{"workspace_by_risk":[]}"#,
    ] {
        assert_eq!(tightened(json).unwrap_err().code, Code::Rapid1005, "{json}");
    }
}

#[test]
fn a_decision_is_read_back_as_it_was_written() {
    for json in ["", r#""tags":["critical","auth","migration"],"data_impact":"much""#] {
        let decision = decided(Mode::Feature, json);
        assert_eq!(Decision::from_value(decision.to_value()).unwrap(), decision);
    }
}
