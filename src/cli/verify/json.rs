//! What `verify --json` prints.

use super::points::level;
use crate::domain::json::Value;
use crate::domain::moment::moment;
use crate::ledger::verify::Finding;
use crate::verbs::verify::{Answer, Coverage, Covered, Decided, Outcome, Rerun, Signature, Told};

fn finding(finding: &Finding) -> Value {
    Value::object([
        ("code", finding.diagnostic.code.as_str().into()),
        ("level", level(finding.diagnostic.code).into()),
        ("path", finding.diagnostic.path.as_ref().into()),
        ("entry", finding.entry.map(|entry| entry.to_string()).into()),
        ("message", (&finding.diagnostic.message).into()),
        ("hint", finding.diagnostic.hints.first().into()),
    ])
}

pub(super) fn document(seen: &Outcome) -> Value {
    let material = Value::object([
        ("present", seen.proof.material.present.into()),
        ("missing", seen.proof.material.missing.into()),
    ])
    .with_some("expunged", Some(seen.proof.material.expunged).filter(|count| *count > 0));
    Value::object([
        ("schema_version", 1.into()),
        ("answer", seen.proof.answer().as_str().into()),
        ("tip", seen.tip.map(|tip| tip.to_string()).into()),
        ("entries", seen.proof.entries.into()),
        ("verified_now", seen.proof.verified_now.into()),
        ("findings", Value::list(seen.proof.findings.iter().map(finding))),
        ("attachments", material),
    ])
    .with_some("by_frozen_lists", seen.by_frozen_lists.map(Answer::as_str))
    .with_some(
        "commit",
        seen.commit.as_ref().map(|covered| {
            let covered = commit(covered, &seen.told).with_some("refused", seen.refused.as_ref());
            covered.with("onto", onto(seen))
        }),
    )
}

/// The branch that a commit was judged for.
fn onto(seen: &Outcome) -> Value {
    let Some((name, tip)) = &seen.onto else { return Value::Null };
    Value::object([("name", name.as_str().into()), ("id", tip.to_string().into())])
}

fn commit(commit: &Coverage, told: &[Told]) -> Value {
    let (covered, extras) = match &commit.covered {
        Covered::Exact => ("exact", Vec::new()),
        Covered::Extras(files) => ("extras", files.iter().map(|file| file.path.to_string()).collect()),
        Covered::Merge => ("merge", Vec::new()),
        Covered::No => ("no", Vec::new()),
    };
    let runs = commit.runs.iter().map(|run| {
        Value::object([
            ("run_id", (&run.run_id).into()),
            ("verdict", run.verdict.into()),
            ("strength", run.strength.as_str().into()),
            ("approvals", run.approvals.into()),
            ("mode", run.mode.into()),
            ("ruleset_version", i64::from(run.ruleset.number()).into()),
        ])
        .with_some("told", told.iter().find(|told| told.run_id == run.run_id).map(told_value))
        .with_some("only_a_missions", run.only_a_missions.then_some(true))
        .with_some("rerun", run.rerun.as_ref().map(rerun_value))
        .with_some("tree_notes", (!run.notes.is_empty()).then(|| run.notes.to_value()))
        .with_some("spooled", (run.spooled > 0).then_some(run.spooled))
        .with_some("signers", (!run.signers.is_empty()).then(|| Value::list(run.signers.iter().map(signature))))
        .with_some(
            "tests",
            run.tests.map(|counts| {
                Value::object([
                    ("passed", counts.passed.into()),
                    ("failed", counts.failed.into()),
                    ("skipped", counts.skipped.into()),
                ])
            }),
        )
    });
    let difference = commit.difference.iter().map(|change| format!("{} {}", change.letter(), change.path));
    let difference: Vec<String> = difference.collect();
    let others = commit.other_terms.iter().map(|other| {
        let named = Value::object([("run_id", (&other.run_id).into()), ("differing", Value::list(&other.differing))]);
        let beside = Some(&other.beside_documents).filter(|paths| !paths.is_empty());
        let named = named.with_some("beside_documents", beside.map(Value::list));
        named.with_some("base_uncovered", other.base_uncovered.then_some(true))
    });
    Value::object([
        ("id", commit.id.to_string().into()),
        ("tree", commit.tree.to_string().into()),
        ("covered", covered.into()),
        ("extras", Value::list(extras)),
        ("runs", Value::list(runs)),
    ])
    .with_some("difference", (!difference.is_empty()).then(|| Value::list(difference)))
    .with_some("other_terms", (!commit.other_terms.is_empty()).then(|| Value::list(others)))
}

fn told_value(told: &Told) -> Value {
    Value::object([
        ("title", (&told.title).into()),
        ("finished_at", told.finished_at.map(moment).into()),
        ("files_changed", told.files_changed.into()),
        ("decided", Value::list(told.decided.iter().map(decided))),
    ])
}

fn decided(decided: &Decided) -> Value {
    Value::object([
        ("gate_ids", Value::list(&decided.gate_ids)),
        ("outcome", decided.outcome.into()),
        ("reviewer", (&decided.reviewer).into()),
        ("signed", decided.signed.into()),
        ("at", decided.at.map(moment).into()),
    ])
}

fn rerun_value(rerun: &Rerun) -> Value {
    Value::object([
        ("evidence_id", (&rerun.evidence_id).into()),
        ("summary", (&rerun.summary).into()),
        ("green", rerun.green.into()),
        ("by", (&rerun.by).into()),
        ("another_party", rerun.another_party.into()),
    ])
}

fn signature(made: &Signature) -> Value {
    Value::object([
        ("evidence_id", (&made.evidence_id).into()),
        ("gate_ids", Value::list(&made.gate_ids)),
        ("name", made.signer.name().into()),
        ("key", (&made.signer.key).into()),
        ("touch", made.signer.touch.into()),
    ])
}
