//! Where an export goes, which runs it is about, and what the JSON document holds.

use super::stages;
use crate::harness::{Loop, Repo, World, finished, project};
use git_rapid::domain::json::{self, Value};

fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_text()
}

fn exported(repo: &Repo, arguments: &[&str]) -> Value {
    repo.git_rapid(&[&["export", "--format", "json"], arguments].concat()).ok().json()
}

/// Each member that is documented is there, and each that is there is documented.
#[test]
fn the_document_holds_what_its_page_says() {
    let Some(repo) = stages::passed() else { return };
    let document = exported(&repo, &[]);
    let page = include_str!("../../../docs/export.md");
    let described = |name: &str| page.contains(&format!("`{name}`"));
    let run = &document.get("runs").unwrap().as_list().unwrap()[0];
    for object in [
        &document,
        run,
        document.get("ledger").unwrap(),
        document.get("summary").unwrap(),
        run.get("standing").unwrap(),
        run.get("code").unwrap(),
        &run.get("evidence").unwrap().as_list().unwrap()[0],
        &run.get("approvals").unwrap().as_list().unwrap()[0],
        &run.get("entries").unwrap().as_list().unwrap()[0],
    ] {
        let Value::Object(members) = object else { panic!("an object: {object:?}") };
        let silent: Vec<&String> = members.keys().filter(|name| !described(name)).collect();
        assert!(silent.is_empty(), "docs/export.md says nothing of {silent:?}");
    }
    assert_eq!(text(run, &["verdict"]), Some("pass"));
    assert_eq!(text(run, &["spec", "title"]), Some("Add a greeting"));
    assert_eq!(text(&document, &["ledger", "answer"]), Some("proven"));
    assert_eq!(text(&document, &["ledger", "tip"]), Some(repo.tip().as_str()));
    assert_eq!(run.get("report").and_then(|report| report.get("recorded")), Some(&Value::Bool(true)));
    assert_eq!(text(run, &["standing", "strength"]), Some("recorded here"));
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    assert_eq!(text(run, &["code", "tree"]), Some(tree.as_str()));
    let commits = run.get("code").unwrap().get("commits").unwrap();
    assert_eq!(commits, &Value::list([repo.git(&["rev-parse", "HEAD"]).as_str()]));
    let changes = run.get("code").unwrap().get("changes").unwrap().as_list().unwrap();
    assert_eq!(text(&changes[0], &["path"]), Some("greeting.sh"));
    assert_eq!(changes[0].get("added").and_then(Value::as_int), Some(1));
}

#[test]
fn without_a_name_it_is_the_active_run_and_else_the_newest() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.git_rapid(&["export", "--format", "json"]).ends(2).names("RAPID1510");
    repo.git_rapid(&["spec", "create", "--title", "Idle", "--mode", "feature"]).ok();
    repo.git_rapid(&["export", "--format", "json"]).ends(2).names("RAPID1300");
    let first = Loop::start(&repo, "One").run.clone();
    repo.git_rapid(&["abort"]).ok();
    let second = Loop::start(&repo, "Two").run.clone();
    let ids = |document: &Value| -> Vec<String> {
        let runs = document.get("runs").unwrap().as_list().unwrap();
        runs.iter().map(|run| text(run, &["run_id"]).unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&exported(&repo, &[])), [second.as_str()]);
    repo.git_rapid(&["abort"]).ok();
    assert_eq!(ids(&exported(&repo, &[])), [second.as_str()], "the newest");
    assert_eq!(ids(&exported(&repo, &["--run", &first])), [first.as_str()]);
    let all = exported(&repo, &["--all"]);
    assert_eq!(ids(&all), [second.as_str(), first.as_str()], "those with the newest entries first");
    assert_eq!(all.get("summary").unwrap().get("given_up").and_then(Value::as_int), Some(2));
    repo.git_rapid(&["export", "--format", "json", "--run", "nobody"]).ends(2).names("RAPID1007");
    repo.git_rapid(&["export", "--format", "pdf"]).ends(2).names("RAPID001").says("html");
    repo.git_rapid(&["export", "--format", "html", "--sign"]).ends(2).names("RAPID001");
    repo.git_rapid(&["export", "--format", "json", "--attachments", "all"]).ends(2).names("RAPID001");
    repo.git_rapid(&["export", "--format", "json", "--json"]).ends(2).says("RAPID001");
}

#[test]
fn a_file_that_is_no_former_export_stays() {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "One");
    for (format, other) in [("json", "html"), ("html", "bundle"), ("bundle", "json"), ("in-toto", "html")] {
        let file = format!("out.{format}");
        let export = |more: &[&str]| repo.git_rapid(&[&["export", "--format", format, "-o", &file], more].concat());
        export(&[]).ok().says("wrote");
        let first = std::fs::read(repo.path().join(&file)).unwrap();
        export(&[]).ok();
        repo.git_rapid(&["export", "--format", other, "-o", &file]).ends(1).names("RAPID1753");
        repo.write(&file, "a diary\n");
        export(&[]).ends(1).names("RAPID1753").says("--force");
        assert_eq!(std::fs::read(repo.path().join(&file)).unwrap(), b"a diary\n");
        let told = export(&["--force", "--json"]).ok().json();
        let again = std::fs::read(repo.path().join(&file)).unwrap();
        assert_eq!(told.get("size_bytes").and_then(Value::as_int), Some(again.len() as i64));
        assert_eq!(again.get(..15), first.get(..15), "{format}");
        std::fs::write(repo.path().join(&file), "").unwrap();
        export(&[]).ok();
    }
    std::os::unix::fs::symlink("out.json", repo.path().join("link")).unwrap();
    repo.git_rapid(&["export", "--format", "json", "-o", "link"]).ok();
    assert!(repo.path().join("link").is_symlink(), "a link is followed");
    repo.git_rapid(&["export", "--format", "json", "-o", "."]).ends(2).names("RAPID002");
    repo.git_rapid(&["export", "--format", "json", "-o", "/dev/null"]).ok();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    let shown = repo.git_rapid(&["export", "--format", "html", "-o", "-"]).ok();
    assert!(shown.stdout.starts_with("<!DOCTYPE html>\n") && shown.stdout.ends_with("</html>\n"));
}

