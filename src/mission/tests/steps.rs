//! Single steps: selection, the gate before every change, repairs, the circuit, approvals, the end.

use super::world::{Act, World, git_id, id, package, plan};
use crate::domain::policy::Risk;
use crate::mission::*;
use crate::safety::{Action, FailureKind};

fn one() -> World {
    let mut world = World::new(plan(vec![package(1, &[])]));
    world.take(&Step::Activate, Act::Good);
    world
}

/// Fails once with each of these, from the maker on, until something else than a retry is decided.
fn fail(world: &mut World, acts: &[Act]) -> Vec<Action> {
    let mut decided = Vec::new();
    for act in acts {
        world.take(&Step::Make(id(1)), *act);
        decided.push(world.events.last().and_then(Event::setback).unwrap().action);
        if world.mission.package(&id(1)).unwrap().status() != PackageStatus::Ready {
            break;
        }
    }
    decided
}

#[test]
fn selection_takes_what_is_ready_in_the_order_of_the_plan() {
    let mut world =
        World::new(plan(vec![package(3, &[]), package(1, &[3]), package(2, &[]), package(4, &[]), package(5, &[])]));
    assert_eq!(world.ready().steps, [Step::Activate]);
    world.take(&Step::Activate, Act::Good);
    // No more than three children, and never what waits for another.
    let steps = [Step::Make(id(3)), Step::Make(id(2)), Step::Make(id(4))];
    assert_eq!(world.ready().steps, steps);
    assert_eq!(world.ready(), world.ready(), "the same answer each time");
    for step in &steps {
        world.take(step, Act::Good);
    }
    assert_eq!(world.ready().steps[..3], [Step::Test(id(3)), Step::Test(id(2)), Step::Test(id(4))]);
}

#[test]
fn two_packages_with_one_scope_are_not_worked_at_once() {
    let mut twin = package(2, &[]);
    twin.scope = vec!["src/p0001/deep/*.rs".to_owned()];
    let mut world = World::new(plan(vec![package(1, &[]), twin]));
    world.take(&Step::Activate, Act::Good);
    assert_eq!(world.ready().steps, [Step::Make(id(1))]);
    world.start(Some(&id(1)), Role::Maker);
    let other = world.starting(Some(&id(2)), Role::Maker);
    assert_eq!(world.refused(&other), "the scope of WP-002 is being worked on");
}

#[test]
fn the_gate_refuses_what_does_not_follow() {
    let mut world = one();
    let Event::ChildStarted { child, role, package, run, dispatcher, from, at, .. } =
        world.starting(Some(&id(1)), Role::Maker)
    else {
        panic!("it is another")
    };
    let start = |attempt, role, from: &(_, _)| Event::ChildStarted {
        child: child.clone(),
        role,
        package: package.clone(),
        attempt,
        run: run.clone(),
        dispatcher,
        from: from.clone(),
        at,
        deadline: None,
    };
    assert_eq!(world.refused(&start(2, role, &from)), "WP-001 is at attempt 0", "the number is the next");
    assert_eq!(world.refused(&start(1, Role::Debugger, &from)), "the next attempt at WP-001 is a maker's");
    assert_eq!(world.refused(&start(1, Role::Checker, &from)), "nothing is there to be checked");
    let elsewhere = (git_id("x"), git_id("y"));
    assert_eq!(world.refused(&start(1, role, &elsewhere)), "the attempt at WP-001 begins elsewhere");
    world.happen(start(1, role, &from));
    assert_eq!(world.refused(&start(2, role, &from)), "the child 'c1' was there before");
    assert!(world.refused(&Event::Blocked { reason: String::new() }).contains("a child is at work"));
}

#[test]
fn other_failures_are_repaired_three_times_and_a_fourth_cannot_be() {
    let mut world = one();
    let decided = fail(&mut world, &[Act::Bad; 6]);
    assert_eq!(decided, [Action::Retry, Action::Retry, Action::Retry, Action::SecondOpinion]);
    assert_eq!(world.mission.package(&id(1)).unwrap().repair(), Repair::Third);
    assert_eq!(Repair::Third.next(), None);
    // The second opinion cannot make good what was never green.
    world.take(&Step::Check(id(1)), Act::Good);
    world.take(&Step::Take(id(1)), Act::Good);
    let last = world.events.last().and_then(Event::setback).unwrap();
    assert_eq!((last.action, last.reason.as_str()), (Action::Block, "second_opinion_used"));
    assert_eq!(world.ready().steps, [Step::Block]);
}

