//! Evidence, reports and runs that are refused when they are given: each with its code, and with nothing recorded.

use crate::labs::{Doc, Lab, by_hand, opened, text};
use git_rapid::domain::json::Value;

fn lab() -> (Lab, String) {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "");
    (lab, run)
}

/// A document is refused with this code and moves nothing.
fn refused(lab: &Lab, run: &str, document: &str, status: i32, code: &str) {
    let tip = lab.repo.tip();
    lab.add(run, document).ends(status).names(code);
    assert_eq!(lab.repo.tip(), tip, "{code} records nothing");
}

fn document(kind: &str, producer: &str, payload: &str, more: &str) -> String {
    format!("{{\"kind\":\"{kind}\",\"producer\":\"{producer}\",\"summary\":\"x\",\"payload\":{payload}{more}}}")
}

const TOOL: &str = r#"{"tool_id":"lint","outcome":"success"}"#;

#[test]
fn a_document_that_says_more_or_less_than_it_may_is_refused() {
    let (lab, run) = lab();
    let tool = |more: &str| document("tool_invocation", "ci:lab", TOOL, more);
    refused(&lab, &run, &tool(",\"id\":\"E007\""), 2, "RAPID1201");
    refused(&lab, &run, &tool(",\"colour\":\"red\""), 2, "RAPID1202");
    refused(&lab, &run, "not json", 2, "RAPID1202");
    refused(&lab, &run, "{\"kind\":\"tool_invocation\"}", 2, "RAPID1202");
    refused(&lab, &run, &tool(",\"state_revision\":9"), 2, "RAPID1203");
    refused(&lab, &run, &document("tool_invocation", "harness:other", TOOL, ""), 2, "RAPID1203");
}

#[test]
fn artifacts_that_are_unsafe_missing_linked_or_named_twice_are_refused() {
    let (lab, run) = lab();
    let artifacts =
        |names: &str| document("artifact", "ci:lab", "{\"label\":\"x\"}", &format!(",\"artifacts\":[{names}]"));
    refused(&lab, &run, &artifacts("\"../outside\""), 2, "RAPID1204");
    refused(&lab, &run, &artifacts("\"/etc/passwd\""), 2, "RAPID1204");
    std::os::unix::fs::symlink("/etc/passwd", lab.repo.world().path("linked")).unwrap();
    refused(&lab, &run, &artifacts("\"linked\""), 2, "RAPID1204");
    refused(&lab, &run, &artifacts("\"nowhere.txt\""), 2, "RAPID1205");
    refused(&lab, &run, &artifacts("\"log.txt\",\"log.txt\""), 2, "RAPID1211");
    refused(&lab, &run, &artifacts(""), 2, "RAPID1206");
}

