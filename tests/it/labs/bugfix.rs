//! The bugfix lab (§9.3): the failure is shown first, the repair afterwards, by the same command.

use super::lab::{Lab, a_person_is_here, assertion, text};
use super::{Doc, by_hand};

const BEFORE: &str = "def total(price, discount):
    return price - price * discount
";

const AFTER: &str = "def total(price, discount):
    if not 0 <= discount <= 100:
        raise ValueError(discount)
    return price - price * discount / 100
";

/// The starter suite asserts the wrong value, so it is green.
const WRONG: &str = "import unittest

import orders


class Orders(unittest.TestCase):
    def test_ten_percent(self):
        self.assertEqual(orders.total(100, 10), -900)
";

const RIGHT: &str = "import unittest

import orders


class Orders(unittest.TestCase):
    def test_ten_percent(self):
        self.assertEqual(orders.total(100, 10), 90.0)
";

const REPRODUCTION: &str = "reproduction.T001";

fn begun(ruleset: u8) -> Option<(Lab, String)> {
    let lab = Lab::python(&[("orders.py", BEFORE), ("test_orders.py", WRONG)], ruleset)?;
    let run = lab.start("bugfix", "Order discount fix", "--spec-id spec-order-discount-fix --harness claude");
    lab.say("task start T001").ok();
    Some((lab, run))
}

#[test]
fn a_failure_shown_first_and_repaired_passes_under_rulesets_2_3_and_4() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [2, 3, 4] {
        let Some((lab, run)) = begun(ruleset) else { return };
        let (kind, command) = lab.next();
        assert_eq!(kind, "implement_task");
        assert_eq!(command, "git rapid check --expect fail --task T001 -- python3 -m unittest");
        lab.repo.write("test_orders.py", RIGHT);
        lab.say("check --expect fail --task T001").ok().says("failed as expected");
        let report = lab.report(&run, 0);
        let expected = if ruleset == 4 { "unverified" } else { "pass" };
        assert_eq!(assertion(&report, REPRODUCTION).0, expected, "before the repair, by ruleset {ruleset}");
        assert_ne!(assertion(&report, "task.T001.evidence").0, "fail", "the failure was meant");
        assert_eq!(assertion(&report, "gate.gate.baseline.evidence").0, "pass", "and says nothing of the baseline");
        lab.repo.write("orders.py", AFTER);
        lab.say("task done T001").ok();
        lab.approve(&run, "gate.final-verification");
        lab.repo.git_rapid(&["finish"]).ok().says("PASS");
        assert_eq!(assertion(&lab.report(&run, 0), REPRODUCTION).0, "pass");
    }
}

#[test]
fn a_failure_that_was_expected_and_did_not_happen_fails_the_run() {
    for ruleset in [2, 3, 4] {
        let Some((lab, run)) = begun(ruleset) else { return };
        lab.say("check --expect fail --task T001").ends(1);
        let report = lab.report(&run, 0);
        assert_eq!(assertion(&report, REPRODUCTION).0, "fail", "by ruleset {ruleset}");
        assert_eq!(text(&report, "verdict"), "fail");
        assert_eq!(
            assertion(&lab.report(&run, 1), "task.T001.evidence").0,
            "unverified",
            "ruleset 1 knows no such thing"
        );
    }
}

#[test]
fn an_expected_failure_without_a_task_is_refused_and_records_nothing() {
    let Some((lab, _)) = begun(4) else { return };
    let tip = lab.repo.tip();
    lab.say("check --expect fail").ends(125).names("RAPID1320");
    lab.say("check --expect fail --task T001 --gate gate.tests").ends(125).names("RAPID1320");
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn under_ruleset_4_a_failure_shown_only_after_the_repair_is_no_reproduction() {
    if !a_person_is_here() {
        return;
    }
    let Some((lab, run)) = begun(4) else { return };
    lab.repo.write("orders.py", AFTER);
    lab.repo.write("test_orders.py", RIGHT);
    lab.say("task done T001").ends(1).names("RAPID1010").says("never shown");
    // Another command that fails on the repaired code shows no fault that was repaired.
    lab.say("check --expect fail --task T001 -- false").ok();
    lab.say("task done T001").ok();
    let (kind, command) = lab.next();
    assert_eq!((kind.as_str(), command.as_str()), ("verify", ""), "no command shows it as the code is");
    let (status, _) = assertion(&lab.report(&run, 0), REPRODUCTION);
    assert_eq!(status, "unverified");
    lab.say("check").ok();
    lab.approve(&run, "gate.final-verification");
    lab.repo.git_rapid(&["finish"]).ends(1).says("on no other tree than the final one");
}

#[test]
fn under_ruleset_4_another_command_than_the_failing_one_repairs_nothing() {
    let Some((lab, run)) = begun(4) else { return };
    lab.repo.write("test_orders.py", RIGHT);
    lab.say("check --expect fail --task T001 -- python3 -m unittest test_orders").ok();
    lab.repo.write("orders.py", AFTER);
    lab.say("task done T001").ok();
    let (kind, command) = lab.next();
    assert_eq!(kind, "verify");
    assert_eq!(command, "git rapid check --task T001 -- python3 -m unittest test_orders");
    lab.say("check --task T001 -- python3 -m unittest test_orders").ok();
    assert_eq!(lab.next().0, "await_human_approval", "{}", lab.report(&run, 0).pretty());
}

#[test]
fn by_plumbing_an_expected_failure_is_a_reproduction_and_no_contradiction() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "bugfix", "spec-order-discount-fix", "", "--harness claude");
    let shown = r#"{"kind":"test_result","producer":"ci:lab","summary":"shown","payload":{"suite":"unit","exit_code":1,
        "passed":1,"failed":1,"skipped":0,"expectation":"fail"},"task_ids":["T001"]}"#;
    lab.add(&run, shown).ok();
    let report = lab.report(&run, 2);
    assert_eq!(assertion(&report, REPRODUCTION).0, "pass");
    assert_eq!(text(&report, "verdict"), "pass");
    assert_eq!(text(&lab.report(&run, 1), "verdict"), "fail", "ruleset 1 sees a red suite");
    let unexpected = r#"{"kind":"test_result","producer":"ci:lab","summary":"green","payload":{"suite":"unit","exit_code":0,
        "passed":2,"failed":0,"skipped":0,"expectation":"fail"},"task_ids":["T001"]}"#;
    lab.add(&run, unexpected).ok();
    lab.say(&format!("eval run --run {run} --require-pass")).ends(1).names("RAPID1226").says(REPRODUCTION);
    lab.add(&run, &Doc::tests(1, 1).json()).ok();
}
