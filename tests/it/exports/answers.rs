//! What `verify` says to GitHub, to readers of JUnit reports, and to readers of SARIF.

use super::stages;
use crate::harness::{Output, Repo, finished, step_aside};
use git_rapid::domain::json::{self, Value};

fn answer(repo: &Repo, form: &str, more: &[&str]) -> Output {
    repo.git_rapid(&[&["verify", "--format", form], more].concat())
}

/// A repository whose head is not covered, whose ledger holds.
fn uncovered() -> Option<Repo> {
    let repo = finished()?;
    repo.write("extra,file.sh", "echo 1\n");
    repo.commit("more");
    Some(repo)
}

#[test]
fn github_is_told_of_what_holds_and_of_each_file_that_differs() {
    let Some(repo) = uncovered() else { return };
    let covered = answer(&repo, "github", &["--commit", "HEAD~1", "--require-pass"]).ok();
    assert!(covered.stdout.starts_with("::notice title=git rapid verify::the ledger is proven"), "{covered}");
    assert!(covered.stdout.contains("is covered by add-a-greeting-r1-run-001 (pass)"), "{covered}");
    let said = answer(&repo, "github", &["--commit", "HEAD"]).ends(1);
    assert!(said.stdout.contains("\n::error title=RAPID1530::no passing run has"), "{said}");
    assert!(said.stdout.contains("%0Ahint: begin a run that holds it"), "{said}");
    assert!(said.stdout.contains("\n::warning file=extra%2Cfile.sh,title=RAPID1530::differs"), "{said}");
}

