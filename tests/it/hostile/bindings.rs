//! Records bound to what is not theirs: evidence and approvals of another run, contracts of another ledger, terms and specs
//! that are not the promised ones. Every digest holds.

use super::{
    Fault, Forge,
    forge::{fault, inside, nth, sealed},
};
use git_rapid::domain::json::Value;

const BOUND: &[&str] = &["RAPID1203"];
const CONTRACT: &[&str] = &["RAPID1002"];

pub(super) const FAULTS: &[Fault] = &[
    fault("evidence of another run", |f| replay(f, "E001", |v| v), BOUND),
    fault(
        "evidence of another run that says it is ours",
        |f| replay(f, "E001", |v| v.with("run_id", "another-thing-r1-run-001")),
        BOUND,
    ),
    fault("an approval of another run", |f| replay(f, "E004", |v| v), BOUND),
    fault(
        "an approval of another run that says it is ours",
        |f| replay(f, "E004", |v| v.with("run_id", "another-thing-r1-run-001")),
        BOUND,
    ),
    fault("an approval of another run under our contract", |f| replay(f, "E004", |v| ours(f, v)), BOUND),
    fault("a green check of another run under our contract", |f| replay(f, "E003", |v| ours(f, v)), BOUND),
    fault(
        "evidence bound to another contract",
        |f| open_evidence(f, |v| v.with("contract_digest", "0".repeat(64))),
        BOUND,
    ),
    fault("evidence bound to another state", |f| open_evidence(f, |v| v.with("state_digest", "0".repeat(64))), BOUND),
    fault("evidence bound to an earlier state's number", |f| open_evidence(f, |v| v.with("state_revision", 2)), BOUND),
    fault("evidence bound to a state of the future", |f| open_evidence(f, |v| v.with("state_revision", 99)), BOUND),
    fault("evidence bound to state nothing", |f| open_evidence(f, |v| v.with("state_revision", 0)), &["RAPID1202"]),
    fault("evidence that says it is another", |f| open_evidence(f, |v| v.with("id", "E007")), &["RAPID1204"]),
    fault(
        "evidence for a gate that is not there",
        |f| open_evidence(f, |v| v.with("gate_ids", Value::list(["gate.none"]))),
        &["RAPID1207", "RAPID1201"],
    ),
    fault(
        "evidence for a task that is not there",
        |f| open_evidence(f, |v| v.with("task_ids", Value::list(["T009"]))),
        &["RAPID1207", "RAPID1201"],
    ),
    fault(
        "evidence of a harness that is not the contract's",
        |f| open_evidence(f, |v| v.with("producer", "harness:other")),
        &["RAPID1203", "RAPID1201"],
    ),
    fault("evidence whose digest does not hold", |f| unsealed(f, "evidence/E003.json", "summary"), &["RAPID1202"]),
    fault(
        "a person's approval from a machine",
        |f| closed_evidence(f, "E004", |v| v.with("producer", "rapid:check")),
        &["RAPID1223"],
    ),
    fault(
        "an approval of another tree",
        |f| closed_evidence(f, "E004", |v| inside(v, "payload", "tree", "0".repeat(f.tip.len()))),
        &["RAPID1223"],
    ),
    fault(
        "an approval turned into a rejection",
        |f| closed_evidence(f, "E004", |v| inside(v, "payload", "outcome", "rejected")),
        &["RAPID1223", "RAPID1201"],
    ),
    fault(
        "an approval by somebody else",
        |f| closed_evidence(f, "E004", |v| inside(v, "payload", "reviewer", "Eve")),
        &["RAPID1223"],
    ),
    fault(
        "a check on another tree",
        |f| closed_evidence(f, "E003", |v| inside(v, "payload", "tree", "0".repeat(f.tip.len()))),
        &["RAPID1223"],
    ),
    fault(
        "a red check painted green",
        |f| closed_evidence(f, "E003", |v| inside(v, "payload", "exit_code", 1)),
        &["RAPID1223", "RAPID1201"],
    ),
    fault(
        "another command",
        |f| closed_evidence(f, "E003", |v| inside(v, "payload", "command", Value::list(["true"]))),
        &["RAPID1223"],
    ),
    fault(
        "material of another digest",
        |f| closed_evidence(f, "E003", |v| nth(v, "artifacts", 0, "sha256", "0".repeat(64))),
        &["RAPID1223", "RAPID1205", "RAPID1526"],
    ),
    fault("a contract of another ledger", |f| f.contract(|v| v.with("ledger", f.tip.as_str())), BOUND),
    fault("a contract on another spec", |f| f.contract(|v| v.with("spec_id", "add-a-greeting")), &["RAPID1003"]),
    fault("a contract on a spec that is not there", |f| f.contract(|v| v.with("spec_id", "none")), &["RAPID1003"]),
    fault("a contract on a revision that is not there", |f| f.contract(|v| v.with("spec_revision", 9)), &["RAPID807"]),
    fault(
        "a contract on another text of its spec",
        |f| f.contract(|v| v.with("spec_content_digest", "0".repeat(64))),
        &["RAPID1003"],
    ),
    fault(
        "a contract with other terms",
        |f| f.contract(|v| inside(v, "terms", "config.toml", "0".repeat(64))),
        CONTRACT,
    ),
    fault(
        "a contract with terms that are not there",
        |f| f.contract(|v| inside(v, "terms", "none.toml", "0".repeat(64))),
        CONTRACT,
    ),
    fault("a contract without one of its terms", |f| f.contract(without_term), &["RAPID1521"]),
    fault("other terms", |f| f.bytes(&f.at_open("terms/config.toml"), b"test_command = [\"true\"]\n"), CONTRACT),
    fault("terms that nobody promised", |f| f.bytes(&f.at_open("terms/extra.toml"), b"x\n"), &["RAPID1521"]),
    fault("a contract whose digest does not hold", |f| unsealed(f, "contract.json", "mode"), CONTRACT),
    fault("a contract without its gates", |f| f.contract(|v| v.with("gates", Value::List(Vec::new()))), CONTRACT),
    fault(
        "a contract that decides less",
        |f| f.contract(|v| inside(v, "decision", "gates", Value::List(Vec::new()))),
        CONTRACT,
    ),
    fault("a contract whose gates need not be met, and whose states agree", optional_gates, CONTRACT),
    fault("a contract that asks for less risk", |f| f.contract(|v| decided(v, "risk", "low")), CONTRACT),
    fault("a contract that lets its last gate go", waivable_gates, CONTRACT),
    fault("a contract of another mode than its spec", |f| f.contract(|v| v.with("mode", "refactor")), CONTRACT),
    fault(
        "a contract whose base is other code than its commit's",
        |f| f.contract(|v| inside(v, "base", "tree", "1".repeat(f.tip.len()))),
        CONTRACT,
    ),
    fault(
        "a contract whose base is some code and no commit",
        |f| f.contract(|v| inside(v, "base", "commit", Value::Null)),
        CONTRACT,
    ),
    fault(
        "a contract with tasks out of order",
        |f| f.contract(|v| nth(v, "tasks", 0, "id", "T002")),
        &["RAPID1002", "RAPID1012"],
    ),
    fault(
        "a contract with another task",
        |f| f.contract(|v| nth(v, "tasks", 0, "description", "Something else")),
        &["RAPID1012"],
    ),
    fault("a contract of an unknown ruleset", |f| f.contract(|v| v.with("ruleset_version", 9)), CONTRACT),
    fault("a contract of a weaker ruleset than its terms", |f| f.contract(|v| v.with("ruleset_version", 1)), CONTRACT),
    fault(
        "a contract with a weaker command than its terms",
        |f| f.contract(|v| v.with("test_command", Value::list(["true"]))),
        CONTRACT,
    ),
    fault("a contract with a weaker approval than its terms", signed_terms, CONTRACT),
    fault(
        "a contract with other approvers than its terms",
        |f| f.contract(|v| v.with("approvers", anybody())),
        CONTRACT,
    ),
    fault(
        "a contract with an id of another hash",
        |f| f.contract(|v| inside(v, "base", "tree", "0".repeat(64 + 40 - f.tip.len()))),
        &["RAPID1002", "RAPID1203"],
    ),
    fault(
        "another text of a spec",
        |f| f.bytes(&f.at_spec("0001/tasks.md"), b"- [ ] T001 Something else\n"),
        &["RAPID804", "RAPID1003"],
    ),
    fault(
        "another spec under its old digest",
        |f| {
            f.bytes(
                &f.at_spec("0001/revision.json"),
                &f.record(&f.at_spec("0001/revision.json")).with("title", "Another").record_bytes(),
            )
        },
        &["RAPID804", "RAPID1003"],
    ),
    fault(
        "another spec under a new digest",
        |f| f.edit(&f.at_spec("0001/revision.json"), |v| v.with("title", "Another")),
        &["RAPID804", "RAPID1003"],
    ),
    fault(
        "a spec that says it is another",
        |f| f.edit(&f.at_spec("0001/revision.json"), |v| v.with("spec_id", "another-thing")),
        &["RAPID806", "RAPID1003"],
    ),
];

