//! What is not taken: each wrong input with its code, its exit status, and nothing written.

use super::{Bench, items, text};
use crate::harness::{Repo, World};
use std::process::Stdio;

/// Commands that need a ledger.
const NEED_A_LEDGER: &[&str] = &[
    "spec list",
    "spec show x",
    "spec diff x",
    "spec status x ready",
    "spec revise x --title y",
    "run list",
    "run show x",
    "run create --spec x",
    "run status x active",
    "run task x T001 done",
    "run gate x gate.tests ack",
    "evidence list --run x",
    "evidence show E001 --run x",
    "evidence verify --run x",
    "evidence log E001 --run x",
    "eval run --run x",
    "eval list --run x",
    "eval show --run x",
    "policy check --spec x",
    "log",
    "show x",
    "cat format",
    "brief --run x",
];

/// What is wrong with each call, how it ends, and the code it names.
const WRONG: &[(&str, i32, &str)] = &[
    ("spec show nobody", 2, "RAPID807"),
    ("spec show round-prices --revision 9", 2, "RAPID807"),
    ("spec show Bad", 2, "RAPID806"),
    ("spec diff round-prices", 2, "RAPID807"),
    ("spec diff round-prices 1 7", 2, "RAPID807"),
    ("spec diff round-prices 0 1", 2, "RAPID807"),
    ("spec status round-prices done", 2, "RAPID001"),
    ("spec list --status done", 2, "RAPID001"),
    ("spec revise round-prices --mode sideways", 2, "RAPID001"),
    ("spec revise round-prices", 2, "RAPID803"),
    ("spec revise round-prices --affected-path ../etc", 2, "RAPID803"),
    ("spec create --mode feature", 2, "RAPID803"),
    ("spec create --title x", 2, "RAPID803"),
    ("spec create --title !!! --mode feature", 2, "RAPID806"),
    ("spec create --id round-prices --title x --mode feature", 2, "RAPID806"),
    ("spec create --spec-file gone.md", 2, "RAPID002"),
    ("spec create --spec-file . --mode feature", 2, "RAPID002"),
    ("run create", 2, "RAPID001"),
    ("run create --spec nobody", 2, "RAPID807"),
    ("run create --spec round-prices --spec-revision 4", 2, "RAPID807"),
    ("run create --spec round-prices --id RUN", 2, "RAPID1007"),
    ("run create --spec round-prices --id A_B", 2, "RAPID1001"),
    ("run create --spec round-prices --harness A_B", 2, "RAPID1104"),
    ("run create --spec round-prices --risk low", 1, "RAPID1006"),
    ("run create --spec round-prices --risk some", 2, "RAPID001"),
    ("run list --status some", 2, "RAPID001"),
    ("run show nobody", 2, "RAPID1007"),
    ("run show Bad", 2, "RAPID1001"),
    ("run show RUN --state-revision 9", 2, "RAPID1540"),
    ("run status RUN active", 1, "RAPID1014"),
    ("run status RUN finished", 1, "RAPID1009"),
    ("run status RUN happy", 2, "RAPID001"),
    ("run task RUN T001 done", 1, "RAPID1010"),
    ("run task RUN T009 done", 1, "RAPID1010"),
    ("run task RUN T1 done", 1, "RAPID1010"),
    ("run task RUN T001 perfect", 2, "RAPID001"),
    ("run gate RUN gate.final-verification ack", 1, "RAPID1431"),
    ("run gate RUN gate.tests waive --reason x", 1, "RAPID1431"),
    ("run gate RUN gate.tests ack", 1, "RAPID1014"),
    ("run gate RUN gate.nothing ack", 1, "RAPID1013"),
    ("run gate RUN tests ack", 1, "RAPID1013"),
    ("run gate RUN gate.tests maybe", 2, "RAPID001"),
    ("evidence list", 2, "RAPID1300"),
    ("evidence list --run nobody", 2, "RAPID1007"),
    ("evidence list --run BAD", 2, "RAPID001"),
    ("evidence show E9 --run RUN", 2, "RAPID1201"),
    ("evidence show E009 --run RUN", 2, "RAPID1210"),
    ("evidence log E009 --run RUN", 2, "RAPID1210"),
    ("evidence add --run RUN --input gone.json", 2, "RAPID002"),
    ("evidence add --run RUN", 2, "RAPID001"),
    ("eval run --run nobody", 2, "RAPID1007"),
    ("eval run --run RUN --ruleset 9", 2, "RAPID001"),
    ("eval run --run RUN --require juggling", 2, "RAPID1101"),
    ("eval show --run RUN --revision 3", 2, "RAPID1228"),
    ("eval run", 2, "RAPID1300"),
    ("policy check", 2, "RAPID1300"),
    ("policy check --spec nobody", 2, "RAPID807"),
    ("policy check --spec-file gone.md", 2, "RAPID002"),
    ("log --run nobody", 2, "RAPID1007"),
    ("log -n many", 2, "RAPID001"),
    ("cat evidence/RUN/E001/log", 2, "RAPID1001"),
    ("cat /etc/passwd", 2, "RAPID1540"),
    ("summary", 2, "RAPID001"),
    ("brief --run nobody", 2, "RAPID1007"),
    ("spec forget", 2, "RAPID001"),
    ("rum list", 2, "RAPID001"),
];

