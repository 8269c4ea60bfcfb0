//! What people decide, and what `finish` refuses until they have: waivers, rejections, approvals of other code, other tests, a
//! red baseline.

use crate::labs::{Lab, a_person_is_here, assertion, text};
use git_rapid::domain::json::Value;

const FINAL: &str = "gate.final-verification";

/// A run whose one task is done.
fn worked(ruleset: u8) -> (Lab, String) {
    let lab = Lab::shell(ruleset);
    let run = lab.start("feature", "T", "");
    lab.work();
    (lab, run)
}

#[test]
fn a_waiver_needs_a_reason_and_a_gate_that_may_be_waived() {
    if !a_person_is_here() {
        return;
    }
    let (lab, run) = worked(4);
    let tip = lab.repo.tip();
    lab.say("approve gate.tests --waive").ends(2).names("RAPID001").says("say why");
    lab.decide(&format!("approve {FINAL} --waive --reason no"), &format!("waive {FINAL}")).ends(1).says("RAPID1013");
    lab.decide("approve gate.tests --waive --reason no", "waive").ends(1).says("nothing was decided");
    assert_eq!(lab.repo.tip(), tip, "nothing was decided");
    lab.decide("approve gate.tests --waive --reason flaky", "waive gate.tests").ok();
    lab.approve(&run, FINAL);
    let finished = lab.repo.git_rapid(&["finish", "--json"]).ok().json();
    assert_eq!(text(&finished, "verdict"), "pass_with_waivers");
    lab.say(&format!("run show {run}")).ok().says("flaky (waived by Ada)");
}

#[test]
fn a_waiver_of_the_tests_lets_go_the_checks_of_tasks_too() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(4);
    let run = lab.start("feature", "T", "");
    lab.say("task start T001").ok();
    lab.repo.write("test.sh", "echo 1..1; echo 'not ok 1 - greets'; exit 1\n");
    lab.say("task done T001").ends(1);
    let early = lab.decide("approve gate.tests --waive --reason flaky", "waive gate.tests");
    early.ends(1).says("RAPID1014").says("git rapid task done T001 --no-check");
    lab.say("task done T001 --no-check").ok();
    lab.repo.git_rapid(&["finish"]).ends(1).says("task.T001.evidence: contradicted by E003");
    lab.decide("approve gate.tests --waive --reason flaky", "waive gate.tests").ok();
    assert_eq!(assertion(&lab.report(&run, 0), "task.T001.evidence").0, "waived");
    lab.approve(&run, FINAL);
    let finished = lab.repo.git_rapid(&["finish", "--json"]).ok().json();
    assert_eq!(text(&finished, "verdict"), "pass_with_waivers");
}

#[test]
fn a_task_that_was_left_out_is_shown_to_whoever_approves() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    lab.say("task skip T001 --reason boring").ok();
    lab.edit();
    lab.say("check").ok();
    lab.decide(&format!("approve {FINAL}"), "no").says("look twice: task T001 was left out: boring");
}

#[test]
fn a_rejection_blocks_the_run_for_good_under_rulesets_2_and_3() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [2, 3] {
        let (lab, run) = worked(ruleset);
        lab.decide(&format!("approve {FINAL} --reject --reason ugly"), &format!("reject {FINAL}")).ok();
        assert_eq!(lab.next(), ("blocked".to_owned(), "git rapid abort".to_owned()), "by ruleset {ruleset}");
        lab.approve(&run, FINAL);
        assert_eq!(lab.next().0, "blocked", "an approval does not make up for it");
        lab.repo.git_rapid(&["finish"]).ends(1).says("RAPID1226");
        assert_eq!(assertion(&lab.report(&run, 0), "gate.gate.final-verification.evidence").0, "fail");
        lab.say("abort --reason rejected").ok();
        lab.say("next --json").ok();
        assert_eq!(text(&lab.say(&format!("run show {run} --json")).ok().json(), "status"), "cancelled");
    }
}

