//! Tests of safety: signatures, provider faults, the decision table, and the law that every loop ends.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

use super::*;
use proptest::prelude::*;

#[test]
fn the_same_failure_elsewhere_and_later_has_the_same_signature() {
    let pairs = [
        (
            "error[E0308]: mismatched types\n --> src/a.rs:12:5",
            "error[E0308]: mismatched types\n --> /home/u/w/src/a.rs:140:17",
        ),
        ("\u{1b}[31mFAILED\u{1b}[0m in 1.23s", "FAILED in 456ms"),
        ("took 3 seconds", "took 17 ms"),
        ("took 1m30s", "took 2h"),
        ("at 2026-05-01T12:00:00Z", "at 2026-11-30T07:09:59.123Z"),
        ("at 12:00:01", "at 7:15:59"),
        (
            "object 4b825dc642cb6eb9a060e54bf8d69288fbee4904 is bad",
            "object 83baae61804e65cc73a7201a7252750c76066a30 is bad",
        ),
        ("ptr 0x7ffee3b0", "ptr 0x55d0c0de12"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id deadbeef-dead-beef-cafe-abcdefabcdef"),
        ("C:\\Users\\x\\a.py:3: bad", "C:\\work\\a.py:77: bad"),
        ("Error:   two\tspaces", "error: two spaces"),
        ("\u{1b}]0;title\u{7}boom", "boom"),
    ];
    for (one, other) in pairs {
        assert_eq!(normalise(one), normalise(other));
        assert_eq!(Signature::of(one), Signature::of(other));
    }
    assert_eq!(Signature::of("boom").as_str().len(), 12);
    assert_eq!(Signature::parse(Signature::of("boom").as_str()), Some(Signature::of("boom")));
    assert_eq!(Signature::parse("UPPER"), None);
}

#[test]
fn different_failures_have_different_signatures() {
    let texts = [
        "error[E0308]: mismatched types",
        "error[E0277]: mismatched types",
        "src/a.rs:1: bad",
        "src/b.rs:1: bad",
        "timeout",
        "añadir falló",
        "anadir fallo",
    ];
    let all: std::collections::BTreeSet<Signature> = texts.iter().map(|text| Signature::of(text)).collect();
    assert_eq!(all.len(), texts.len());
}

#[test]
fn a_providers_fault_is_found_only_where_it_is_one() {
    let quota = Some(ProviderFault::Quota);
    let door = Some(ProviderFault::Authorisation);
    let cases = [
        ("Error: 429 {\"type\":\"error\"}", quota),
        ("You've hit your usage limit", quota),
        ("RESOURCE_EXHAUSTED", quota),
        ("HTTP 401", door),
        ("Invalid API key · Please run /login", door),
        ("ran 429 tests, 1 failed", None),
        ("assertion failed: left 401, right 402", None),
        ("compile error", None),
        ("", None),
    ];
    for (text, expected) in cases {
        assert_eq!(provider_fault(text), expected, "{text}");
    }
    // Only the end is looked at, and a cut inside a letter does no harm.
    assert_eq!(provider_fault(&format!("rate limit{}", "ñ".repeat(9000))), None);
}

#[test]
fn each_row_of_the_table_decides() {
    let limits = Limits::HIGHEST;
    let history = History::default();
    let fail = |text: &str| Failure::new(FailureKind::Check, text);
    let ask = |history: &History, failure: &Failure| evaluate_next_action(history, Some(failure), limits);
    assert_eq!(evaluate_next_action(&history, None, limits).action, Action::Continue);
    assert_eq!(ask(&history, &fail("a")).action, Action::Retry);

    let open = History::default().with_circuit(Circuit::Open("x".to_owned()));
    assert_eq!(evaluate_next_action(&open, None, limits).reason, "circuit_open");
    let mut same = open.clone();
    same.record(&fail("a"), ask(&open, &fail("a")));
    assert_eq!(same, open, "an open circuit lets nothing change");

    for kind in FailureKind::ALL.iter().copied().filter(|kind| kind.is_breach()) {
        let failure = Failure::new(kind, "x");
        assert_eq!(ask(&history, &failure), Decision { action: Action::CircuitBreak, reason: kind.as_str() });
    }

    let mut history = History::default();
    let actions: Vec<Action> = (0..3)
        .map(|_| {
            let decision = ask(&history, &fail("line 1"));
            history.record(&fail("line 2"), decision);
            decision.action
        })
        .collect();
    assert_eq!(actions, [Action::Retry, Action::Debug, Action::Block]);

    let mut history = History::default();
    let actions: Vec<Action> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|text| {
            let decision = ask(&history, &fail(text));
            history.record(&fail(text), decision);
            decision.action
        })
        .collect();
    assert_eq!(actions, [Action::Retry, Action::Retry, Action::Retry, Action::SecondOpinion, Action::Block]);
    assert_eq!(history.repairs(), 3);
    assert_eq!(Limits::lowered(99, 99), Limits::HIGHEST);
    assert_eq!(Limits::lowered(1, 0).repair_cycles(), 1);
}

#[test]
fn the_same_failure_of_different_works_opens_the_circuit() {
    let signature = Signature::of("connection refused");
    let mut streak = Streak::default();
    assert!(streak.failed(&signature, 1).is_none());
    assert!(streak.failed(&signature, 1).is_none());
    assert!(streak.failed(&signature, 1).is_none(), "one work alone may be its own fault");
    assert_eq!(streak.failed(&signature, 2).unwrap(), [1, 1, 1, 2]);
    streak.broken();
    assert!(streak.failed(&signature, 3).is_none());
    assert!(streak.failed(&Signature::of("other"), 4).is_none());
    assert!(streak.failed(&signature, 5).is_none());
}

#[test]
fn waits_double_and_end() {
    assert_eq!([1, 2, 3, 4].map(|strikes| backoff(10, strikes)), [10, 20, 40, 80]);
    assert_eq!(backoff(10, u32::MAX), 600);
    assert_eq!(backoff(0, 9), 0);
    let mut strikes = Strikes::default();
    assert_eq!((strikes.strike("a"), strikes.strike("a")), (1, 2));
    strikes.forgive(&"a");
    assert_eq!(strikes.count(&"a"), 1);
    strikes.forgive(&"a");
    strikes.forgive(&"a");
    assert_eq!(strikes, Strikes::default());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sequence_of_failures_ends_within_five_decisions(kinds in proptest::collection::vec(0..FailureKind::ALL.len(), 5), texts in proptest::collection::vec("[a-c]", 5)) {
        let mut history = History::default();
        let mut ended = None;
        for (index, (kind, text)) in kinds.iter().zip(&texts).enumerate() {
            let failure = Failure::new(*FailureKind::ALL.get(*kind).unwrap(), text);
            let decision = evaluate_next_action(&history, Some(&failure), Limits::HIGHEST);
            history.record(&failure, decision);
            prop_assert!(history.repairs() <= 3);
            if matches!(decision.action, Action::Block | Action::CircuitBreak) {
                ended = Some(index);
                break;
            }
        }
        prop_assert!(ended.is_some());
    }

    #[test]
    fn any_text_can_be_folded_and_folding_again_changes_nothing_that_counts(text in ".{0,200}") {
        let once = normalise(&text);
        prop_assert!(once.chars().all(|c| c != '\u{1b}'), "no escape is left");
        let _ = provider_fault(&text);
        prop_assert_eq!(Signature::of(&text), Signature::of(&format!("{text}\n")));
    }
}