#[test]
fn what_is_wrong_is_refused_with_its_code_and_nothing_is_written() {
    let bench = Bench::new();
    let before = bench.repo.tip();
    for (words, status, code) in WRONG {
        bench.rapid(words).ends(*status).names(code).says("hint: ");
        let said = bench.rapid(&format!("{words} --json")).ends(*status);
        assert_eq!(text(said.json().get("error").unwrap(), "code"), *code, "{said}");
    }
    assert_eq!(bench.repo.tip(), before, "a refusal writes nothing");
}

#[test]
fn wrong_evidence_is_refused() {
    let bench = Bench::new();
    let lint =
        r#""kind":"command_result","producer":"ci:lint","summary":"lint","payload":{"label":"lint","exit_code":0}"#;
    for (document, status, code) in [
        ("", 2, "RAPID1202"),
        ("[]", 2, "RAPID1202"),
        ("{", 2, "RAPID1202"),
        ("{}", 2, "RAPID1202"),
        (&format!("{{{lint},\"summary\":\"twice\"}}"), 2, "RAPID1202"),
        (&format!("{{{lint},\"mood\":\"good\"}}"), 2, "RAPID1202"),
        (&format!("{{{lint},\"id\":\"E001\"}}"), 2, "RAPID1201"),
        (&format!("{{{lint},\"schema_version\":2}}"), 2, "RAPID1202"),
        (&format!("{{{lint},\"state_revision\":7}}"), 2, "RAPID1203"),
        (&format!("{{{lint},\"task_ids\":[\"T009\"]}}"), 2, "RAPID1207"),
        (&format!("{{{lint},\"task_ids\":[\"first\"]}}"), 2, "RAPID1207"),
        (&format!("{{{lint},\"gate_ids\":[\"gate.review\"]}}"), 2, "RAPID1207"),
        (&format!("{{{lint},\"capability_ids\":[\"fly\"]}}"), 2, "RAPID1207"),
        (&format!("{{{lint},\"artifacts\":[\"../x\"]}}"), 2, "RAPID1204"),
        (&format!("{{{lint},\"artifacts\":[\"/etc/passwd\"]}}"), 2, "RAPID1204"),
        (&format!("{{{lint},\"artifacts\":[\"link.sh\"]}}"), 2, "RAPID1204"),
        (&format!("{{{lint},\"artifacts\":[\"gone.txt\"]}}"), 2, "RAPID1205"),
        (&format!("{{{lint},\"artifacts\":[\"price.sh\",\"price.sh\"]}}"), 2, "RAPID1211"),
        (&format!("{{{}}}", lint.replace("command_result", "opinion")), 2, "RAPID1206"),
        (&format!("{{{}}}", lint.replace("command_result", "artifact")), 2, "RAPID1206"),
        (&format!("{{{}}}", lint.replace("exit_code", "exitcode")), 2, "RAPID1206"),
        (&format!("{{{}}}", lint.replace("ci:lint", "rapid:check")), 1, "RAPID1430"),
        (&format!("{{{}}}", lint.replace("ci:lint", "rapid:anything")), 1, "RAPID1430"),
        (&format!("{{{}}}", lint.replace("ci:lint", "harness:other")), 2, "RAPID1203"),
        (
            r#"{"kind":"review","producer":"user","summary":"fine","payload":{"review_type":"final","outcome":"approved","reviewer":"Ada"}}"#,
            1,
            "RAPID1430",
        ),
    ] {
        if !bench.repo.path().join("link.sh").is_symlink() {
            std::os::unix::fs::symlink("price.sh", bench.repo.path().join("link.sh")).unwrap();
        }
        let said = bench.add(document);
        assert!(said.stderr.contains(code) && said.code == status, "{document} is {code}: {said}");
        assert!(!said.stderr.contains("panicked"), "{said}");
    }
    assert!(items(&bench.rapid("evidence list --run RUN --json").json(), "evidence").is_empty());
}