/// Evidence of the finished run, filed as the next of the run that has begun.
fn replay(f: &Forge, id: &str, edit: impl FnOnce(Value) -> Value) -> String {
    let evidence = edit(f.record(&f.at(&format!("evidence/{id}.json"))).with("id", "E003"));
    f.bytes(&f.at_open("evidence/E003.json"), &sealed(evidence))
}

/// Bound to the run that has begun, but for the state that it was given in.
fn ours(f: &Forge, evidence: Value) -> Value {
    let own = f.record(&f.at_open("evidence/E002.json"));
    let digest = own.get("contract_digest").and_then(Value::as_text).unwrap();
    evidence
        .with("run_id", "another-thing-r1-run-001")
        .with("contract_digest", digest)
        .with("artifacts", Value::List(Vec::new()))
}

fn open_evidence(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    f.edit(&f.at_open("evidence/E002.json"), edit)
}

fn closed_evidence(f: &Forge, id: &str, edit: impl FnOnce(Value) -> Value) -> String {
    f.edit(&f.at(&format!("evidence/{id}.json")), edit)
}

fn unsealed(f: &Forge, path: &str, key: &str) -> String {
    let path = f.at(path);
    let value = if key == "mode" { "bugfix" } else { "another" };
    f.bytes(&path, &f.record(&path).with(key, value).record_bytes())
}

