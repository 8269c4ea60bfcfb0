//! The first governed project (§9.1): priorities for a list of tasks, under each ruleset and by plumbing.

use super::by_hand;
use super::lab::{Lab, a_person_is_here, assertion, list, text};

const BEFORE: &str = "TASKS = []


def add_task(title):
    task = {\"title\": title, \"status\": \"pending\"}
    TASKS.append(task)
    return task
";

const AFTER: &str = "TASKS = []
LEVELS = (\"low\", \"medium\", \"high\")


def add_task(title, priority=\"medium\"):
    if priority not in LEVELS:
        raise ValueError(priority)
    task = {\"title\": title, \"status\": \"pending\", \"priority\": priority}
    TASKS.append(task)
    return task


def list_tasks(priority=None):
    return [task for task in TASKS if priority in (None, task[\"priority\"])]
";

const TESTS: &str = "import unittest

import tracker


class Tracker(unittest.TestCase):
    def setUp(self):
        tracker.TASKS.clear()

    def test_a_new_task_is_pending(self):
        self.assertEqual(tracker.add_task(\"a\")[\"status\"], \"pending\")
";

const MORE_TESTS: &str = "
    def test_the_default_is_medium(self):
        self.assertEqual(tracker.add_task(\"a\")[\"priority\"], \"medium\")

    def test_other_priorities_are_refused(self):
        self.assertRaises(ValueError, tracker.add_task, \"a\", \"urgent\")

    def test_tasks_are_listed_by_priority(self):
        tracker.add_task(\"a\", \"high\")
        tracker.add_task(\"b\", \"low\")
        self.assertEqual([task[\"title\"] for task in tracker.list_tasks(\"high\")], [\"a\"])
";

const SPEC: &str = r#"{"title": "Task priority", "mode": "feature", "acceptance_criteria": ["old tests keep passing"],
"implementation_tasks": ["Add priorities and a filter"]}"#;

const GATES: [&str; 3] = ["gate.baseline", "gate.tests", "gate.final-verification"];

fn porcelain(ruleset: u8) {
    if !a_person_is_here() {
        return;
    }
    let Some(lab) = Lab::python(&[("tracker.py", BEFORE), ("test_tracker.py", TESTS)], ruleset) else { return };
    let spec = lab.spec_file(SPEC);
    let started = lab.repo.git_rapid(&[
        "start",
        "feature",
        "--spec-file",
        &spec,
        "--spec-id",
        "spec-task-priority",
        "--harness",
        "codex",
        "--json",
    ]);
    let started = started.ok().json();
    let run = text(&started, "run_id");
    assert_eq!(run, "spec-task-priority-r1-run-001");
    assert_eq!(text(started.get("baseline").unwrap(), "outcome"), "pass");
    assert_eq!(lab.gates(&run), GATES);
    assert_eq!(lab.next(), ("implement_task".to_owned(), "git rapid task start T001".to_owned()));
    lab.say("task start T001").ok();
    lab.repo.write("tracker.py", AFTER);
    lab.repo.write("test_tracker.py", &format!("{TESTS}{MORE_TESTS}"));
    let checked = lab.say("check --json").ok().json();
    assert_eq!(checked.get("passed").and_then(git_rapid::domain::json::Value::as_int), Some(4));
    lab.say("task done T001").ok();
    assert_eq!(lab.next().0, "await_human_approval");
    lab.approve(&run, "gate.final-verification");
    assert_eq!(lab.next(), ("finish".to_owned(), "git rapid finish".to_owned()));
    let finished = lab.repo.git_rapid(&["finish", "--json"]).ok().json();
    assert_eq!(text(&finished, "verdict"), "pass");
    assert!(list(&finished, "missing").is_empty());
    lab.say("eval run --require-pass").ok().says("PASS");
    lab.repo.commit("priorities");
    lab.say("verify --commit HEAD --require-pass").ok().says("covered commit");
    lab.say("validate --strict").ok();
}

#[test]
fn the_first_project_passes_under_ruleset_2() {
    porcelain(2);
}

#[test]
fn the_first_project_passes_under_ruleset_3() {
    porcelain(3);
}

#[test]
fn the_first_project_passes_under_ruleset_4() {
    porcelain(4);
}

#[test]
fn by_plumbing_the_first_project_passes_under_rulesets_1_and_2_and_not_under_those_that_ask_who_ran_the_tests() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "spec-task-priority", "--acceptance old", "--harness codex");
    assert_eq!(lab.gates(&run), GATES);
    lab.say(&format!("eval run --run {run} --ruleset 1 --require-pass")).ok().says("PASS");
    lab.say(&format!("eval run --run {run} --write --require-pass")).ok().says("PASS");
    for ruleset in [3, 4] {
        let report = lab.report(&run, ruleset);
        assert_eq!(text(&report, "verdict"), "unverified", "by ruleset {ruleset}");
        assert_eq!(assertion(&report, "gate.gate.tests.evidence").0, "unverified");
        let asked = format!("eval run --run {run} --ruleset {ruleset} --require-pass");
        lab.say(&asked).ends(1).names("RAPID1225").says("RAPID1432");
    }
    lab.say("validate --strict").ok();
}