#[test]
fn a_fourth_retry_is_refused_whoever_says_it() {
    let mut world = one();
    fail(&mut world, &[Act::Bad; 3]);
    let child = world.start(Some(&id(1)), Role::Maker);
    let failure = world.failure(Act::Bad);
    let mut setback = world.mission.setback(&id(1), &failure, String::new());
    (setback.action, setback.reason) = (Action::Retry, "repair_cycles_left".to_owned());
    let work = Some((git_id("a"), git_id("b")));
    let (result, setback, evidence) = (ChildResult::Failed, Some(setback), Vec::new());
    let event = Event::ChildEnded { child, result, verdict: None, work, setback, evidence, at: 0 };
    assert!(world.refused(&event).starts_with("the decision about WP-001 is second_opinion"));
}

#[test]
fn the_same_failure_twice_is_debugged_once_and_then_blocks() {
    let mut world = one();
    assert_eq!(fail(&mut world, &[Act::Same, Act::Same]), [Action::Retry, Action::Debug]);
    assert_eq!(world.mission.package(&id(1)).unwrap().next_role(), Role::Debugger);
    assert_eq!(fail(&mut world, &[Act::Same]), [Action::Block]);
    assert_eq!(world.mission.package(&id(1)).unwrap().status(), PackageStatus::Blocked);
}

#[test]
fn nothing_done_is_a_failure_with_a_name_of_its_own() {
    let mut world = one();
    assert_eq!(fail(&mut world, &[Act::Nothing; 5]), [Action::Retry, Action::Debug, Action::Block]);
    assert_eq!(world.mission.package(&id(1)).unwrap().last().unwrap().kind, FailureKind::NoProgress);
}

#[test]
fn an_open_circuit_blocks_every_maker_until_a_person_closes_it() {
    let mut world = World::new(plan(vec![package(1, &[]), package(2, &[])]));
    world.take(&Step::Activate, Act::Good);
    world.take(&Step::Make(id(1)), Act::OutOfScope);
    assert!(world.is_open() && world.ready().steps.is_empty());
    assert_eq!(stop_reason(&world.mission, false), Stop::CircuitOpen);
    let maker = world.starting(Some(&id(2)), Role::Maker);
    assert_eq!(world.refused(&maker), "the circuit is open");
    let close = |reason: &str| Event::Approved {
        subject: Subject::Circuit,
        by: "ada".into(),
        reason: reason.into(),
        signed_at: None,
    };
    assert_eq!(world.refused(&close(" ")), "closing the circuit needs a reason");
    world.happen(close("looked at it"));
    assert_eq!(world.ready().steps, [Step::Make(id(2))]);
}

#[test]
fn risk_beats_size_and_a_person_is_asked() {
    let mut small = package(1, &[]);
    small.scope = vec!["src/auth/token.rs".to_owned()];
    assert_eq!((small.size, small.risk), (Size::S, Risk::Low));
    assert_eq!(classify_risk(&small, &Grounds::default(), Risk::Low), Risk::Critical);
    let mut world = World::new(plan(vec![small]));
    assert_eq!(world.run(&mut |_| Act::Good), Stop::ApprovalRequired);
    assert_eq!(world.mission.waits_for(), [Subject::Package(id(1))]);
    let maker = world.starting(Some(&id(1)), Role::Maker);
    assert_eq!(world.refused(&maker), "WP-001 is approval_required, not ready");
    let page = request(&world.mission, &Subject::Package(id(1))).unwrap();
    assert_eq!((page.why.as_str(), page.risk), ("it touches authentication", Some(Risk::Critical)));
    world.happen(Event::Approved {
        subject: Subject::Package(id(1)),
        by: "ada".into(),
        reason: String::new(),
        signed_at: None,
    });
    // The end of a mission with something critical is a person's too.
    assert_eq!(world.run(&mut |_| Act::Good), Stop::ApprovalRequired);
    assert_eq!(world.mission.waits_for(), [Subject::Final]);
    world.happen(Event::Approved { subject: Subject::Final, by: "ada".into(), reason: String::new(), signed_at: None });
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
}

