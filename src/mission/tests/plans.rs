//! Plans: each fault by name and pointer, all of them at once; records; and what a large plan costs.

use super::world::{Act, World, id, package, plan};
use crate::domain::json::{self, Value};
use crate::mission::*;

fn value() -> Value {
    plan(vec![package(1, &[]), package(2, &[1]), package(3, &[1, 2])]).to_value()
}

/// The plan with the value at a pointer replaced, or removed, or added.
fn changed(pointer: &str, new: Option<Value>) -> Value {
    let mut whole = value();
    let mut at = &mut whole;
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    for part in parent.split('/').skip(1) {
        at = match at {
            Value::Object(members) => members.get_mut(part).unwrap(),
            Value::List(items) => &mut items[part.parse::<usize>().unwrap()],
            _ => panic!("it is another"),
        };
    }
    match (at, new) {
        (Value::Object(members), Some(new)) => drop(members.insert(last.to_owned(), new)),
        (Value::Object(members), None) => drop(members.remove(last)),
        (Value::List(items), Some(new)) => items[last.parse::<usize>().unwrap()] = new,
        (Value::List(items), None) => drop(items.remove(last.parse().unwrap())),
        _ => panic!("it is another"),
    }
    whole
}

fn found(value: Value) -> Vec<(ProblemKind, String)> {
    let problems = read_plan(value).expect_err("it has a fault");
    problems.into_iter().map(|problem| (problem.kind, problem.pointer)).collect()
}

#[test]
fn a_plan_is_read_as_it_was_written() {
    let plan = read_plan(value()).unwrap();
    assert_eq!(plan.to_value(), value());
}

#[test]
fn each_fault_has_its_name_and_its_place() {
    use ProblemKind::*;
    let text = |text: &str| Some(Value::from(text));
    let list = |texts: &[&str]| Some(Value::list(texts.iter().copied()));
    let cases = [
        ("/work_packages/0/extra", text("x"), UnknownKey, "/work_packages/0/extra"),
        ("/extra", text("x"), UnknownKey, "/extra"),
        ("/objective", None, MissingKey, ""),
        ("/work_packages/1/tests", None, MissingKey, "/work_packages/1"),
        ("/objective", Some(1.into()), WrongType, "/objective"),
        ("/schema_version", Some(2.into()), UnknownVersion, "/schema_version"),
        ("/work_packages/0/id", text("one"), InvalidId, "/work_packages/0/id"),
        ("/work_packages/1/depends_on/0", text("WP-009"), UnknownDependency, "/work_packages/1/depends_on/0"),
        ("/work_packages/1/depends_on/0", text("WP-002"), SelfDependency, "/work_packages/1/depends_on/0"),
        ("/work_packages/0/depends_on", list(&["WP-003"]), Cycle, "/work_packages"),
        ("/order", list(&["WP-001", "WP-002"]), OrderIncomplete, "/order"),
        ("/order/2", text("WP-001"), OrderIncomplete, "/order/2"),
        ("/order", list(&["WP-002", "WP-001", "WP-003"]), OrderNotTopological, "/order/0"),
        ("/work_packages/0/tests", list(&[]), NoTests, "/work_packages/0/tests"),
        ("/work_packages/0/tests", list(&["cargo test"]), WrongType, "/work_packages/0/tests/0"),
        ("/work_packages/0/scope", list(&[]), EmptyScope, "/work_packages/0/scope"),
        ("/work_packages/0/risk_class", text("huge"), UnknownRisk, "/work_packages/0/risk_class"),
        ("/work_packages/0/size", text("XXL"), UnknownWord, "/work_packages/0/size"),
        ("/work_packages/0/title", text(&"x".repeat(201)), Limit, "/work_packages/0/title"),
        ("/work_packages/0/title", text(" "), Limit, "/work_packages/0/title"),
    ];
    let mut seen = std::collections::BTreeSet::from([DuplicateId, UnsafeScope]);
    for (pointer, new, kind, at) in cases {
        let found = found(changed(pointer, new));
        assert!(found.contains(&(kind, at.to_owned())), "{pointer}: {kind} at '{at}', not {found:?}");
        seen.insert(kind);
    }
    assert_eq!(seen.len(), ProblemKind::ALL.len(), "every kind has a case");
    let twice = plan(vec![package(1, &[]), package(1, &[])]).to_value();
    assert!(found(twice).contains(&(DuplicateId, "/work_packages/1/id".to_owned())));
    for pattern in
        ["../x", "/etc/**", ".git/config", "a/.GIT/x", ".rapid/config.toml", "a//b", "C:/x", "a\\b", "a[", "./a", "~/x"]
    {
        let found = found(changed("/work_packages/0/scope", list(&[pattern])));
        assert_eq!(found, [(UnsafeScope, "/work_packages/0/scope/0".to_owned())], "{pattern}");
    }
}

#[test]
fn all_faults_are_said_at_once_and_a_circle_is_shown_as_a_path() {
    let text = r#"{"schema_version":1,"objective":"","work_packages":[{"id":"x"},5],"order":[7],"more":1}"#;
    let found = found(json::parse_text(text).unwrap());
    assert!(found.len() >= 10, "{found:?}");
    let round = plan(vec![package(1, &[3]), package(2, &[1]), package(3, &[2]), package(4, &[3])]).to_value();
    let problems = read_plan(round).unwrap_err();
    let circle = problems.iter().find(|problem| problem.kind == ProblemKind::Cycle).unwrap();
    assert_eq!(circle.message, "the dependencies go round: WP-001 → WP-003 → WP-002 → WP-001");
}

#[test]
fn records_are_read_as_they_were_written_and_nothing_else_is() {
    let mut world = World::new(plan(vec![package(1, &[]), package(2, &[1])]));
    let mut count = 0;
    world.run(&mut |_| {
        count += 1;
        if count % 3 == 0 { Act::Bad } else { Act::Good }
    });
    let record = world.record.to_value();
    assert_eq!(PlanRecord::from_value(record.clone()).unwrap(), world.record);
    assert!(PlanRecord::from_value(record.with("more", 1)).is_err());
    let mission = world.record.mission.clone();
    for (event, ordinal) in world.events.iter().zip(1..) {
        let record = EventRecord { mission: mission.clone(), ordinal, predecessor: None, event: event.clone() };
        assert_eq!(EventRecord::from_value(record.to_value()).unwrap(), record);
        assert!(
            EventRecord::from_value(record.to_value().with("ordinal", ordinal + 1)).is_err(),
            "the digest holds it"
        );
        assert!(Event::from_value(event.to_value().with("more", 1)).is_err());
    }
}

#[test]
fn a_thousand_packages_with_five_thousand_dependencies_are_looked_at_once() {
    let needs = |at: usize| -> Vec<usize> { (1..=5).filter_map(|back| at.checked_sub(back * 7)).collect() };
    let large = plan((0..1000).map(|at| package(at, &needs(at))).collect());
    let dependencies: usize = large.packages.iter().map(|package| package.depends_on.len()).sum();
    assert!(dependencies > 4_800, "{dependencies}");
    let plan = read_plan(large.to_value()).unwrap();
    let mut world = World::new(plan);
    world.take(&Step::Activate, Act::Good);
    let ready = world.ready();
    assert_eq!(ready.steps, [Step::Make(id(0)), Step::Make(id(1)), Step::Make(id(2))]);
    // Selection looks at each package and each dependency at most once.
    assert!(ready.looked_at <= 1000 + dependencies, "{}", ready.looked_at);
}