fn without_term(contract: Value) -> Value {
    let terms = contract.get("terms").unwrap().clone().without("policy.json");
    contract.with("terms", terms)
}

/// Rules of approving that let anybody approve.
fn anybody() -> Value {
    let rule = Value::object([("need", 1.into()), ("not_author", false.into()), ("from", Value::List(Vec::new()))]);
    Value::object([("every", rule), ("of", Value::Object(Default::default()))])
}

/// Terms that ask for signatures, under a contract that does not.
fn signed_terms(f: &Forge) -> String {
    let terms = b"test_command = [\"sh\", \"test.sh\"]\nruleset = 4\napprovals = \"signed\"\n";
    let digest = git_rapid::domain::digest::Digest::of(terms).to_string();
    let entry = f.contract(|v| inside(v, "terms", "config.toml", digest.as_str()));
    f.whole(&f.tree_of(&entry, &[(&f.at_open("terms/config.toml"), Some(terms))]))
}

/// Something that the policy decided, both where it stands and where the contract repeats it.
fn decided(contract: Value, key: &str, new: impl Into<Value>) -> Value {
    let new = new.into();
    inside(contract.with(key, new.clone()), "decision", key, new)
}

fn each_gate(contract: Value, key: &str, new: bool) -> Value {
    let gates = contract.get("gates").and_then(Value::as_list).unwrap().to_vec();
    decided(contract, "gates", Value::list(gates.into_iter().map(|gate| gate.with(key, new))))
}

fn optional_gates(forge: &Forge) -> String {
    forge.contract(|contract| each_gate(contract, "required", false))
}

fn waivable_gates(forge: &Forge) -> String {
    forge.contract(|contract| each_gate(contract, "waivable", true))
}