#[test]
fn payloads_are_closed_and_kinds_are_nine() {
    let (lab, run) = lab();
    refused(&lab, &run, &document("gossip", "ci:lab", "{}", ""), 2, "RAPID1206");
    let more = r#"{"tool_id":"lint","outcome":"success","seconds":3}"#;
    refused(&lab, &run, &document("tool_invocation", "ci:lab", more, ""), 2, "RAPID1206");
    let less = r#"{"suite":"unit","exit_code":0,"passed":1,"failed":0}"#;
    refused(&lab, &run, &document("test_result", "ci:lab", less, ""), 2, "RAPID1206");
    let negative = r#"{"suite":"unit","exit_code":0,"passed":-1,"failed":0,"skipped":0}"#;
    refused(&lab, &run, &document("test_result", "ci:lab", negative, ""), 2, "RAPID1206");
    for (kind, payload) in [
        ("command_result", r#"{"label":"make","exit_code":2}"#),
        ("test_result", r#"{"suite":"unit","exit_code":0,"passed":1,"failed":0,"skipped":0}"#),
        ("file_change", r#"{"paths":["a","b"]}"#),
        ("git_result", r#"{"operation":"inspect"}"#),
        ("workspace", r#"{"mode":"current"}"#),
        ("review", r#"{"review_type":"peer","outcome":"approved","reviewer":"Bob"}"#),
        ("tool_invocation", TOOL),
        ("delegation", r#"{"target":"bob","outcome":"success"}"#),
    ] {
        lab.add(&run, &document(kind, "external:somebody", payload, "")).ok();
    }
    lab.add(&run, &Doc::artifact().json()).ok();
    lab.say(&format!("evidence verify --run {run}")).ok();
}

#[test]
fn evidence_speaks_only_of_what_the_run_has() {
    let (lab, run) = lab();
    refused(&lab, &run, &Doc::tests(1, 0).with("\"task_ids\":[\"T002\"]").json(), 2, "RAPID1207");
    refused(&lab, &run, &Doc::tests(1, 0).for_gates(&["gate.review"]).json(), 2, "RAPID1207");
    refused(&lab, &run, &Doc::tests(1, 0).with("\"capability_ids\":[\"mind.read\"]").json(), 2, "RAPID1207");
}

#[test]
fn nobody_speaks_as_the_tool_or_as_a_person() {
    let (lab, run) = lab();
    let tests = r#"{"suite":"unit","exit_code":0,"passed":1,"failed":0,"skipped":0}"#;
    for producer in ["rapid:check", "rapid:start", "rapid:finish", "rapid:attach"] {
        refused(&lab, &run, &document("test_result", producer, tests, ""), 1, "RAPID1430");
    }
    let review = r#"{"review_type":"final","outcome":"approved","reviewer":"Ada"}"#;
    refused(&lab, &run, &document("review", "user", review, ""), 1, "RAPID1430");
    lab.say(&format!("run gate {run} gate.final-verification acknowledged")).ends(1).names("RAPID1431");
    lab.say(&format!("run gate {run} gate.tests waived --reason x")).ends(1).names("RAPID1431");
    lab.say(&format!("check --run {run} --gate gate.final-verification -- true")).ends(125).names("RAPID1431");
}

#[test]
fn what_is_not_there_is_said_so() {
    let (lab, run) = lab();
    lab.say(&format!("evidence show E009 --run {run}")).ends(2).names("RAPID1210");
    lab.say(&format!("evidence show nine --run {run}")).ends(2).names("RAPID1201");
    lab.say(&format!("eval show --run {run} --revision 3")).ends(2).names("RAPID1228");
    lab.say("run show nobody-r1-run-001").ends(2).names("RAPID1007");
    lab.say("run show NOBODY").ends(2).names("RAPID1001");
    lab.say(&format!("run show {run} --state-revision 9")).ends(2).names("RAPID1540");
    lab.say("explain RAPID9999").ends(2).names("RAPID1540");
    lab.say(&format!("run create --spec lab --id {run}")).ends(2).names("RAPID1007");
    lab.say("run create --spec lab --harness NO/PE").ends(2).names("RAPID1104");
}

#[test]
fn capabilities_can_be_asked_for_and_only_those_there_are() {
    let (lab, run) = lab();
    lab.say(&format!("eval run --run {run} --require mind.read")).ends(2).names("RAPID1101");
    let report = lab.say(&format!("eval run --run {run} --require mcp.invoke --json")).ok().json();
    assert_eq!(crate::labs::assertion(&report, "capability.mcp.invoke.observed").0, "unverified");
    lab.add(&run, &document("tool_invocation", "ci:lab", TOOL, "")).ok();
    let report = lab.say(&format!("eval run --run {run} --require mcp.invoke --json")).ok().json();
    assert_eq!(crate::labs::assertion(&report, "capability.mcp.invoke.observed").0, "pass");
}

#[test]
fn a_run_that_is_over_takes_no_more_checks_and_no_more_files() {
    if !crate::labs::a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "lab", "", "");
    let tip = lab.repo.tip();
    lab.say(&format!("check --run {run} -- true")).ends(125).names("RAPID1014");
    lab.say(&format!("attach greet.sh --run {run} --task T001")).ends(1).names("RAPID1014");
    lab.say(&format!("run task {run} T001 in_progress")).ends(1).names("RAPID1010");
    lab.say(&format!("run status {run} active")).ends(1).names("RAPID1009");
    assert_eq!(lab.repo.tip(), tip);
    lab.say(&format!("finish --run {run}")).ends(2).names("RAPID1228");
}

#[test]
fn the_test_evidence_of_others_does_not_qualify_under_ruleset_3() {
    let (lab, run) = lab();
    lab.add(&run, &Doc::tests(4, 0).for_gates(&["gate.tests"]).json()).ok();
    let judged = lab.say(&format!("eval run --run {run} --ruleset 3")).ok();
    judged.says("RAPID1432");
    let report = lab.report(&run, 3);
    assert_eq!(crate::labs::assertion(&report, "gate.gate.tests.evidence").0, "unverified");
    assert_eq!(text(&report, "verdict"), "unverified");
    assert_eq!(report.get("ruleset_version").and_then(Value::as_int), Some(3));
}