#[test]
fn targets_are_known_by_word_and_can_be_added_to() {
    let grounds = Grounds { targets: vec!["payments".to_owned()] };
    for (text, target) in [
        ("deploy/ssh/config", Some("ssh")),
        ("src/firewall.rs", Some("firewall")),
        ("login", Some("authentication")),
        ("config/secrets/*.toml", Some("secrets")),
        ("ops/backup/**", Some("recovery")),
        ("src/orchestrator/run.rs", Some("orchestrator_runtime")),
        ("circuit-breaker", Some("circuit_breaker")),
        ("etc/sudoers", Some("root_policy")),
        ("live-trading", Some("live_trading")),
        ("src/payments/**", Some("payments")),
        ("src/author/list.rs", None),
        ("docs/sshot.md", None),
    ] {
        assert_eq!(targets_of(text, &grounds).first().map(String::as_str), target, "{text}");
    }
}

#[test]
fn a_child_counts_once_and_a_done_package_is_never_made_again() {
    let mut world = one();
    for step in [Step::Make(id(1)), Step::Test(id(1)), Step::Check(id(1)), Step::Take(id(1))] {
        world.take(&step, Act::Good);
    }
    let ended = world.events.iter().find(|event| matches!(event, Event::ChildEnded { .. })).unwrap().clone();
    assert!(world.refused(&ended).contains("is over already"));
    let maker = world.starting(Some(&id(1)), Role::Maker);
    assert_eq!(world.refused(&maker), "WP-001 is done, not ready");
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
    assert!(world.ready().steps.is_empty(), "a completed mission is never worked again");
    assert!(world.refused(&Event::Activated).contains("completed"));
}

#[test]
fn a_child_that_was_cut_off_is_charged_with_nothing() {
    let mut world = one();
    let child = world.start(Some(&id(1)), Role::Maker);
    let (verdict, work, setback, evidence) = (None, None, None, Vec::new());
    world.happen(Event::ChildEnded {
        child,
        result: ChildResult::Interrupted,
        verdict,
        work,
        setback,
        evidence,
        at: 1,
    });
    let package = world.mission.package(&id(1)).unwrap();
    assert_eq!((package.status(), package.repair(), package.attempt()), (PackageStatus::Ready, Repair::None, 1));
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
    assert_eq!(world.mission.package(&id(1)).unwrap().attempt(), 2, "no attempt is lost");
}

#[test]
fn the_end_needs_a_green_test_and_a_review_of_the_whole() {
    let mut world = one();
    for step in [Step::Make(id(1)), Step::Test(id(1)), Step::Check(id(1)), Step::Take(id(1))] {
        world.take(&step, Act::Good);
    }
    let end = Event::Completed { tip: world.mission.tip().clone() };
    assert_eq!(world.refused(&end), "the tests are not green on the mission's branch");
    world.take(&Step::FinalTest, Act::Good);
    assert_eq!(world.refused(&end), "no fresh checker passed the mission's branch");
    world.take(&Step::FinalCheck, Act::Bad);
    assert_eq!(stop_reason(&world.mission, false), Stop::Escalated);
    let again = Event::Approved { subject: Subject::Mission, by: "ada".into(), reason: "seen".into(), signed_at: None };
    world.happen(again);
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
}

#[test]
fn a_run_begins_no_more_than_twelve_packages() {
    let mut world = World::new(plan((1..=15).map(|number| package(number, &[])).collect()));
    assert_eq!(world.run(&mut |_| Act::Good), Stop::RunBudgetReached);
    let done = |world: &World| world.mission.in_order().filter(|one| one.status() == PackageStatus::Done).count();
    assert_eq!(done(&world), 12);
    world.budget = Budget::of(Limits::HIGHEST);
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
    assert_eq!(done(&world), 15);
}

#[test]
fn packages_that_are_given_out_together_are_counted_together() {
    let mut world = World::new(plan((1..=4).map(|number| package(number, &[])).collect()));
    world.take(&Step::Activate, Act::Good);
    // Eleven are begun by the run already: there is room for one more.
    (101..=111).for_each(|number| world.budget.spend(Some(&id(number))));
    let ready = world.ready();
    assert_eq!((ready.steps.as_slice(), ready.over_budget), ([Step::Make(id(1))].as_slice(), true));
}

#[test]
fn a_checker_contract_has_no_place_for_what_a_maker_says() {
    let (mission, child) = (MissionId::parse("m").unwrap(), ChildId::parse("c").unwrap());
    let package = package(1, &[]);
    let contract = checker_contract(&CheckerView {
        mission: &mission,
        child: &child,
        package: Some(&package),
        objective: "o",
        acceptance: vec!["it works"],
        workspace: "/w",
        answer_within: None,
        diff: "+1",
        diff_is_cut: false,
        checks: Vec::new(),
    });
    let crate::domain::json::Value::Object(members) = contract else { panic!("it is another") };
    let keys: Vec<&str> = members.keys().map(String::as_str).collect();
    let known = [
        "acceptance",
        "answer",
        "answer_example",
        "answer_within_seconds",
        "checks",
        "child",
        "description",
        "diff",
        "diff_is_cut",
        "mission",
        "objective",
        "role",
        "schema_version",
        "scope",
        "title",
        "work_package",
        "workspace",
    ];
    assert_eq!(keys, known);
}

