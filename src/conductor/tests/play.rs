//! Whole runs, driven by nothing but the advice: the scenarios of the specification, §9, in the purely imagined world of a
//! worker who does exactly what he is told.

use super::{advice, line};
use crate::domain::{
    contract::Ruleset,
    evidence::{Payload, ReviewOutcome, Via, WorkspaceMode},
    gate::{Phase, ReviewType},
    ids::TaskId,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    next_action::ActionKind,
    policy::Risk,
    report::Verdict,
};
use crate::evaluator::{
    self,
    fixture::{Run, ran, review, tested, tree, with, words},
    what_if,
};
use proptest::prelude::*;

/// The run, and the code that nobody records but the checks.
struct World {
    run: Run,
    code: char,
    /// How many tests are red as long as the fault is there.
    red: u64,
    said: Vec<ActionKind>,
}

impl World {
    fn started(mode: Mode, ruleset: Ruleset, tasks: usize, risk: Risk) -> World {
        let mut run = Run::of(mode, ruleset, tasks, risk, |_| {});
        let isolated = run.state().gates.iter().any(|gate| gate.id.as_str() == "gate.workspace-isolation");
        if isolated {
            run.workspace(WorkspaceMode::Isolated, "workspace-isolation");
        } else {
            run.workspace(WorkspaceMode::Current, "");
        }
        let states = what_if::acknowledge_backed(&run.input(), Phase::PreExecution);
        run.states.extend(states);
        World { run, code: 'a', red: 0, said: Vec::new() }
    }

    fn edit(&mut self) {
        self.code = char::from(self.code as u8 + 1);
        assert!(self.code <= 'z', "the worker goes on and on");
    }

    /// Does what he is told until the run is over or `steps` are done; returns the outcome.
    fn play(&mut self, steps: usize) -> Option<String> {
        for _ in 0..steps {
            let advice = advice(&self.run, Some(self.code));
            let action = advice.action.action.clone();
            self.said.push(action.kind);
            if action.kind == Done {
                return advice.action.outcome;
            }
            let command = line(&action.command);
            match action.kind {
                ImplementTask if command.is_empty() => {
                    // The work itself: the code changes and the fault is gone.
                    (self.red, ()) = (0, self.edit());
                    self.run_line(&line(&action.after));
                }
                ActionKind::Blocked => return Some("blocked".to_owned()),
                ImplementTask if command.contains("--expect fail") => {
                    // A test for the fault is written.
                    (self.red, ()) = (1, self.edit());
                    self.run_line(&command);
                }
                Verify if command.contains("--expect fail") => {
                    // The repair is taken back, the fault is shown, the repair is put in again.
                    (self.red, ()) = (1, self.edit());
                    self.run_line(&command);
                    (self.red, ()) = (0, self.edit());
                }
                ImplementTask => self.run_line(&command),
                Verify if command.is_empty() => {
                    let task = action.task_id.as_ref().map_or("", TaskId::as_str);
                    self.run.record("rapid:attach", Payload::Artifact { label: "report".to_owned() }, task);
                }
                _ => {
                    self.run_line(&command);
                    self.run_line(&line(&action.after));
                }
            }
        }
        None
    }

