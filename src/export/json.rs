//! The JSON export: one document with everything that a dashboard asks for. Its members are described in `docs/export.md`.

use super::{
    dossier::{AboutCode, Dossier, Entry, Item, Log, RunFile, Signature, check_outcome},
    trends::Trends,
};
use crate::domain::{evidence::TestCounts, json::Value, moment::moment, report::Report, signer::Signer};

/// The document.
pub fn document(dossier: &Dossier) -> Value {
    let trends = Trends::of(dossier);
    let (closed, passed) = trends.passed();
    let waivers = trends.waivers.iter().map(|(run, gate, reason)| {
        Value::object([("run_id", run.into()), ("gate_id", gate.into()), ("reason", reason.into())])
    });
    let flaky = trends.flaky.iter().map(|check| {
        Value::object([
            ("command", Value::list(&check.command)),
            ("tree", (&check.tree).into()),
            ("passed", check.counts.0.into()),
            ("failed", check.counts.1.into()),
            ("run_ids", Value::list(&check.runs)),
        ])
    });
    let verdicts = trends.closed.iter().map(|(verdict, count)| ((*verdict).to_owned(), (*count).into())).collect();
    Value::object([
        ("schema_version", 1.into()),
        ("export", format!("git-rapid {}", dossier.version).into()),
        ("exported_at", moment(dossier.at).into()),
        (
            "ledger",
            Value::object([
                ("tip", (&dossier.tip).into()),
                ("entries", dossier.entries.into()),
                ("answer", if dossier.unproved.is_empty() { "proven" } else { "cannot_say" }.into()),
                ("unproved", Value::list(&dossier.unproved)),
            ]),
        ),
        (
            "summary",
            Value::object([
                ("runs", dossier.runs.len().into()),
                ("closed", closed.into()),
                ("passed", passed.into()),
                ("open", trends.open.into()),
                ("given_up", trends.given_up.into()),
                ("verdicts", Value::Object(verdicts)),
                ("waivers", Value::list(waivers)),
                ("flaky_checks", Value::list(flaky)),
            ]),
        ),
        ("runs", Value::list(dossier.runs.iter().map(run))),
    ])
}

fn run(run: &RunFile) -> Value {
    let current = run.recorded.last().is_some_and(|report| *report == run.report);
    let gates = run.state.gates.iter().map(|gate| {
        let who = if gate.kind.is_human() { "person" } else { "machine" };
        gate.to_value().with("decided_by", who)
    });
    let span = run.span();
    Value::object([
        ("run_id", (&run.contract.run_id).into()),
        ("mode", run.contract.mode.into()),
        ("status", run.state.status.into()),
        ("verdict", run.report.verdict().into()),
        ("began_at", span.map(|(first, _)| moment(first)).into()),
        ("changed_at", span.map(|(_, last)| moment(last)).into()),
        ("spec", run.spec.to_value()),
        ("contract", run.contract.to_value()),
        ("gates", Value::list(gates)),
        ("tasks", Value::list(run.state.tasks.iter().map(|task| task.to_value()))),
        ("evidence", Value::list(run.items.iter().map(|item| evidence(run, item)))),
        ("approvals", Value::list(run.reviews().map(|(item, _)| approval(run, item)))),
        ("report", report(&run.report).with("recorded", current)),
        ("recorded_reports", Value::list(run.recorded.iter().map(Report::to_value))),
        ("standing", standing(run)),
        ("code", code(run)),
        ("entries", Value::list(run.entries.iter().map(entry))),
    ])
}

fn report(report: &Report) -> Value {
    report.to_value().with("summary", report.summary())
}

fn standing(run: &RunFile) -> Value {
    let standing = &run.standing;
    let rerun = standing.rerun.as_ref().map(|rerun| {
        Value::object([
            ("by", (&rerun.by).into()),
            ("green", rerun.green.into()),
            ("summary", (&rerun.summary).into()),
            ("another_party", rerun.another_party.into()),
        ])
    });
    Value::object([
        ("strength", standing.strength.into()),
        ("approvals", standing.approvals.into()),
        ("tests", standing.tests.map(counts).into()),
        ("rerun", rerun.into()),
    ])
}

fn counts(counts: TestCounts) -> Value {
    Value::object([
        ("passed", counts.passed.into()),
        ("failed", counts.failed.into()),
        ("skipped", counts.skipped.into()),
    ])
}

fn evidence(run: &RunFile, item: &Item) -> Value {
    let written = run.written(&item.path);
    let log = match &item.log {
        Log::None => None,
        Log::Missing => Some("missing"),
        Log::Expunged(_) => Some("expunged"),
        Log::Kept | Log::Text(..) => Some("here"),
    };
    Value::object([
        ("path", (&item.path).into()),
        ("record", item.evidence.to_value()),
        ("entry", written.map(|entry| &entry.id).into()),
        ("recorded_at", written.map(|entry| moment(entry.seconds)).into()),
        ("recorded_by", written.map(|entry| &entry.author).into()),
        ("log", log.into()),
    ])
    .with_some("outcome", item.evidence.payload.check_facts().map(|_| check_outcome(&item.evidence)))
}

fn approval(run: &RunFile, item: &Item) -> Value {
    let (strength, signer, refused) = match &item.signature {
        Signature::None => ("terminal", None, None),
        Signature::Holds(signer) => ("signed", Some(signed_by(signer)), None),
        Signature::Void(why) => ("terminal", None, Some(why)),
    };
    let record = item.evidence.to_value();
    Value::object([
        ("evidence_id", (&item.evidence.id).into()),
        ("producer", item.evidence.producer.to_string().into()),
        ("gate_ids", Value::list(&item.evidence.gate_ids)),
        ("review", record.get("payload").cloned().into()),
        ("recorded_at", run.written(&item.path).map(|entry| moment(entry.seconds)).into()),
        ("strength", strength.into()),
        ("signer", signer.into()),
    ])
    .with_some("signature_refused", refused)
}

fn signed_by(signer: &Signer) -> Value {
    Value::object([("name", signer.name().into()), ("key", (&signer.key).into()), ("touch", signer.touch.into())])
}

fn code(run: &RunFile) -> Value {
    let AboutCode { tree, commits, changes } = &run.code;
    let changes = changes.as_ref().map(|changes| {
        Value::list(changes.iter().map(|change| {
            Value::object([
                ("path", (&change.path).into()),
                ("letter", change.letter.to_string().into()),
                ("added", change.lines.map(|(added, _)| added).into()),
                ("removed", change.lines.map(|(_, removed)| removed).into()),
            ])
        }))
    });
    Value::object([
        ("base_tree", (&run.contract.base.tree).into()),
        ("tree", tree.as_ref().into()),
        ("commits", Value::list(commits)),
        ("changes", changes.into()),
    ])
}

fn entry(entry: &Entry) -> Value {
    Value::object([
        ("id", (&entry.id).into()),
        ("time", moment(entry.seconds).into()),
        ("author", (&entry.author).into()),
        ("subject", (&entry.subject).into()),
        ("records", Value::list(&entry.records)),
    ])
}