#[test]
fn junit_has_a_case_for_each_finding() {
    let Some(repo) = uncovered() else { return };
    let good = answer(&repo, "junit", &["--commit", "HEAD~1"]).ok().stdout;
    assert!(good.contains("<testsuites name=\"git rapid verify\" tests=\"2\" failures=\"0\" errors=\"0\">"), "{good}");
    let said = answer(&repo, "junit", &["--commit", "HEAD"]).ends(1).names("RAPID1530");
    assert!(said.stdout.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{said}");
    assert!(said.stdout.contains("type=\"RAPID1530\">") && said.stdout.contains("&#10;extra,file.sh"), "{said}");
    spoil(&repo);
    let said = answer(&repo, "junit", &[]).ends(1);
    assert!(said.stdout.contains("name=\"runs/") && said.stdout.contains("type=\"RAPID"), "{said}");
    // Our own reader of such reports takes it for one, and as red.
    let world = repo.world();
    std::fs::write(repo.path().join("report.xml"), &said.stdout).unwrap();
    let _run = crate::harness::Loop::start(&crate::harness::project(world, "other"), "Read");
    let other = Repo::at(world, world.path("other"));
    let from = repo.path().join("report.xml");
    let check = ["check", "--junit", "verify.xml", "--", "cp", from.to_str().unwrap(), "verify.xml"];
    other.git_rapid(&check).says("1 failed");
}

#[test]
fn two_forms_at_once_are_refused_with_the_two_commands() {
    let world = crate::harness::World::new();
    let repo = crate::harness::project(&world, "work");
    for form in ["github", "junit", "sarif"] {
        let said = answer(&repo, form, &["--json"]).ends(2);
        let document = json::parse(said.stdout.as_bytes()).unwrap();
        let error = document.get("error").unwrap();
        assert_eq!(error.get("code"), Some(&"RAPID001".into()), "{said}");
        let hint = error.get("hint").unwrap().canonical();
        assert!(hint.contains(&format!("git rapid verify --format {form}")), "{said}");
        assert!(hint.contains("git rapid verify --json"), "{said}");
    }
    // What is said anyway changes nothing.
    let (text, plain) = (answer(&repo, "text", &["--json"]), repo.git_rapid(&["verify", "--json"]));
    assert_eq!(text.stdout, plain.stdout);
}

fn spoil(repo: &Repo) {
    let path = repo.record("E001.json");
    let blob = repo.blob(b"{}\n");
    repo.append_entry(&[(&path, Some(&blob))]);
}

#[test]
fn sarif_is_what_its_schema_says() {
    let Some(repo) = uncovered() else { return };
    let good = answer(&repo, "sarif", &["--commit", "HEAD~1"]).ok();
    let uncovered = answer(&repo, "sarif", &["--commit", "HEAD"]).ends(1);
    spoil(&repo);
    let spoilt = answer(&repo, "sarif", &[]).ends(1);
    let results = |output: &Output| {
        let log = json::parse(output.stdout.as_bytes()).unwrap();
        let [run] = log.get("runs").unwrap().as_list().unwrap() else { panic!("one run") };
        run.get("results").unwrap().as_list().unwrap().to_vec()
    };
    assert_eq!(results(&good), []);
    let [result] = &results(&uncovered)[..] else { panic!("one result: {uncovered}") };
    assert_eq!(result.get("ruleId").and_then(Value::as_text), Some("RAPID1530"));
    assert!(result.canonical().contains("\"uri\":\"extra%2Cfile.sh\""), "{uncovered}");
    assert!(results(&spoilt).iter().all(|result| result.get("level").and_then(Value::as_text) == Some("error")));
    assert!(!results(&spoilt).is_empty());
    let world = repo.world();
    let node = |arguments: &[&str]| {
        let mut node = world.command("node", world.top());
        node.env("NODE_PATH", std::env::var("NODE_PATH").unwrap_or_default()).args(arguments);
        Output::of_any(&mut node)
    };
    let there = node(&["-e", "require('ajv'); require.resolve('@microsoft/jest-sarif')"]);
    if there.is_none_or(|output| output.code != 0) {
        return step_aside("node has no @microsoft/jest-sarif, which holds the schema (NODE_PATH)");
    }
    let file = world.path("log.sarif");
    for output in [&good, &uncovered, &spoilt] {
        std::fs::write(&file, &output.stdout).unwrap();
        let _ = node(&["-e", VALIDATE, file.to_str().unwrap()]).unwrap().ok();
    }
    std::fs::write(&file, good.stdout.replace("\"results\"", "\"result\"")).unwrap();
    assert_ne!(node(&["-e", VALIDATE, file.to_str().unwrap()]).unwrap().code, 0, "the check checks");
}

/// Holds a log against the schema of SARIF 2.1.0 that Microsoft's library of matchers carries.
const VALIDATE: &str = r#"
const Ajv = require("ajv"), fs = require("fs");
const schema = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const log = JSON.parse(fs.readFileSync(process.argv[1]));
const valid = new Ajv({ schemaId: "auto", unknownFormats: "ignore" });
valid.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const check = valid.compile(schema);
if (!check(log)) { console.error(check.errors); process.exit(1); }
"#;

#[test]
fn where_there_is_nothing_each_form_says_so() {
    let world = crate::harness::World::new();
    let repo = crate::harness::project(&world, "work");
    let github = answer(&repo, "github", &[]).ends(2);
    assert!(github.stdout.contains("::warning title=RAPID1510::"), "{github}");
    let junit = answer(&repo, "junit", &[]).ends(2).names("RAPID1510");
    assert!(junit.stdout.contains("errors=\"1\""), "{junit}");
    let sarif = answer(&repo, "sarif", &[]).ends(2);
    assert!(sarif.stdout.contains("\"executionSuccessful\": false"), "{sarif}");
    answer(&repo, "yaml", &[]).ends(2).names("RAPID001").says("sarif");
    answer(&repo, "junit", &["--json"]).ends(2).says("RAPID001");
}

/// A re-run streams what its command prints; standard output belongs to the report all the same.
#[test]
fn a_question_that_cannot_be_asked_is_answered_in_each_form() {
    let Some(repo) = finished() else { return };
    for more in [["--commit", "nosuch"], ["--expect", "1234567"]] {
        let said = answer(&repo, "junit", &more);
        assert!(said.code != 0 && said.stdout.starts_with("<?xml"), "{said}");
        let said = answer(&repo, "sarif", &more);
        assert!(json::parse(said.stdout.as_bytes()).is_ok() && said.code != 0, "{said}");
        let said = answer(&repo, "github", &more);
        assert!(said.stdout.contains("\n::") && said.stderr.is_empty() && said.code != 0, "{said}");
    }
    // Nobody looked at the ledger, so nobody says anything against it.
    for more in [&["--commit", "HEAD", "--onto", "origin/main"][..], &["--commit", "nosuch"]] {
        let said = answer(&repo, "github", more).ends(2);
        assert!(said.stdout.contains("::warning title=RAPID1506::") && !said.stdout.contains("disproven"), "{said}");
        let said = answer(&repo, "junit", more).ends(2);
        assert!(said.stdout.contains("failures=\"0\" errors=\"1\""), "{said}");
        assert!(answer(&repo, "sarif", more).ends(2).stdout.contains("\"executionSuccessful\": false"));
    }
    let tip = repo.tip();
    answer(&repo, "text", &["--expect", &tip[..12]]).ok().says("proven");
    answer(&repo, "text", &["--expect", "HEAD"]).ends(2).names("RAPID1506");
}

#[test]
fn a_red_re_run_is_a_finding_too() {
    let Some(repo) = stages::passed() else { return };
    let green = answer(&repo, "junit", &["--rerun"]).ok();
    assert!(green.stdout.starts_with("<?xml") && green.stdout.contains("failures=\"0\""), "{green}");
    let world = repo.world();
    let red = crate::harness::project(world, "red");
    let place = world.path("elsewhere");
    std::fs::write(&place, "").unwrap();
    red.write("test.sh", &format!("echo noise; test -e {}\n", place.display()));
    red.commit("tests that need a file");
    crate::harness::Loop::whole(&red, "Depend on it");
    std::fs::remove_file(&place).unwrap();
    let said = answer(&red, "junit", &["--rerun"]).ends(1).names("RAPID1448");
    assert!(said.stdout.starts_with("<?xml") && said.stdout.contains("type=\"RAPID1448\""), "{said}");
    let github = answer(&red, "github", &["--rerun"]).ends(1);
    assert!(github.stdout.contains("::error title=RAPID1448::"), "{github}");
}