#[test]
fn under_ruleset_4_a_rejection_stands_until_the_same_gate_is_approved() {
    if !a_person_is_here() {
        return;
    }
    let (lab, run) = worked(4);
    lab.decide(&format!("approve {FINAL} --reject --reason ugly"), &format!("reject {FINAL}")).ok();
    let blocked = lab.say("next --json").ok().json();
    let action = blocked.get("action").unwrap();
    assert_eq!((text(action, "kind"), action.get("command")), ("blocked".to_owned(), Some(&Value::Null)));
    assert!(text(action, "instructions").contains("'ugly' (Ada)"), "{blocked:?}");
    lab.edit();
    assert_eq!(lab.next().0, "verify", "the repair is checked first");
    lab.repo.git_rapid(&["finish"]).ends(1).says("RAPID1434");
    lab.say("check").ok();
    let shown = lab.say("next --json").ok().json();
    let action = shown.get("action").unwrap();
    assert_eq!(text(action, "kind"), "await_human_approval", "newer code alone answers no rejection");
    assert!(text(action, "instructions").contains("Changes were asked for: 'ugly' (Ada)"), "{shown:?}");
    lab.repo.git_rapid(&["finish"]).ends(1);
    lab.approve(&run, FINAL);
    lab.repo.git_rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn code_that_changed_after_the_check_is_not_approved() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [3, 4] {
        let (lab, _) = worked(ruleset);
        lab.edit();
        let refused = lab.decide(&format!("approve {FINAL}"), &format!("approve {FINAL}"));
        refused.ends(1).says("RAPID1434");
        assert_eq!(lab.next().0, "verify", "by ruleset {ruleset}");
    }
}

#[test]
fn code_that_changed_after_the_approval_is_not_finished_until_it_is_checked_and_approved_again() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [3, 4] {
        let (lab, run) = worked(ruleset);
        lab.approve(&run, FINAL);
        lab.edit();
        let tip = lab.repo.tip();
        lab.repo.git_rapid(&["finish"]).ends(1).names("RAPID1434").names("RAPID1433");
        assert_eq!(lab.repo.tip(), tip, "nothing was written");
        lab.say("check").ok();
        lab.repo.git_rapid(&["finish"]).ends(1).names("RAPID1433");
        assert_eq!(lab.next(), ("await_human_approval".to_owned(), format!("git rapid approve {FINAL}")));
        lab.approve(&run, FINAL);
        lab.repo.git_rapid(&["finish"]).ok().says("PASS");
    }
}

#[test]
fn another_test_command_waits_for_a_person_who_accepts_it() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [3, 4] {
        let lab = Lab::shell(ruleset);
        let run = lab.start("feature", "T", "");
        lab.say("task start T001").ok();
        lab.edit();
        let other = ["check", "--task", "T001", "--gate", "gate.tests", "--", "sh", "-c", "sh test.sh"];
        lab.repo.rapid(&other).ok();
        lab.say("task done T001 --no-check").ok();
        lab.approve(&run, FINAL);
        lab.repo.git_rapid(&["finish"]).ends(1).names("RAPID1435");
        assert_eq!(lab.next().1, "git rapid finish --accept-test-command");
        lab.repo.git_rapid(&["finish", "--accept-test-command"]).ends(1).names("RAPID1310");
        let tip = lab.repo.tip();
        let asked = lab.decide("finish --accept-test-command", "yes").ends(1);
        let other = if ruleset == 3 { "ran 'sh -c sh test.sh'" } else { "ran" };
        assert!(asked.stdout.contains(other), "what there is to accept is said first: {asked}");
        assert_eq!(lab.repo.tip(), tip, "another sentence accepts nothing");
        lab.decide("finish --accept-test-command", &format!("accept tests of {run}")).ok().says("PASS");
    }
}

#[test]
fn a_red_baseline_leaves_the_run_prepared_and_a_green_check_opens_it() {
    for ruleset in [2, 3, 4] {
        let lab = Lab::shell(ruleset);
        lab.repo.write("tests/c.sh", "false\n");
        lab.repo.commit("red");
        let run = lab.start("feature", "T", "");
        let status = || text(&lab.say(&format!("run show {run} --json")).ok().json(), "status");
        assert_eq!(status(), "prepared");
        let (kind, command) = lab.next();
        assert_eq!(
            (kind.as_str(), command.as_str()),
            ("run_baseline", "git rapid check --gate gate.baseline -- sh test.sh")
        );
        lab.say("task start T001").ends(1).names("RAPID1014");
        lab.say("check").ends(1);
        assert_eq!((status().as_str(), lab.next().0.as_str()), ("prepared", "run_baseline"), "by ruleset {ruleset}");
        lab.repo.write("tests/c.sh", "true\n");
        lab.say("check").ok().says("the baseline is met: the run is active");
        assert_eq!((status().as_str(), lab.next().0.as_str()), ("active", "implement_task"));
    }
}

#[test]
fn a_machine_gate_is_nobodys_to_approve_and_a_gate_is_not_decided_before_its_time() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    lab.decide("approve gate.tests", "approve gate.tests").ends(1).says("RAPID1311");
    lab.decide(&format!("approve {FINAL}"), &format!("approve {FINAL}")).ends(1).says("RAPID1014");
    lab.decide("approve gate.review", "approve gate.review").ends(1).says("RAPID1013");
}
