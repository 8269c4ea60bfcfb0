//! Tests of evidence: the known digests, the nine kinds with their closed payloads, what an author may say (§2.7).

use super::*;
use crate::domain::contract::Ruleset;
use crate::domain::fixture::{Run, gate, producer, tree};
use crate::domain::json::parse_text;

fn known() -> Evidence {
    let digits = |digit: &str| Digest::parse(&digit.repeat(64), Code::Rapid1202).unwrap();
    let path = ".rapid-os/evidence/demo-r1-run-001/artifacts/E001/out.log";
    Evidence {
        id: EvidenceId::of(1),
        run_id: RunId::parse("demo-r1-run-001").unwrap(),
        contract_digest: digits("a"),
        state_revision: 1,
        state_digest: digits("b"),
        producer: producer("ci:pytest"),
        summary: "12 ok".to_owned(),
        task_ids: vec![TaskId::of(1)],
        gate_ids: vec![gate("tests")],
        capability_ids: vec![Capability::TestsExecute],
        payload: Payload::TestResult {
            suite: "unit".to_owned(),
            exit_code: 0,
            counts: TestCounts { passed: 12, failed: 0, skipped: 0 },
            counted: false,
            facts: CheckFacts::default(),
        },
        artifacts: vec![Artifact {
            path: RelativePath::parse(path, Code::Rapid1204).unwrap(),
            sha256: Digest::of(b"ok\n"),
            size_bytes: 3,
        }],
    }
}

#[test]
fn the_known_records_have_the_known_digests() {
    let run = RunId::parse("demo-r1-run-001").unwrap();
    let item = known();
    assert_eq!(item.digest().to_string(), "b5d95b6628eb1aec05a83fce648a1e283763e3bf1e5e8e3d8986a776b7119a2b");
    let empty = "9bc325015c8a22b881ec30a5e9cb65d2560aba3402bf3c98b376aff4b1759027";
    assert_eq!(Evidence::set_digest(&run, &[]).to_string(), empty);
    let one = "2142eb1d953cb4cc5c401fe8c61eba03e5c8a62c8f270743ee7d3227ffdf8df5";
    assert_eq!(Evidence::set_digest(&run, &[item]).to_string(), one);
}

#[test]
fn a_record_is_read_back_as_it_was_written_and_no_other_is_read() {
    let mut run = Run::worked(Ruleset::V4);
    let finish = Finish { tree: Some(tree('b')), ..Finish::default() };
    let paths = vec![RelativePath::parse("src/lib.rs", Code::Rapid1206).unwrap()];
    run.record("rapid:finish", Payload::FileChange { paths, finish }, "");
    for item in &run.evidence {
        let value = item.to_value();
        assert_eq!(&Evidence::from_value(value.clone()).unwrap(), item);
        let code = |value| Evidence::from_value(value).unwrap_err().code;
        assert_eq!(code(value.clone().with("summary", "another")), Code::Rapid1202, "the digest does not hold");
        assert_eq!(code(value.clone().with("colour", "red")), Code::Rapid1202);
        assert_eq!(code(value.clone().without("producer")), Code::Rapid1202);
        assert_eq!(code(value.clone().with("kind", "rumour")), Code::Rapid1206);
        assert_eq!(code(value.clone().with("id", "E1")), Code::Rapid1201);
        assert_eq!(code(value.clone().with("capability_ids", Value::list(["mind.read"]))), Code::Rapid1207);
        assert_eq!(
            code(value.clone().with("task_ids", Value::list(["T002", "T001"]))),
            Code::Rapid1202,
            "not in order"
        );
    }
    // An artifact lies below its own record.
    assert_eq!(Evidence::from_value(known().to_value()).unwrap_err().code, Code::Rapid1204);
}

