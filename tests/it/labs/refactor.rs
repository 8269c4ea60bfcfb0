//! The refactor lab (§9.4): the behaviour stays, and so do the tests. Fewer of them than before is not a green suite.

use super::lab::{Lab, a_person_is_here, assertion, text};
use super::{Doc, by_hand};

const BEFORE: &str = "def report(name, sales):
    if sales < 0:
        raise ValueError(sales)
    return \"%s: %.2f\" % (name, sales * 5 / 100)
";

const AFTER: &str = "class Calculator:
    def commission(self, sales):
        if sales < 0:
            raise ValueError(sales)
        return sales * 5 / 100


def report(name, sales):
    return \"%s: %.2f\" % (name, Calculator().commission(sales))
";

const TESTS: &str = "import unittest

import commission


class Commission(unittest.TestCase):
    def test_the_text_stays(self):
        self.assertEqual(commission.report(\"ada\", 200), \"ada: 10.00\")

    def test_negative_sales_are_refused(self):
        self.assertRaises(ValueError, commission.report, \"ada\", -1)
";

const FEWER: &str = "import unittest

import commission


class Commission(unittest.TestCase):
    def test_the_text_stays(self):
        self.assertEqual(commission.report(\"ada\", 200), \"ada: 10.00\")
";

fn begun(ruleset: u8) -> Option<(Lab, String)> {
    let lab = Lab::python(&[("commission.py", BEFORE), ("test_commission.py", TESTS)], ruleset)?;
    let run = lab.start("refactor", "Commission decoupling", "--spec-id spec-commission-decoupling --harness vscode");
    lab.say("task start T001").ok();
    lab.repo.write("commission.py", AFTER);
    Some((lab, run))
}

#[test]
fn a_refactoring_that_keeps_its_tests_passes_under_rulesets_2_3_and_4() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [2, 3, 4] {
        let Some((lab, run)) = begun(ruleset) else { return };
        assert_eq!(lab.gates(&run), ["gate.baseline", "gate.tests", "gate.final-verification"]);
        lab.say("task done T001").ok();
        lab.approve(&run, "gate.final-verification");
        lab.repo.git_rapid(&["finish"]).ok().says("PASS");
    }
}

#[test]
fn a_refactoring_that_lost_a_test_is_blocked_although_all_that_is_left_is_green() {
    for ruleset in [2, 3, 4] {
        let Some((lab, _)) = begun(ruleset) else { return };
        lab.repo.write("test_commission.py", FEWER);
        lab.say("task done T001").ok().says("1 passed");
        let (kind, command) = lab.next();
        assert_eq!(kind, "blocked", "by ruleset {ruleset}");
        assert_eq!(command, "git rapid check --gate gate.tests -- python3 -m unittest");
        lab.say("next").ok().says("1 tests passed in E003, 2 in the baseline (E002)");
        lab.repo.write("test_commission.py", TESTS);
        lab.say("check --gate gate.tests").ok();
        assert_eq!(lab.next().0, "await_human_approval", "the test is back");
    }
}

#[test]
fn under_ruleset_4_lost_tests_wait_for_a_person_who_accepts_them() {
    if !a_person_is_here() {
        return;
    }
    let Some((lab, run)) = begun(4) else { return };
    lab.repo.write("test_commission.py", FEWER);
    lab.say("task done T001").ok();
    lab.approve(&run, "gate.final-verification");
    lab.repo.git_rapid(&["finish"]).ends(1).says("tests.kept").says("nothing was written");
    lab.decide("finish --accept-test-command", &format!("accept tests of {run}")).ok().says("PASS");
    let (status, items) = assertion(&lab.report(&run, 0), "tests.kept");
    assert_eq!((status.as_str(), items.len()), ("pass", 3), "before, now, and who accepted it");
}

#[test]
fn by_plumbing_a_refactoring_passes_and_a_check_with_fewer_tests_blocks_it() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "refactor", "spec-commission-decoupling", "", "--harness vscode");
    lab.say(&format!("eval run --run {run} --write --require-pass")).ok().says("PASS");

    lab.say("spec create --id second --title second --mode refactor --task Do --status ready").ok();
    lab.say("run create --spec second").ok();
    let run = "second-r1-run-001";
    lab.add(run, &Doc::tests(4, 0).for_gates(&["gate.baseline"]).json()).ok();
    lab.say(&format!("run gate {run} gate.baseline acknowledged")).ok();
    lab.say(&format!("run status {run} active")).ok();
    lab.say(&format!("run task {run} T001 in_progress")).ok();
    lab.add(run, &Doc::tests(3, 0).for_gates(&["gate.tests"]).for_task().json()).ok();
    lab.say(&format!("run task {run} T001 done")).ok();
    let next = lab.say(&format!("next --run {run} --json")).ok().json();
    assert_eq!(text(next.get("action").unwrap(), "kind"), "blocked");
}
