//! The acceptance table (§9.7): what a run is worth that is proven, declared, contradicted, waived, pending, gone on or revised.

use crate::labs::{Doc, Lab, a_person_is_here, assertion, by_hand, carried, opened, text};

const REVIEW: &str = "gate.review";
const FINAL: &str = "gate.final-verification";

/// A run of high risk under ruleset 2, carried to where people decide.
fn of_high_risk(proven: bool) -> (Lab, String) {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "--risk high");
    carried(&lab, &run, proven);
    (lab, run)
}

fn finished(lab: &Lab, run: &str) {
    lab.say(&format!("run status {run} finished")).ok();
}

#[test]
fn full_pass_and_evaluating_moves_nothing() {
    if !a_person_is_here() {
        return;
    }
    let (lab, run) = of_high_risk(true);
    lab.approve(&run, REVIEW);
    lab.approve(&run, FINAL);
    finished(&lab, &run);
    let tip = lab.repo.tip();
    lab.say(&format!("eval run --run {run} --require-pass")).ok().says("PASS");
    assert_eq!(lab.repo.tip(), tip, "nothing was written");
    let before: Vec<String> = lab.repo.records();
    lab.say(&format!("eval run --run {run} --require-pass --write")).ok().says("report 0001");
    let after = lab.repo.records();
    let new: Vec<&String> = after.iter().filter(|path| !before.contains(path)).collect();
    assert!(new.len() == 1 && new[0].ends_with("reports/0001.json"), "{new:?}");
    assert_eq!(lab.say(&format!("evidence list --run {run}")).ok().stdout.lines().count(), 6);
    assert_eq!(lab.say(&format!("eval list --run {run}")).ok().says("CURRENT").stdout.lines().count(), 1);
    lab.say("validate --strict").ok();
}

#[test]
fn declared_and_unproven_is_unverified() {
    if !a_person_is_here() {
        return;
    }
    let (lab, run) = of_high_risk(false);
    lab.approve(&run, REVIEW);
    lab.approve(&run, FINAL);
    finished(&lab, &run);
    lab.say(&format!("eval run --run {run}")).ok().says("UNVERIFIED");
    let strict = lab.say(&format!("eval run --run {run} --require-pass --json")).ends(1).names("RAPID1225");
    assert_eq!(text(&strict.json(), "verdict"), "unverified", "the document is still there");
}

#[test]
fn contradicted_is_fail_although_the_suite_ended_with_0() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "lab", "", "");
    lab.add(&run, &Doc::tests(3, 1).for_gates(&["gate.tests"]).json()).ok();
    lab.say(&format!("eval run --run {run}")).ok().says("FAIL");
    lab.say(&format!("eval run --run {run} --require-pass")).ends(1).names("RAPID1226");
}

#[test]
fn a_waived_review_passes_with_waivers_and_keeps_its_reason() {
    if !a_person_is_here() {
        return;
    }
    let (lab, run) = of_high_risk(true);
    lab.decide(&format!("approve {REVIEW} --run {run} --waive --reason alone"), &format!("waive {REVIEW}")).ok();
    lab.approve(&run, FINAL);
    finished(&lab, &run);
    let judged = lab.say(&format!("eval run --run {run} --require-pass --json")).ok().json();
    assert_eq!(text(&judged, "verdict"), "pass_with_waivers");
    assert_eq!(assertion(&judged, "gate.gate.review.evidence"), ("waived".to_owned(), vec![]));
    lab.say(&format!("run show {run}")).ok().says("alone (waived by Ada)");
}

#[test]
fn a_pending_gate_stays_pending_whatever_the_evidence() {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "");
    lab.add(&run, &Doc::tests(4, 0).for_gates(&["gate.baseline", "gate.tests"]).json()).ok();
    let report = lab.report(&run, 0);
    assert_eq!(assertion(&report, "gate.gate.tests.evidence"), ("unverified".to_owned(), vec!["E001".to_owned()]));
    let shown = lab.say(&format!("run show {run} --json")).ok().json();
    assert!(!shown.canonical().contains("acknowledged"), "nobody acknowledged anything");
}

#[test]
fn red_after_green_fails_the_gate_and_names_both() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "lab", "", "");
    lab.add(&run, &Doc::tests(3, 1).for_gates(&["gate.tests"]).json()).ok();
    for ruleset in [1, 2] {
        let (status, items) = assertion(&lab.report(&run, ruleset), "gate.gate.tests.evidence");
        assert_eq!((status.as_str(), items.len()), ("fail", 2), "by ruleset {ruleset}");
    }
}

#[test]
fn a_report_is_stale_when_its_run_went_on_and_can_still_be_read() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "lab", "", "");
    lab.say(&format!("eval run --run {run} --write")).ok();
    lab.add(&run, &Doc::review("peer", "approved").json()).ok();
    lab.say(&format!("eval list --run {run}")).ok().says("STALE");
    lab.say(&format!("eval show --run {run} --revision 1")).ok().says("RAPID1227").says("PASS");
    lab.say("validate").ok().says("warning[RAPID1227]");
    lab.say("validate --strict").ends(1);
    lab.say(&format!("eval run --run {run} --write")).ok().says("report 0002");
    lab.say("validate --strict").ok();
}

#[test]
fn a_state_after_the_report_makes_it_stale_too() {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "");
    lab.say(&format!("eval run --run {run} --write")).ok().says("UNVERIFIED");
    lab.say(&format!("run status {run} cancelled")).ok();
    lab.say(&format!("eval list --run {run}")).ok().says("STALE");
}

#[test]
fn a_spec_revised_afterwards_changes_nothing_of_the_run() {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "lab", "", "");
    let before = lab.say(&format!("run show {run} --json")).ok().json();
    lab.say("spec revise lab --task Other").ok();
    let after = lab.say(&format!("run show {run} --json")).ok().json();
    assert_eq!(text(&before, "contract_digest"), text(&after, "contract_digest"));
    assert_eq!(before.get("contract"), after.get("contract"));
    lab.say("run create --spec lab").ends(1).names("RAPID1003");
    lab.say("spec status lab ready").ok();
    let second = lab.say("run create --spec lab --json").ok().json();
    assert_eq!(text(&second, "run_id"), "lab-r2-run-001");
    lab.say("validate --strict").ok();
}
