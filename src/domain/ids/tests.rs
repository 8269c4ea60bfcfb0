//! Tests of the ids: what their grammars allow, and what is derived (the specification, §1.1 and §1.2).

use super::*;

#[test]
fn slugs() {
    let longest = "a".repeat(63);
    for good in ["a", "0", "demo", "a-b", "9-", "a--b", longest.as_str()] {
        assert_eq!(SpecId::parse(good).unwrap().as_str(), good);
        assert!(RunId::parse(good).is_ok() && HarnessId::parse(good).is_ok());
    }
    let too_long = "a".repeat(64);
    for bad in ["", "-a", "A", "a_b", "a b", " a", "a ", "a.b", "a/b", "é", "a\0", "..", "C:", too_long.as_str()] {
        assert_eq!(SpecId::parse(bad).unwrap_err().code, Code::Rapid806, "{bad:?}");
        assert_eq!(RunId::parse(bad).unwrap_err().code, Code::Rapid1001, "{bad:?}");
        assert_eq!(HarnessId::parse(bad).unwrap_err().code, Code::Rapid1104, "{bad:?}");
    }
}

#[test]
fn gates() {
    let longest = format!("gate.{}", "x".repeat(63));
    for good in ["gate.tests", "gate.a", "gate.9-x", longest.as_str()] {
        assert!(GateId::parse(good).is_ok(), "{good}");
    }
    let too_long = format!("{longest}x");
    for bad in ["tests", "gate.", "gate.-a", "gate.A", "gate.a.b", "Gate.a", "gates.a", too_long.as_str()] {
        assert_eq!(GateId::parse(bad).unwrap_err().code, Code::Rapid1013, "{bad}");
    }
}

#[test]
fn numbered_ids_have_one_form_each() {
    for (ordinal, text) in [(1, "001"), (12, "012"), (999, "999"), (1000, "1000"), (u32::MAX, "4294967295")] {
        assert_eq!(TaskId::of(ordinal).as_str(), format!("T{text}"));
        assert_eq!(TaskId::parse(&format!("T{text}")).unwrap().ordinal(), ordinal);
        assert_eq!(EvidenceId::parse(&format!("E{text}")).unwrap(), EvidenceId::of(ordinal));
    }
    for bad in ["", "001", "00", "1", "0001", "01000", "4294967296", "+01", "00a", " 001", "001 ", "000", "٠٠١"] {
        assert_eq!(TaskId::parse(&format!("T{bad}")).map(drop).is_ok(), bad == "001", "T{bad}");
        assert_eq!(EvidenceId::parse(&format!("E{bad}")).map(drop).is_ok(), bad == "001", "E{bad}");
    }
    assert_eq!(TaskId::parse("E001").unwrap_err().code, Code::Rapid1010);
    assert_eq!(EvidenceId::parse("T001").unwrap_err().code, Code::Rapid1201);
}

#[test]
fn assertions() {
    let longest = "a".repeat(128);
    for good in ["run.lifecycle", "task.T001.evidence", "A_1-b", longest.as_str()] {
        assert!(AssertionId::parse(good).is_ok(), "{good}");
    }
    let too_long = "a".repeat(129);
    for bad in ["", ".a", "-a", "_a", "a b", "a/b", "é", too_long.as_str()] {
        assert_eq!(AssertionId::parse(bad).unwrap_err().code, Code::Rapid1221, "{bad}");
    }
    // What is put together from ids is an id, up to the longest.
    let gate = GateId::parse(&format!("gate.{}", "x".repeat(63))).unwrap();
    let mut made = vec![AssertionId::lifecycle(), AssertionId::tests_kept(), AssertionId::gate(&gate)];
    made.extend([AssertionId::task(&TaskId::of(u32::MAX)), AssertionId::reproduction(&TaskId::of(1))]);
    made.extend(Capability::ALL.iter().map(|&capability| AssertionId::capability(capability)));
    for id in made {
        assert_eq!(AssertionId::parse(id.as_str()).unwrap(), id);
    }
}

#[test]
fn spec_ids_from_titles() {
    for (title, id) in [
        ("Tax rounding", "tax-rounding"),
        ("  A -- b!! ", "a-b"),
        ("Corrección de escala", "correccion-de-escala"),
        ("Größe & Maß", "groesse-mass"),
        ("v2.0", "v2-0"),
        ("日本 go", "go"),
    ] {
        assert_eq!(SpecId::from_title(title).unwrap().as_str(), id, "{title}");
    }
    let long = format!("{} b", "a".repeat(62));
    assert_eq!(SpecId::from_title(&long).unwrap().as_str(), "a".repeat(62), "no '-' is left at the cut");
    for none in ["", "  ", "!!!", "日本"] {
        assert_eq!(SpecId::from_title(none).unwrap_err().code, Code::Rapid806);
    }
}

#[test]
fn run_ids_from_specs() {
    let derived = |spec: &str, revision, ordinal| {
        RunId::derive(&SpecId::parse(spec).unwrap(), revision, ordinal).unwrap().to_string()
    };
    assert_eq!(derived("demo", 1, 1), "demo-r1-run-001");
    assert_eq!(derived("demo", 12, 1234), "demo-r12-run-1234");
    let long = derived(&"a".repeat(63), 1, 1);
    assert_eq!((long.len(), long.ends_with("a-r1-run-001")), (63, true));
    let dashes = format!("a{}", "-".repeat(62));
    assert_eq!(derived(&dashes, 1, 1), "a-r1-run-001");
}