    fn run_line(&mut self, text: &str) {
        let parts: Vec<&str> = text.split(' ').collect();
        match parts.as_slice() {
            [""] => {}
            ["git", "rapid", "run", "status", _, "active"] => self.run.status(RunStatus::Active),
            ["git", "rapid", "run", "gate", _, gate, "acknowledged"] => {
                let id = crate::domain::ids::GateId::parse(gate).unwrap();
                assert!(evaluator::gate_satisfied(&self.run.input(), &id).unwrap(), "{gate} is not backed");
                self.run.acknowledge(gate.strip_prefix("gate.").unwrap());
            }
            ["git", "rapid", "task", "start", task] => self.task(task, TaskStatus::InProgress),
            ["git", "rapid", "task", "done", task] => {
                self.check(&[task], false, &words("cargo test"));
                self.task(task, TaskStatus::Done);
            }
            ["git", "rapid", "task", "done", task, "--no-check"] => self.task(task, TaskStatus::Done),
            ["git", "rapid", "check", rest @ ..] => {
                let at = rest.iter().position(|word| *word == "--").unwrap();
                let (options, command) = rest.split_at(at);
                let command: Vec<String> = command[1..].iter().map(|&word| word.to_owned()).collect();
                let bound: Vec<&str> =
                    options.iter().copied().filter(|word| word.contains('.') || word.starts_with('T')).collect();
                self.check(&bound, options.contains(&"fail"), &command);
            }
            ["git", "rapid", "approve", gate] => {
                let id = crate::domain::ids::GateId::parse(gate).unwrap();
                let refusal = evaluator::approval_refusal(&self.run.input(), &id, Some(&tree(self.code)));
                assert_eq!(refusal, None, "asked a person too early");
                self.run.approve(gate.strip_prefix("gate.").unwrap(), self.code);
            }
            ["git", "rapid", "finish", "--accept-test-command"] => {
                let consent = review(ReviewType::Final, ReviewOutcome::Approved, Some(Via::Finish), Some(self.code));
                self.run.record("user", consent, "");
                self.run_line("git rapid finish");
            }
            ["git", "rapid", "finish"] => {
                let refusals = evaluator::finish_refusals(&self.run.input(), Some(&tree(self.code)));
                assert_eq!(refusals, [], "sent to finish too early");
                self.run.finish(self.code);
                assert!(self.run.state().status.is_terminal(), "finish did not close the run");
            }
            other => panic!("nobody knows how to do {other:?}"),
        }
    }

    fn task(&mut self, task: &str, status: TaskStatus) {
        self.run.task(TaskId::parse(task).unwrap().ordinal(), status);
    }

    fn check(&mut self, bound: &[&str], expects_failure: bool, command: &[String]) {
        let arch = command.contains(&"arch".to_owned());
        let payload = if arch { ran(self.code, 0, Some("none")) } else { tested(self.code, 3, self.red) };
        let payload = with(payload, |facts| {
            facts.expects_failure = expects_failure;
            facts.test_command = !arch;
            facts.command = Some(command.to_vec());
        });
        let bound: Vec<&str> = bound.iter().map(|name| name.strip_prefix("gate.").unwrap_or(name)).collect();
        self.run.check(payload, &bound.join(" "));
    }
}

use ActionKind::{Activate, AwaitHumanApproval, Done, Finish, ImplementTask, RunBaseline, Verify};