#[test]
fn answers_are_strict_and_a_maker_never_passes_its_own_work() {
    let maker = r#"{"implementation_summary":"s","files_changed":["a"],"tests_run":[],"test_results":"ok"}"#;
    assert!(in_output(Role::Maker, &format!("text\nRAPID-ANSWER {maker}\nmore\n")).is_ok());
    let passing = maker.replacen('{', r#"{"verdict":"pass","#, 1);
    for bad in [format!("RAPID-ANSWER {passing}"), "RAPID-ANSWER {".to_owned(), "done".to_owned(), String::new()] {
        assert_eq!(in_output(Role::Maker, &bad).unwrap_err().code, crate::diagnostics::Code::Rapid1923, "{bad}");
    }
    let checker = r#"RAPID-ANSWER {"verdict":"pass","findings":[]}"#;
    assert_eq!(in_output(Role::Checker, checker).unwrap(), Answer::Checker(Verdict::Pass, Vec::new()));
    assert!(in_output(Role::Checker, r#"RAPID-ANSWER {"verdict":"maybe","findings":[]}"#).is_err());
}

#[test]
fn scopes_allow_what_they_say_and_never_the_rules() {
    let scope = ["src/a/**".to_owned(), "docs/*.md".to_owned()];
    let outside =
        scope_allows(&scope, ["src/a/b/c.rs", "docs/x.md", "docs/deep/x.md", "src/b.rs", ".rapid/config.toml"]);
    assert_eq!(outside, ["docs/deep/x.md", "src/b.rs", ".rapid/config.toml"]);
    assert_eq!(scope_allows(&["**".to_owned()], [".rapid/x", ".git/config", "a"]), [".rapid/x", ".git/config"]);
}

#[test]
fn green_tests_that_are_fewer_wait_for_a_person_and_keep_their_scope() {
    let mut twin = package(2, &[]);
    twin.scope = vec!["src/p0001/**".to_owned()];
    let waiting = || {
        let mut world = World::new(plan(vec![package(1, &[]), twin.clone()]));
        world.take(&Step::Activate, Act::Good);
        world.take(&Step::Make(id(1)), Act::Good);
        world.take(&Step::Test(id(1)), Act::Fewer);
        world
    };
    let mut world = waiting();
    assert_eq!(world.mission.package(&id(1)).unwrap().status(), PackageStatus::ApprovalRequired);
    assert_eq!(world.mission.waits_for(), [Subject::Tests(id(1))]);
    assert!(world.ready().steps.is_empty(), "its scope is still being worked on");
    assert_eq!(stop_reason(&world.mission, false), Stop::ApprovalRequired);
    let (subject, by) = (Subject::Tests(id(1)), "ada".to_owned());
    let yes = |subject: &Subject| Event::Approved {
        subject: subject.clone(),
        by: by.clone(),
        reason: String::new(),
        signed_at: None,
    };
    assert_eq!(world.refused(&yes(&Subject::Package(id(1)))), "WP-001 waits for nobody");
    assert_eq!(request(&world.mission, &subject).unwrap().why, "it ran 1 tests, before this work 3");
    world.happen(yes(&subject));
    assert_eq!(world.refused(&yes(&subject)), "the tests of WP-001 wait for nobody");
    assert_eq!(world.ready().steps, [Step::Check(id(1))]);
    assert_eq!(world.run(&mut |_| Act::Good), Stop::MissionCompleted);
    assert_eq!(Mission::fold(&world.record, &world.events), Ok(world.mission.clone()));
    // A person who says no ends the attempt; whoever works it again is told why.
    let mut world = waiting();
    world.happen(Event::Rejected { subject: subject.clone(), by: by.clone(), reason: "put them back".into() });
    let package = world.mission.package(&id(1)).unwrap();
    assert_eq!(package.status(), PackageStatus::Blocked);
    assert!(package.last().unwrap().text.ends_with("a person said no: put them back"));
    assert_eq!(world.ready().steps, [Step::Make(id(2))]);
}