#[test]
fn wrong_spec_files_are_refused() {
    let bench = Bench::new();
    for (file, code) in [
        ("", "RAPID1303"),
        ("{", "RAPID1303"),
        (r#"{"title":"x","title":"y"}"#, "RAPID1303"),
        (r#"{"title":"x","mood":"good"}"#, "RAPID1303"),
        (r#"{"title":7}"#, "RAPID1303"),
        (r#"{"title":"x","mode":"bugfix"}"#, "RAPID1303"),
        (r#"{"title":"x","affected_paths":["../x"]}"#, "RAPID1303"),
        ("# X\n\n## Weather\n\nfine\n", "RAPID1303"),
        ("# X\n\n## Mode\n\nbugfix\n", "RAPID1303"),
    ] {
        bench.repo.write("spec.txt", file);
        bench.rapid("spec create --mode feature --spec-file spec.txt").ends(2).names(code);
    }
    std::fs::write(bench.repo.path().join("spec.txt"), b"\xff\xfe").unwrap();
    bench.rapid("spec create --mode feature --spec-file spec.txt").ends(2).names("RAPID1303");
}

#[test]
fn where_there_is_no_ledger_that_is_said() {
    let repo = World::new().repository("work", &[]);
    for words in NEED_A_LEDGER {
        let words: Vec<&str> = words.split_whitespace().collect();
        repo.rapid(&words).ends(2).names("RAPID1510").says("git rapid start");
    }
    let seen = repo.rapid(&["validate", "--json"]).ok().finds("RAPID1510", "refs/rapid/ledger");
    assert_eq!(seen.json().get("valid"), Some(&true.into()));
    repo.rapid(&["validate", "--strict"]).ends(1);
    assert!(repo.git(&["for-each-ref", "refs/rapid"]).is_empty(), "reading begins no ledger");
}

#[test]
fn where_there_is_no_repository_that_is_said() {
    let world = World::new();
    let nowhere = Repo::at(&world, world.top().to_owned());
    for words in
        NEED_A_LEDGER.iter().chain(&["policy show", "snapshot", "validate", "spec create --title x --mode feature"])
    {
        let words: Vec<&str> = words.split_whitespace().collect();
        nowhere.rapid(&words).ends(2).names("RAPID1500");
    }
}

#[test]
fn a_bare_repository_can_be_read_and_written_by_plumbing() {
    let bench = Bench::new();
    let world = bench.repo.world();
    let bare = world.path("bare.git");
    world.git_at(world.top(), &["clone", "--quiet", "--mirror", "work", "bare.git"]);
    let bare = Repo::at(world, bare);
    for words in ["spec list", "run list", "log", "validate", "policy show", "policy check --spec round-prices"] {
        let words: Vec<&str> = words.split_whitespace().collect();
        bare.rapid(&words).ok();
    }
    bare.rapid(&["snapshot"]).ends(2).names("RAPID1306");
    bare.rapid(&["run", "create", "--spec", "round-prices"]).ends(2).names("RAPID1306");
    bare.rapid(&["run", "create", "--spec", "round-prices", "--terms", "head"]).ok();
    bare.rapid(&["spec", "status", "round-prices", "draft"]).ok();
}

#[test]
fn terms_that_are_not_committed_open_no_run() {
    let bench = Bench::new();
    bench.repo.write(".rapid/config.toml", "ruleset = 4\n");
    bench.rapid("run create --spec round-prices").ends(1).names("RAPID1308");
    bench.rapid("run create --spec round-prices --terms head").ok().says("ruleset 3");
    bench.rapid("spec status round-prices draft").ok();
    bench.rapid("run create --spec round-prices --terms head").ends(1).names("RAPID1003");
}

#[test]
fn a_reader_that_has_read_enough_is_no_fault() {
    let bench = Bench::new();
    for words in ["explain", "man check", "run show RUN", "log --json", "completions bash"] {
        let words: Vec<&str> = words.split(' ').map(|word| if word == "RUN" { &bench.run } else { word }).collect();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = bench.repo.tool().args(&words).stdin(Stdio::null()).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{words:?}: {:?} {said}", output.status);
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bench.repo.tool().arg("explain").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "what could not be written was not said");
}
