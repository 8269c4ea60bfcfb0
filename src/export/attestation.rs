//! in-toto Statements about the code of a run: one of the test-result predicate for each check that says something, and one
//! SLSA verification summary for the verdict. What proves nothing (a check that is unverified) is attested as nothing.

use super::dossier::{Dossier, Item, RunFile, check_outcome, is_counted};
use crate::domain::{
    digest::Digest, evidence::CheckFacts, git_id::GitId, json::Value, moment::moment, report::Verdict,
    test_list::TestOutcome,
};
use base64ct::{Base64, Encoding};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";
const SUMMARY: &str = "https://slsa.dev/verification_summary/v1";

/// What is attested.
pub struct Attestations {
    /// The Statements.
    pub statements: Vec<Value>,
    /// The runs about whose code nothing can be said, because they recorded none.
    pub silent: Vec<String>,
}

/// The Statements about the runs of a dossier.
pub fn statements(dossier: &Dossier) -> Attestations {
    let mut out = Attestations { statements: Vec::new(), silent: Vec::new() };
    for run in &dossier.runs {
        let before = out.statements.len();
        out.statements.extend(run.checks().filter_map(|item| test_result(run, item)));
        out.statements.extend(run.code.tree.as_ref().map(|tree| summary(dossier, run, tree)));
        if out.statements.len() == before {
            out.silent.push(run.contract.run_id.to_string());
        }
    }
    out
}

fn statement(subjects: Vec<Value>, predicate_type: &str, predicate: Value) -> Value {
    Value::object([
        ("_type", STATEMENT.into()),
        ("subject", Value::List(subjects)),
        ("predicateType", predicate_type.into()),
        ("predicate", predicate),
    ])
}

fn tree_subject(tree: &GitId) -> Value {
    Value::object([("name", "tree".into()), ("digest", Value::object([("gitTree", tree.into())]))])
}

fn commit_subject(commit: &GitId) -> Value {
    Value::object([("name", "commit".into()), ("digest", Value::object([("gitCommit", commit.into())]))])
}

/// What a check says of the tree that it ran on.
fn test_result(run: &RunFile, item: &Item) -> Option<Value> {
    let facts = item.evidence.payload.check_facts()?;
    let tree = facts.tree.as_ref()?;
    let result = match check_outcome(&item.evidence) {
        "fail" => "FAILED",
        "pass" if is_counted(&item.evidence) => "PASSED",
        // It ended with 0, and nobody counted a test.
        "pass" => "WARNED",
        _ => return None,
    };
    let named = |outcome| {
        let list = item.tests.as_ref()?.to_value();
        let key = match outcome {
            TestOutcome::Passed => "passed",
            TestOutcome::Failed => "failed",
            TestOutcome::Skipped => "skipped",
        };
        list.get(key).cloned()
    };
    let predicate = Value::object([("result", result.into()), ("configuration", configuration(run, facts))])
        .with_some("passedTests", named(TestOutcome::Passed))
        .with_some("failedTests", named(TestOutcome::Failed));
    Some(statement(vec![tree_subject(tree)], TEST_RESULT, predicate))
}

/// What the check ran and was promised: the command, what it resolves to, and the frozen terms.
fn configuration(run: &RunFile, facts: &CheckFacts) -> Value {
    let mut out = Vec::new();
    if let Some(command) = &facts.command {
        let words = Value::list(command).canonical();
        out.push(Value::object([
            ("name", "command".into()),
            ("mediaType", "application/json".into()),
            ("content", Base64::encode_string(words.as_bytes()).into()),
            ("digest", sha256(Digest::of(words.as_bytes()))),
        ]));
    }
    for (part, digest) in facts.definition.iter().flatten() {
        out.push(Value::object([("name", part.into()), ("digest", sha256(*digest))]));
    }
    out.extend(
        run.contract.terms.iter().map(|(name, digest)| {
            Value::object([("name", format!("terms/{name}").into()), ("digest", sha256(*digest))])
        }),
    );
    Value::List(out)
}

/// The verdict about the final tree, as a verification summary.
fn summary(dossier: &Dossier, run: &RunFile, tree: &GitId) -> Value {
    let verdict = run.report.verdict();
    let ledger = format!("git-rapid:ledger/{}", run.contract.ledger);
    let resource = format!("{ledger}/runs/{}", run.contract.run_id);
    let file = run.contract.terms.get("policy.json").copied();
    let policy = Value::object([
        ("uri", format!("{resource}/terms/policy.json").into()),
        ("digest", sha256(file.unwrap_or(run.contract.policy_digest))),
    ]);
    let inputs = run.items.iter().map(|item| {
        Value::object([
            ("uri", format!("{ledger}/{}", item.path).into()),
            ("digest", sha256(Digest::of(&item.evidence.to_value().record_bytes()))),
        ])
    });
    let levels = match (verdict, run.standing.approvals) {
        (Verdict::Pass, "signed") => vec!["GIT_RAPID_PASS_SIGNED"],
        (Verdict::Pass, _) => vec!["GIT_RAPID_PASS"],
        (Verdict::PassWithWaivers, _) => vec!["GIT_RAPID_PASS_WITH_WAIVERS"],
        (Verdict::Unverified | Verdict::Fail, _) => vec!["FAILED"],
    };
    let verifier = Value::object([("id", format!("pkg:cargo/git-rapid@{}", dossier.version).into())]);
    let predicate = Value::object([
        ("verifier", verifier),
        ("timeVerified", moment(dossier.at).into()),
        ("resourceUri", resource.into()),
        ("policy", policy),
        ("inputAttestations", Value::list(inputs)),
        ("verificationResult", if verdict.is_pass() { "PASSED" } else { "FAILED" }.into()),
        ("verifiedLevels", Value::list(levels)),
    ]);
    let subjects = [tree_subject(tree)].into_iter().chain(run.code.commits.iter().map(commit_subject));
    statement(subjects.collect(), SUMMARY, predicate)
}

fn sha256(digest: Digest) -> Value {
    Value::object([("sha256", digest.into())])
}