#[test]
fn every_mode_and_risk_ends_in_a_pass_when_the_advice_is_followed() {
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        for &mode in Mode::ALL {
            for &risk in Risk::ALL {
                for tasks in [1, 3] {
                    let mut world = World::started(mode, ruleset, tasks, risk);
                    let outcome = world.play(40);
                    let what = format!("{mode}, {risk}, {tasks} tasks, ruleset {}: {:?}", ruleset.number(), world.said);
                    assert_eq!(outcome.as_deref(), Some("pass"), "{what}");
                    assert_eq!(world.run.verdict(), Verdict::Pass, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_feature_goes_its_way() {
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        let mut world = World::started(Mode::Feature, ruleset, 1, Risk::Low);
        world.play(20);
        let way = [RunBaseline, Activate, ImplementTask, ImplementTask, Verify, AwaitHumanApproval, Finish, Done];
        assert_eq!(world.said, way);
    }
}

#[test]
fn a_bugfix_shows_the_fault_before_it_goes() {
    let mut world = World::started(Mode::Bugfix, Ruleset::V4, 1, Risk::Low);
    world.play(20);
    let way =
        [RunBaseline, Activate, ImplementTask, ImplementTask, ImplementTask, Verify, AwaitHumanApproval, Finish, Done];
    assert_eq!(world.said, way);
    assert_eq!(world.run.stands("reproduction.T001").0, crate::domain::report::Status::Pass);
}

#[test]
fn research_needs_no_tests() {
    let mut world = World::started(Mode::Research, Ruleset::V4, 1, Risk::Low);
    world.play(20);
    assert_eq!(world.said, [Activate, ImplementTask, ImplementTask, Verify, AwaitHumanApproval, Finish, Done]);
}

#[test]
fn an_edit_after_the_approval_goes_round_once_more_and_then_passes() {
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        let mut world = World::started(Mode::Feature, ruleset, 1, Risk::Low);
        world.play(6);
        assert_eq!(world.said.last(), Some(&AwaitHumanApproval));
        world.edit();
        world.said.clear();
        assert_eq!(world.play(20).as_deref(), Some("pass"));
        assert_eq!(world.said, [Verify, AwaitHumanApproval, Finish, Done]);
    }
}

#[test]
fn a_red_check_on_the_way_is_repaired_under_ruleset_4() {
    let mut world = World::started(Mode::Feature, Ruleset::V4, 1, Risk::Low);
    world.play(3);
    (world.red, ()) = (1, world.edit());
    world.run_line("git rapid check --gate gate.tests --task T001 -- cargo test");
    assert_eq!(world.play(20).as_deref(), Some("pass"));
}

#[test]
fn fewer_tests_than_before_pass_when_a_person_accepts_them() {
    let mut world = World::started(Mode::Feature, Ruleset::V4, 1, Risk::Low);
    world.run.check(tested('a', 9, 0), "baseline");
    assert_eq!(world.play(20).as_deref(), Some("pass"));
    assert_eq!(
        world.said,
        [Activate, ImplementTask, ImplementTask, Verify, AwaitHumanApproval, AwaitHumanApproval, Done]
    );
}

/// What may happen while nobody follows any advice.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Edit,
    Red(&'static str),
    Hollow(&'static str),
    Foreign(&'static str),
    Elsewhere(&'static str),
    Approved,
}

fn any_mishap() -> impl Strategy<Value = Mishap> {
    let bound = prop_oneof![Just(""), Just("T001"), Just("tests"), Just("T001 tests"), Just("baseline")];
    (0..6usize, bound).prop_map(|(kind, bound)| match kind {
        0 => Mishap::Edit,
        1 => Mishap::Red(bound),
        2 => Mishap::Hollow(bound),
        3 => Mishap::Foreign(bound),
        4 => Mishap::Elsewhere(bound),
        _ => Mishap::Approved,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_went_wrong_under_ruleset_4_following_the_advice_mends_it(
        mode in proptest::sample::select(vec![Mode::Feature, Mode::Bugfix, Mode::Refactor]),
        mishaps in proptest::collection::vec(any_mishap(), 0..6),
        steps in 0usize..7,
    ) {
        let mut world = World::started(mode, Ruleset::V4, 1, Risk::Low);
        prop_assert_eq!(world.play(steps), None);
        for mishap in &mishaps {
            let code = world.code;
            match *mishap {
                Mishap::Edit if world.code < 'c' => world.edit(),
                Mishap::Edit => {}
                Mishap::Red(bound) => drop(world.run.check(tested(code, 2, 1), bound)),
                Mishap::Hollow(bound) => drop(world.run.check(tested(code, 0, 0), bound)),
                Mishap::Foreign(bound) => drop(world.run.record("ci:x", tested(code, 9, 0), bound)),
                Mishap::Elsewhere(bound) => drop(world.run.check(tested('0', 3, 0), bound)),
                Mishap::Approved if world.run.state().tasks_are_terminal() => world.run.approve("final-verification", '0'),
                Mishap::Approved => {}
            }
        }
        let outcome = world.play(40);
        prop_assert_eq!(outcome.as_deref(), Some("pass"), "{:?}", world.said);
    }
}
