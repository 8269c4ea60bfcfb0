//! The feature lab (§9.2): a slot is booked once. And its negative case, under each ruleset.

use super::by_hand;
use super::lab::{Lab, a_person_is_here, assertion, text};

const BEFORE: &str = "BOOKINGS = {}


def create_booking(user, slot):
    BOOKINGS[slot] = user
    return {\"user\": user, \"slot\": slot}
";

const AFTER: &str = "BOOKINGS = {}


class SlotAlreadyBookedError(Exception):
    pass


def create_booking(user, slot):
    user, slot = user.strip(), slot.strip()
    if not user or not slot:
        raise ValueError(\"blank\")
    if slot in BOOKINGS:
        raise SlotAlreadyBookedError(slot)
    BOOKINGS[slot] = user
    return {\"user\": user, \"slot\": slot}
";

const TESTS: &str = "import unittest

import booking


class Booking(unittest.TestCase):
    def setUp(self):
        booking.BOOKINGS.clear()

    def test_a_booking(self):
        self.assertEqual(booking.create_booking(\"ada\", \"9:00\"), {\"user\": \"ada\", \"slot\": \"9:00\"})
";

const TWICE: &str = "
    def test_a_slot_is_booked_once(self):
        booking.create_booking(\"ada\", \"9:00\")
        self.assertRaises(Exception, booking.create_booking, \"bob\", \"9:00\")
";

fn begun(ruleset: u8) -> Option<(Lab, String)> {
    let lab = Lab::python(&[("booking.py", BEFORE), ("test_booking.py", TESTS)], ruleset)?;
    let run = lab.start("feature", "Booking conflict check", "--spec-id spec-booking-conflict-check --harness cursor");
    assert_eq!(run, "spec-booking-conflict-check-r1-run-001");
    lab.say("task start T001").ok();
    lab.repo.write("test_booking.py", &format!("{TESTS}{TWICE}"));
    Some((lab, run))
}

#[test]
fn a_booking_conflict_is_refused_and_the_run_passes() {
    if !a_person_is_here() {
        return;
    }
    let Some((lab, run)) = begun(4) else { return };
    lab.repo.write("booking.py", AFTER);
    lab.say("task done T001").ok().says("2 passed");
    lab.approve(&run, "gate.final-verification");
    lab.repo.git_rapid(&["finish"]).ok().says("PASS");
    assert_eq!(assertion(&lab.report(&run, 0), "tests.kept").0, "pass");
}

#[test]
fn a_booking_made_twice_contradicts_the_tests_gate_for_good_under_rulesets_2_and_3() {
    for ruleset in [2, 3] {
        let Some((lab, run)) = begun(ruleset) else { return };
        lab.say("check --gate gate.tests").ends(1).says("1 failed");
        lab.say("task done T001").ends(1).says("T001 stays in_progress");
        lab.repo.write("booking.py", AFTER);
        lab.say("task done T001").ok();
        lab.say(&format!("run gate {run} gate.tests acknowledged")).ok();
        let (status, items) = assertion(&lab.report(&run, 0), "gate.gate.tests.evidence");
        assert_eq!((status.as_str(), items.len()), ("fail", 2), "the red one and the green one, by ruleset {ruleset}");
        assert_eq!(lab.next(), ("blocked".to_owned(), "git rapid abort".to_owned()));
        lab.say(&format!("eval run --run {run} --require-pass")).ends(1).names("RAPID1226");
        lab.repo.git_rapid(&["finish"]).ends(1).says("nothing was written");
    }
}

#[test]
fn under_ruleset_4_a_later_green_check_makes_up_for_a_red_one() {
    let Some((lab, run)) = begun(4) else { return };
    lab.say("check --gate gate.tests").ends(1).says("1 failed");
    lab.repo.write("booking.py", AFTER);
    lab.say("task done T001").ok();
    assert_eq!(lab.next().0, "await_human_approval");
    let report = lab.report(&run, 0);
    assert_eq!(text(&report, "verdict"), "unverified", "nothing is contradicted");
}

#[test]
fn a_red_check_that_nobody_bound_is_an_observation_under_ruleset_3() {
    let Some((lab, run)) = begun(3) else { return };
    let checked = lab.say("check --json").ends(1).json();
    assert_eq!(text(&checked, "outcome"), "fail");
    let bound = checked.get("bound").unwrap();
    assert!(super::lab::list(bound, "gate_ids").is_empty() && super::lab::list(bound, "task_ids").is_empty());
    lab.repo.write("booking.py", AFTER);
    lab.say("task done T001").ok();
    assert_eq!(lab.next().0, "await_human_approval", "{}", lab.report(&run, 0).pretty());
}

#[test]
fn by_plumbing_the_feature_lab_passes_and_a_red_suite_fails_it() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "feature", "spec-booking-conflict-check", "", "--harness cursor");
    lab.say(&format!("eval run --run {run} --write --require-pass")).ok().says("PASS");
    lab.add(&run, &super::Doc::tests(1, 1).for_gates(&["gate.tests"]).json()).ok();
    lab.say(&format!("eval run --run {run} --require-pass")).ends(1).names("RAPID1226");
}