#[test]
fn a_list_of_tests_is_one_that_is_kept() {
    let digest = "c".repeat(64);
    let named = |text: &str| {
        let text = format!(r#"{{"exit_code":0,"label":"x","tests":{{{text}"sha256":"{digest}"}}}}"#);
        Payload::from_value(Kind::CommandResult, parse_text(&text).unwrap())
    };
    for text in [
        "",
        r#""against":"E002","#,
        r#""against":"E002","lost":{"count":1,"names":["a"]},"#,
        r#""against":"E002","lost":{"count":2,"names":["a","b"]},"newly_skipped":{"count":1,"names":["c"]},"#,
    ] {
        let payload = named(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(Payload::from_value(Kind::CommandResult, payload.to_value()).unwrap(), payload);
    }
    let long = format!(r#""against":"E002","lost":{{"count":1,"names":["{}"]}},"#, "x".repeat(301));
    for text in [
        r#""lost":{"count":1,"names":["a"]},"#,
        r#""against":"E2","#,
        r#""against":"E002","lost":{"count":0,"names":[]},"#,
        r#""against":"E002","lost":{"count":3,"names":["a","b"]},"#,
        r#""against":"E002","lost":{"count":1,"names":["a","b"]},"#,
        r#""against":"E002","lost":{"count":2,"names":["b","a"]},"#,
        r#""against":"E002","lost":{"count":2,"names":["a","a"]},"#,
        r#""against":"E002","lost":{"count":1,"names":["a"],"more":1},"#,
        r#""against":"E002","lost":["a"],"#,
        r#""against":"E002","colour":"red","#,
        &long,
    ] {
        assert!(named(text).is_err(), "{text}");
    }
    let mut run = Run::worked(Ruleset::V4);
    let mut item = run.evidence.pop().unwrap();
    let Some(sha256) = item.artifacts.first().map(|artifact| artifact.sha256) else { panic!("a log") };
    item.payload = named("").unwrap();
    assert_eq!(Evidence::from_value(item.to_value()).unwrap_err().code, Code::Rapid1206, "no list is kept");
    let path = format!("{}{}", Evidence::artifact_prefix(&item.run_id, &item.id), NamedTests::ARTIFACT);
    let path = RelativePath::parse(&path, Code::Rapid1204).unwrap();
    item.artifacts.push(Artifact { path, sha256, size_bytes: 3 });
    let mut item = item.in_order();
    assert!(Evidence::from_value(item.to_value()).is_err(), "another list is kept");
    let Payload::CommandResult { facts, .. } = &mut item.payload else { panic!("a command") };
    facts.tests = Some(NamedTests { sha256, against: None });
    assert_eq!(Evidence::from_value(item.to_value()).unwrap(), item);
}

#[test]
fn payloads_are_closed() {
    let read = |kind: Kind, text: &str| Payload::from_value(kind, parse_text(text).unwrap());
    let good: &[(Kind, &str)] = &[
        (Kind::CommandResult, r#"{"exit_code":-1,"label":"a/b"}"#),
        (
            Kind::CommandResult,
            r#"{"command":["cargo","test"],"exit_code":0,"expectation":"fail","label":"x","log_truncated":true,"redactions":2,"runner":"cargo-test","test_command":true,"tree_changed":true,"uncounted":"none"}"#,
        ),
        (Kind::TestResult, r#"{"exit_code":0,"failed":0,"passed":12,"skipped":0,"suite":"unit"}"#),
        (Kind::TestResult, r#"{"counted":true,"exit_code":0,"failed":0,"passed":12,"skipped":0,"suite":"unit"}"#),
        (Kind::FileChange, r#"{"paths":["a","b/c"]}"#),
        (Kind::GitResult, r#"{"operation":"inspect"}"#),
        (Kind::Workspace, r#"{"mode":"isolated"}"#),
        (Kind::Review, r#"{"outcome":"approved","review_type":"final","reviewer":"Ada","via":"rapid:approve"}"#),
        (Kind::ToolInvocation, r#"{"outcome":"success","tool_id":"grep"}"#),
        (Kind::Delegation, r#"{"outcome":"failure","target":"worker"}"#),
        (Kind::Artifact, r#"{"label":"report"}"#),
    ];
    for (kind, text) in good {
        let payload = read(*kind, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(payload.to_value().canonical(), *text);
        assert_eq!(payload.kind(), *kind);
        let Value::Object(members) = parse_text(text).unwrap() else { panic!("{text}") };
        let unknown = Value::Object(members.clone()).with("colour", "red");
        assert_eq!(Payload::from_value(*kind, unknown).unwrap_err().code, Code::Rapid1206, "{text}");
        for key in members.keys().filter(|key| !OPTIONAL.contains(&key.as_str())) {
            let without = Value::Object(members.clone()).without(key);
            assert_eq!(Payload::from_value(*kind, without).unwrap_err().code, Code::Rapid1206, "{text} without {key}");
        }
    }
    let bad: &[(Kind, &str)] = &[
        (Kind::CommandResult, r#"{"exit_code":true,"label":"a"}"#),
        (Kind::CommandResult, r#"{"exit_code":0,"label":"../a"}"#),
        (Kind::CommandResult, r#"{"exit_code":0,"label":""}"#),
        (Kind::CommandResult, r#"{"command":[],"exit_code":0,"label":"a"}"#),
        (Kind::CommandResult, r#"{"exit_code":0,"expectation":"pass","label":"a"}"#),
        (Kind::CommandResult, r#"{"exit_code":0,"label":"a","test_command":false}"#),
        (Kind::CommandResult, r#"{"exit_code":0,"label":"a","tree":"HEAD"}"#),
        (Kind::TestResult, r#"{"exit_code":0,"failed":-1,"passed":12,"skipped":0,"suite":"unit"}"#),
        (Kind::FileChange, r#"{"paths":[]}"#),
        (Kind::FileChange, r#"{"paths":["b","a"]}"#),
        (Kind::FileChange, r#"{"paths":["a","a"]}"#),
        (Kind::FileChange, r#"{"paths":["/a"]}"#),
        (Kind::GitResult, r#"{"operation":"rewrite"}"#),
        (Kind::Workspace, r#"{"mode":"elsewhere"}"#),
        (Kind::Review, r#"{"outcome":"approved","review_type":"final","reviewer":"a/b"}"#),
        (Kind::Review, r#"{"outcome":"fine","review_type":"final","reviewer":"Ada"}"#),
        (Kind::Review, r#"{"outcome":"approved","review_type":"final","reviewer":"Ada","via":"mail"}"#),
        (Kind::ToolInvocation, r#"{"outcome":"maybe","tool_id":"grep"}"#),
    ];
    for (kind, text) in bad {
        assert_eq!(read(*kind, text).unwrap_err().code, Code::Rapid1206, "{text}");
    }
}

const OPTIONAL: &[&str] = &[
    "command",
    "expectation",
    "test_command",
    "tree",
    "tree_changed",
    "runner",
    "uncounted",
    "log_truncated",
    "redactions",
    "counted",
    "via",
];

#[test]
fn which_items_fail_by_themselves() {
    let fails = |kind: Kind, text: &str| Payload::from_value(kind, parse_text(text).unwrap()).unwrap().fails();
    let test = |exit: i64, failed: u64| {
        format!(r#"{{"exit_code":{exit},"failed":{failed},"passed":1,"skipped":0,"suite":"u"}}"#)
    };
    assert!(!fails(Kind::TestResult, &test(0, 0)));
    assert!(fails(Kind::TestResult, &test(1, 0)));
    assert!(fails(Kind::TestResult, &test(0, 1)));
    assert!(fails(Kind::CommandResult, r#"{"exit_code":130,"label":"a"}"#));
    assert!(fails(Kind::Delegation, r#"{"outcome":"failure","target":"w"}"#));
    for outcome in ["changes_requested", "rejected"] {
        assert!(fails(Kind::Review, &format!(r#"{{"outcome":"{outcome}","review_type":"peer","reviewer":"a"}}"#)));
    }
    assert!(!fails(Kind::Workspace, r#"{"mode":"current"}"#));
}

#[test]
fn an_author_says_few_things_and_nobody_elses() {
    let read = |change: &dyn Fn(Value) -> Value| {
        let text =
            r#"{"kind":"command_result","producer":"ci:x","summary":"ran","payload":{"exit_code":0,"label":"a"}}"#;
        Authored::from_value(change(parse_text(text).unwrap())).map_err(|fault| fault.code)
    };
    let plain = read(&|v| v).unwrap();
    assert_eq!((plain.state_revision, plain.task_ids.len()), (None, 0));
    let bound =
        read(&|v| v.with("task_ids", Value::list(["T001"])).with("gate_ids", Value::list(["gate.tests"]))).unwrap();
    assert_eq!(bound.gate_ids, [gate("tests")]);
    assert_eq!(read(&|v| v.with("id", "E001")), Err(Code::Rapid1201));
    assert_eq!(read(&|v| v.with("run_id", "demo")), Err(Code::Rapid1202));
    assert_eq!(read(&|v| v.without("summary")), Err(Code::Rapid1202));
    assert_eq!(read(&|v| v.with("task_ids", Value::list(["T1"]))), Err(Code::Rapid1207));
    assert_eq!(read(&|v| v.with("gate_ids", Value::list(["tests"]))), Err(Code::Rapid1207));
    assert_eq!(read(&|v| v.with("capability_ids", Value::list(["mind.read"]))), Err(Code::Rapid1207));
    assert_eq!(read(&|v| v.with("artifacts", Value::list(["../x"]))), Err(Code::Rapid1204));
    assert_eq!(read(&|v| v.with("artifacts", Value::list(["x", "x"]))), Err(Code::Rapid1211));
    for reserved in ["rapid:check", "rapid:start", "rapid:finish", "rapid:attach"] {
        assert_eq!(read(&|v| v.with("producer", reserved)), Err(Code::Rapid1430), "{reserved}");
    }
    assert_eq!(read(&|v| v.with("producer", "rapid:later")), Err(Code::Rapid1430));
    let review = parse_text(r#"{"outcome":"approved","review_type":"final","reviewer":"Ada"}"#).unwrap();
    let as_review = |by: &'static str| {
        let review = review.clone();
        read(&move |v| v.with("kind", "review").with("payload", review.clone()).with("producer", by))
    };
    assert_eq!(as_review("user").map(drop), Err(Code::Rapid1430));
    assert!(as_review("ci:x").is_ok() && as_review("harness:claude").is_ok());
    let label = parse_text(r#"{"label":"a"}"#).unwrap();
    assert_eq!(read(&|v| v.with("kind", "artifact").with("payload", label.clone())), Err(Code::Rapid1206));
}

#[test]
fn lists_are_brought_into_order() {
    let mut item = known();
    item.task_ids = vec![TaskId::of(1000), TaskId::of(999), TaskId::of(999)];
    item.gate_ids = vec![gate("tests"), gate("baseline"), gate("tests")];
    item.capability_ids = vec![Capability::TestsExecute, Capability::GitInspect];
    let item = item.in_order();
    assert_eq!(item.task_ids, [TaskId::of(999), TaskId::of(1000)], "by number, not by letters");
    assert_eq!(item.gate_ids, [gate("baseline"), gate("tests")]);
    assert_eq!(item.capability_ids, [Capability::GitInspect, Capability::TestsExecute]);
    assert_eq!(tree('b').as_str().len(), 40);
}
