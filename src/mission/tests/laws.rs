//! Laws, by property test.

use super::world::{Act, World, id, package, plan};
use crate::mission::*;
use proptest::prelude::*;

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => Just(Act::Good),
        3 => Just(Act::Bad),
        1 => Just(Act::Fewer),
        2 => Just(Act::Same),
        1 => Just(Act::Nothing),
        1 => Just(Act::Unreadable),
        1 => Just(Act::OutOfScope),
    ];
    prop::collection::vec(act, 1..120)
}

/// A plan in whose order each package needs only earlier ones; some are critical.
fn plans() -> impl Strategy<Value = Plan> {
    let needs = prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..4), 1..18);
    (needs, any::<u64>()).prop_map(|(needs, critical)| {
        let packages = needs.into_iter().enumerate().map(|(at, needs)| {
            let mut needs: Vec<usize> = needs.iter().filter(|_| at > 0).map(|need| need.index(at)).collect();
            needs.sort_unstable();
            needs.dedup();
            let mut made = package(at, &needs);
            if critical & (1 << at) != 0 && at % 5 == 4 {
                made.risk = crate::domain::policy::Risk::Critical;
            }
            made
        });
        plan(packages.collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn run_ends_within_the_bound_and_the_events_give_the_same_state_again(plan in plans(), acts in acts()) {
        let packages = plan.packages.len();
        let mut world = World::new(plan);
        let mut asked = 0;
        let stop = world.run(&mut |_| {
            asked += 1;
            acts[asked % acts.len()]
        });
        prop_assert!(world.steps <= most_steps(packages, Limits::HIGHEST), "{} steps, {stop}", world.steps);
        let again = Mission::fold(&world.record, &world.events);
        prop_assert_eq!(again.as_ref(), Ok(&world.mission));
        // Every prefix of the events is a state too: what a restart reads.
        for most in 1..=world.events.len() {
            prop_assert!(Mission::fold(&world.record, &world.events[..most]).is_ok());
        }
        let same_end = match stop {
            Stop::MissionCompleted => world.mission.status() == MissionStatus::Completed,
            Stop::Blocked => world.mission.status() == MissionStatus::Blocked,
            Stop::Escalated => world.mission.status() == MissionStatus::Escalated,
            Stop::CircuitOpen => world.is_open(),
            Stop::ApprovalRequired => !world.mission.waits_for().is_empty(),
            Stop::RunBudgetReached => packages > Limits::HIGHEST.packages(),
            Stop::NoRunnableWp | Stop::Error | Stop::Cancelled => false,
        };
        prop_assert!(same_end, "{stop}");
        prop_assert!(world.mission.in_order().all(|package| package.repair() <= Repair::Third));
    }

    #[test]
    fn no_events_reach_done_without_a_green_check_and_a_pass_on_the_final_tree(plan in plans(), acts in acts()) {
        let mut world = World::new(plan);
        let mut asked = 0;
        world.run_with_a_person(&mut |_| {
            asked += 1;
            acts[asked % acts.len()]
        });
        // Not what the state remembers, but what the events say.
        for (at, event) in world.events.iter().enumerate() {
            let Event::Accepted { package, attempt, .. } = event else { continue };
            let before = &world.events[..at];
            let made = before.iter().rposition(|event| matches!(event,
                Event::ChildStarted { package: Some(one), role: Role::Maker | Role::Debugger, .. } if one == package));
            let after = &before[made.expect("it was made")..];
            let tree = after.iter().find_map(|event| match event {
                Event::ChildEnded { work: Some(work), .. } => Some(&work.1),
                _ => None,
            });
            let green = after.iter().any(|event| matches!(event,
                Event::Tested { package: Some(one), green: true, tree: on, .. } if one == package && Some(on) == tree));
            let checkers: Vec<&ChildId> = after.iter().filter_map(|event| match event {
                Event::ChildStarted { child, package: Some(one), role: Role::Checker, from, .. }
                    if one == package && Some(&from.1) == tree => Some(child),
                _ => None,
            }).collect();
            let passed = after.iter().any(|event| matches!(event,
                Event::ChildEnded { child, verdict: Some(Verdict::Pass), .. } if checkers.contains(&child)));
            prop_assert!(green && passed, "{package} at attempt {attempt}");
            // Where its tests are fewer than before, a person said that they may be.
            let fewer = after.iter().any(|event| matches!(event,
                Event::Tested { package: Some(one), fewer: Some(_), .. } if one == package));
            let allowed = after.iter().any(|event| matches!(event,
                Event::Approved { subject: Subject::Tests(one), .. } if one == package));
            prop_assert_eq!(fewer, allowed);
        }
        // And no order of these events without one of them does: what is left out is missed.
        let needed = |event: &Event| matches!(event, Event::Tested { green: true, .. })
            || matches!(event, Event::ChildEnded { verdict: Some(Verdict::Pass), .. });
        if world.mission.status() == MissionStatus::Completed {
            for at in (0..world.events.len()).filter(|at| needed(&world.events[*at])) {
                let without: Vec<Event> =
                    world.events.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, event)| event.clone()).collect();
                prop_assert!(Mission::fold(&world.record, &without).is_err());
            }
        }
    }

    #[test]
    fn shuffled_and_repeated_events_never_make_a_state_that_was_not_earned(
        acts in acts(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..60),
    ) {
        let mut world = World::new(plan(vec![package(0, &[]), package(1, &[0]), package(2, &[])]));
        let mut asked = 0;
        world.run(&mut |_| {
            asked += 1;
            acts[asked % acts.len()]
        });
        let mut mission = Mission::fold(&world.record, &world.events[..1]).unwrap();
        let mut taken: Vec<&Event> = Vec::new();
        for pick in &picks {
            let event = &world.events[pick.index(world.events.len())];
            let mut next = mission.clone();
            if next.apply(event).is_ok() {
                mission = next;
                taken.push(event);
            }
        }
        for done in mission.in_order().filter(|package| package.status() == PackageStatus::Done) {
            let green = taken.iter().any(|event| matches!(event,
                Event::Tested { package: Some(one), green: true, .. } if one == done.id()));
            prop_assert!(green);
        }
        let once = |package: &PackageId| taken.iter().filter(|event| matches!(event,
            Event::Accepted { package: one, .. } if one == package)).count() <= 1;
        prop_assert!((0..3).all(|number| once(&id(number))));
    }
}
