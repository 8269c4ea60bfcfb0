//! Reports that do not follow from what they speak of. Every digest holds, but for the two rows that say otherwise.

use super::{
    Fault, Forge,
    forge::{fault, nth, sealed},
};
use git_rapid::domain::json::Value;

const REPLAY: &[&str] = &["RAPID1223"];
const WRONG: &[&str] = &["RAPID1223", "RAPID1221"];

pub(super) const FAULTS: &[Fault] = &[
    fault("a verdict flipped to fail", |f| report(f, |v| v.with("verdict", "fail")), &["RAPID1221"]),
    fault("a verdict flipped to unverified", |f| report(f, |v| v.with("verdict", "unverified")), &["RAPID1221"]),
    fault(
        "a verdict with waivers that nobody gave",
        |f| report(f, |v| v.with("verdict", "pass_with_waivers")),
        &["RAPID1221"],
    ),
    fault("a verdict that nobody knows", |f| report(f, |v| v.with("verdict", "splendid")), &["RAPID1221"]),
    fault(
        "a verdict and its assertions flipped together",
        |f| report(f, |v| failed(v).with("verdict", "fail")),
        REPLAY,
    ),
    fault("an assertion flipped", |f| report(f, failed), &["RAPID1221"]),
    fault("an assertion left out", |f| report(f, |v| assertions(v, |all| drop(all.remove(1)))), WRONG),
    fault("an assertion twice", |f| report(f, |v| assertions(v, |all| all.push(all[1].clone()))), &["RAPID1221"]),
    fault("assertions in another order", |f| report(f, |v| assertions(v, |all| all.reverse())), WRONG),
    fault("no assertion", |f| report(f, |v| assertions(v, Vec::clear)), &["RAPID1221"]),
    fault(
        "an assertion that is not required any more",
        |f| report(f, |v| nth(v, "assertions", 1, "required", false)),
        WRONG,
    ),
    fault("an assertion with another reason", |f| report(f, |v| nth(v, "assertions", 1, "reason", "because")), REPLAY),
    fault(
        "an assertion shown by other evidence",
        |f| report(f, |v| nth(v, "assertions", 1, "evidence_ids", Value::list(["E001"]))),
        REPLAY,
    ),
    fault(
        "an assertion shown by evidence that is not there",
        |f| report(f, |v| nth(v, "assertions", 1, "evidence_ids", Value::list(["E099"]))),
        WRONG,
    ),
    fault("another tree", |f| report(f, |v| v.with("tree", "0".repeat(f.tip.len()))), REPLAY),
    fault("no tree", |f| report(f, |v| v.with("tree", Value::Null)), &["RAPID1221"]),
    fault("another state", |f| report(f, |v| v.with("state_digest", "0".repeat(64))), REPLAY),
    fault("an earlier state", |f| report(f, |v| v.with("state_revision", 7)), REPLAY),
    fault("a state of the future", |f| report(f, |v| v.with("state_revision", 99)), REPLAY),
    fault("other evidence", |f| report(f, |v| v.with("evidence_set_digest", "0".repeat(64))), REPLAY),
    fault("another contract", |f| report(f, |v| v.with("contract_digest", "0".repeat(64))), REPLAY),
    fault("another ruleset", |f| report(f, |v| v.with("ruleset_version", 1)), WRONG),
    fault("other rules under the same number", |f| report(f, |v| v.with("ruleset_digest", "0".repeat(64))), WRONG),
    fault(
        "another run",
        |f| report(f, |v| v.with("run_id", "another-thing-r1-run-001")),
        &["RAPID1223", "RAPID1221", "RAPID1222"],
    ),
    fault(
        "one capability more",
        |f| report(f, |v| v.with("extra_capability_ids", Value::list(["shell.execute"]))),
        WRONG,
    ),
    fault(
        "a report of another run",
        |f| f.bytes(&f.at_open("reports/0001.json"), &f.repo.bytes_of(&f.at("reports/0001.json"))),
        &["RAPID1223", "RAPID1221", "RAPID1222"],
    ),
    fault("a report of another run that says it is ours", replayed, &["RAPID1223", "RAPID1221", "RAPID1222"]),
    fault("a pass on top of the report", second_report, WRONG),
    fault("a digest that does not hold", |f| unsealed(f, |v| v.with("verdict", "fail")), &["RAPID1221"]),
    fault("no digest", |f| unsealed(f, |v| v.without("report_digest")), &["RAPID1221"]),
];

fn report(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    f.edit(&f.at("reports/0001.json"), edit)
}

fn unsealed(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    let path = f.at("reports/0001.json");
    f.bytes(&path, &edit(f.record(&path)).record_bytes())
}

fn assertions(report: Value, edit: impl FnOnce(&mut Vec<Value>)) -> Value {
    let mut all = report.get("assertions").and_then(Value::as_list).unwrap().to_vec();
    edit(&mut all);
    report.with("assertions", Value::List(all))
}

fn failed(report: Value) -> Value {
    nth(nth(report, "assertions", 1, "status", "fail"), "assertions", 1, "reason", "contradicted by E003")
}

fn replayed(f: &Forge) -> String {
    let report = f.record(&f.at("reports/0001.json")).with("run_id", "another-thing-r1-run-001");
    f.bytes(&f.at_open("reports/0001.json"), &sealed(report))
}

/// A second report that says more than the first.
fn second_report(f: &Forge) -> String {
    let report = nth(f.record(&f.at("reports/0001.json")), "assertions", 5, "reason", "it was looked at");
    f.bytes(&f.at("reports/0002.json"), &sealed(report))
}