#[test]
fn a_ledger_that_is_disproved_is_not_exported() {
    let Some(repo) = finished() else { return };
    let path = repo.record("E001.json");
    let text = String::from_utf8(repo.bytes_of(&path)).unwrap();
    let blob = repo.blob(text.replace("\"summary\":\"", "\"summary\":\"better: ").as_bytes());
    repo.append_entry(&[(&path, Some(&blob))]);
    for format in ["json", "html", "in-toto", "bundle"] {
        repo.git_rapid(&["export", "--format", format, "-o", "out"]).ends(1).names("RAPID1750");
        assert!(!repo.path().join("out").exists());
    }
}

/// Under many runs: what was waived, and a command that was green and red on the same code.
#[test]
fn many_runs_show_waivers_and_checks_that_change_their_mind() {
    let world = World::new();
    let repo = project(&world, "work");
    let coin = repo.world().path("coin");
    repo.write("test.sh", &format!("test -e {0} || {{ touch {0}; exit 1; }}\n", coin.display()));
    repo.commit("a coin");
    std::fs::write(&coin, "").unwrap();
    let run = Loop::start(&repo, "Toss").run.clone();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo heads\n");
    std::fs::remove_file(&coin).unwrap();
    let _ = repo.git_rapid(&["check"]).ends(1);
    repo.git_rapid(&["check"]).ok();
    let document = exported(&repo, &["--all"]);
    let flaky = document.get("summary").unwrap().get("flaky_checks").unwrap().as_list().unwrap();
    let found = flaky.iter().find(|check| check.get("run_ids") == Some(&Value::list([run.as_str()]))).unwrap();
    assert_eq!(found.get("command"), Some(&Value::list(["sh", "test.sh"])));
    assert!(flaky.iter().all(|check| check.get("failed").and_then(Value::as_int) > Some(0)));
    let page = repo.git_rapid(&["export", "--all", "--format", "html"]).ok().stdout;
    assert!(page.contains("green and red on the same code") && page.contains("sh test.sh"), "{page}");
    json::parse(document.canonical().as_bytes()).unwrap();
}

/// One passed, one passed with a waiver, one was aborted, one failed, one is open and has a check that changes its mind.
#[test]
fn the_figures_of_a_dashboard_are_those_of_its_runs() {
    let Some(repo) = stages::waived() else { return };
    Loop::whole(&repo, "Greet twice");
    Loop::start(&repo, "Greet never");
    repo.git_rapid(&["abort", "--reason", "nobody wants it"]).ok();
    let failed = Loop::start(&repo, "Greet in vain").run.clone();
    repo.git_rapid(&["run", "status", &failed, "failed", "--reason", "it cannot be done"]).ok();
    // The baseline is green, then it is red on the same code, then green.
    let coin = repo.world().path("coin");
    std::fs::write(&coin, "").unwrap();
    repo.write("test.sh", &format!("test -e {}\n", coin.display()));
    repo.commit("tests that depend on a coin");
    let open = Loop::start(&repo, "Greet tomorrow").run.clone();
    std::fs::remove_file(&coin).unwrap();
    drop(repo.git_rapid(&["check"]).ends(1));
    std::fs::write(&coin, "").unwrap();
    repo.git_rapid(&["check"]).ok();
    let page = repo.git_rapid(&["export", "--all", "--format", "html"]).ok().stdout;
    let facts: Vec<(&str, &str)> = page
        .split("<dt>")
        .skip(1)
        .filter_map(|fact| Some((fact.split("</dt>").next()?, fact.split("<dd>").nth(1)?.split("</dd>").next()?)))
        .collect();
    let expected = [
        ("Pass rate", "50 %: 2 of 4 runs that are over passed"),
        ("Not over", "1"),
        ("Given up", "2"),
        ("Waivers", "1"),
        ("Flaky checks", "1"),
    ];
    for fact in expected {
        assert!(facts.contains(&fact), "{fact:?} in {facts:?}");
    }
    assert_eq!(page.matches("<th scope=\"row\">").count(), 5 + 1 + 1, "five runs, a waiver, a flaky check");
    assert!(page.contains("without news"), "the age of the one that is open");
    assert!(page.contains("nobody could run them that day"), "why the gate was let go");
    let numbers: Vec<&str> =
        page.split("<td class=\"number\">").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
    assert_eq!(numbers, ["2", "1"], "twice green, once red");
    let summary = exported(&repo, &["--all"]).get("summary").unwrap().clone();
    let count = |name: &str| summary.get(name).and_then(Value::as_int);
    assert_eq!(
        ["runs", "closed", "passed", "open", "given_up"].map(count),
        [Some(5), Some(2), Some(2), Some(1), Some(2)]
    );
    let list = |name: &str| summary.get(name).unwrap().as_list().unwrap().to_vec();
    assert_eq!(text(&list("waivers")[0], &["gate_id"]), Some("gate.tests"));
    let [flaky] = &list("flaky_checks")[..] else { panic!("one: {}", summary.canonical()) };
    assert_eq!(flaky.get("run_ids"), Some(&Value::list([open.as_str()])));
    assert_eq!(
        (flaky.get("passed").and_then(Value::as_int), flaky.get("failed").and_then(Value::as_int)),
        (Some(2), Some(1))
    );
}
