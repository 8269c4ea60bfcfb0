//! The hardening lab (§9.5): work of high risk, in a worktree of its own, looked at by people.

use super::by_hand;
use super::lab::{Lab, a_person_is_here, assertion, text};

const BEFORE: &str = "def profile(name):
    return {\"name\": name}
";

const AFTER: &str = "import re


class ValidationError(ValueError):
    pass


def profile(name):
    if not re.fullmatch(r\"[A-Za-z0-9_-]{3,32}\", name):
        raise ValidationError(name)
    return {\"name\": name}
";

const TESTS: &str = "import unittest

import profiles


class Profiles(unittest.TestCase):
    def test_a_profile(self):
        self.assertEqual(profiles.profile(\"ada\"), {\"name\": \"ada\"})
";

const MORE_TESTS: &str = "
    def test_odd_names_are_refused(self):
        for name in (\"\", \"a\", \"a b c\", \"x\" * 33):
            self.assertRaises(ValueError, profiles.profile, name)
";

const GATES: [&str; 5] =
    ["gate.workspace-isolation", "gate.baseline", "gate.tests", "gate.review", "gate.final-verification"];

fn project(ruleset: u8) -> Option<Lab> {
    Lab::python(&[("profiles.py", BEFORE), ("test_profiles.py", TESTS)], ruleset)
}

fn porcelain(ruleset: u8) {
    if !a_person_is_here() {
        return;
    }
    let Some(lab) = project(ruleset) else { return };
    let options = "--spec-id spec-user-profile-hardening --harness antigravity --worktree";
    let run = lab.start("hardening", "User profile hardening", options);
    assert_eq!(lab.gates(&run), GATES);
    let there = lab.worktree_of(&run);
    assert_eq!(there.next(), ("implement_task".to_owned(), "git rapid task start T001".to_owned()));
    there.say("task start T001").ok();
    there.repo.write("profiles.py", AFTER);
    there.repo.write("test_profiles.py", &format!("{TESTS}{MORE_TESTS}"));
    there.say("task done T001").ok().says("2 passed");
    assert_eq!(there.next(), ("await_human_approval".to_owned(), "git rapid approve gate.review".to_owned()));
    there.approve(&run, "gate.review");
    there.repo.git_rapid(&["finish"]).ends(1).says("nothing was written");
    there.approve(&run, "gate.final-verification");
    there.repo.git_rapid(&["finish"]).ok().says("PASS");
    let report = lab.report(&run, 0);
    assert_eq!(assertion(&report, "gate.gate.workspace-isolation.evidence").0, "pass");
    assert_eq!(assertion(&report, "capability.workspace.isolated.observed").0, "pass");
    assert_eq!(std::fs::read_to_string(lab.repo.path().join("profiles.py")).unwrap(), BEFORE, "nothing moved here");
    let commit = there.repo.commit("hardened");
    lab.say(&format!("verify --commit {commit} --require-pass")).ok().says("covered commit");
}

#[test]
fn hardening_in_a_worktree_passes_under_ruleset_2() {
    porcelain(2);
}

#[test]
fn hardening_in_a_worktree_passes_under_ruleset_3() {
    porcelain(3);
}

#[test]
fn hardening_in_a_worktree_passes_under_ruleset_4() {
    porcelain(4);
}

#[test]
fn hardening_in_the_current_workspace_is_refused_with_what_to_say_instead() {
    let lab = Lab::shell(4);
    let refused = lab.repo.git_rapid(&["start", "hardening", "--title", "Hard", "--task", "Do it"]).ends(1);
    refused.names("RAPID1014").says("hint: add --worktree");
    assert!(!lab.has("work.rapid"), "nothing was made");
    lab.say("validate").ok().says("RAPID1510");
}

#[test]
fn a_run_of_high_risk_that_was_opened_by_plumbing_without_isolation_is_blocked_with_the_command_to_use() {
    let lab = Lab::shell(4);
    lab.say("spec create --id hard --title Hard --mode hardening --task Do --status ready").ok();
    lab.say("run create --spec hard").ok();
    let next = lab.say("next --run hard-r1-run-001 --json").ok().json();
    let action = next.get("action").unwrap();
    assert_eq!(text(action, "kind"), "blocked");
    assert_eq!(super::lab::list(action, "command").join(" "), "git rapid start hardening --spec hard --worktree");
}

#[test]
fn a_security_tag_adds_the_review_of_security_and_it_must_be_given() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(4);
    let spec = lab.spec_file(
        r#"{"title": "Hard", "mode": "hardening", "implementation_tasks": ["Do it"], "tags": ["security"]}"#,
    );
    let started = lab.say(&format!("start hardening --spec-file {spec} --worktree --json")).ok().json();
    let run = text(&started, "run_id");
    let there = lab.worktree_of(&run);
    let gates = lab.gates(&run);
    assert!(gates.contains(&"gate.security-review".to_owned()), "{gates:?}");
    there.work();
    there.approve(&run, "gate.review");
    there.approve(&run, "gate.final-verification");
    there.repo.git_rapid(&["finish"]).ends(1).says("gate.gate.security-review.evidence");
    there.approve(&run, "gate.security-review");
    there.repo.git_rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn by_plumbing_hardening_passes_with_isolated_evidence_and_fails_with_a_current_workspace() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "hardening", "spec-user-profile-hardening", "", "--harness antigravity");
    assert_eq!(lab.gates(&run), GATES);
    lab.say(&format!("eval run --run {run} --write --require-pass")).ok().says("PASS");
    lab.add(&run, &super::Doc::workspace("current").for_gates(&["gate.workspace-isolation"]).json()).ok();
    let report = lab.report(&run, 0);
    assert_eq!(assertion(&report, "gate.gate.workspace-isolation.evidence").0, "fail", "and stays so");
    assert_eq!(text(&report, "verdict"), "fail");
}
