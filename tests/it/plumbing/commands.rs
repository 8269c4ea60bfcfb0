//! What writes: specs, runs and evidence by hand, from a first draft to a judged run.

use super::{Bench, items, number, text};
use crate::harness::World;

#[test]
fn a_spec_is_written_revised_compared_and_moved() {
    let repo = World::new().repository("work", &[]);
    let created = repo.rapid(&[
        "spec",
        "create",
        "--title",
        "Preise runden",
        "--mode",
        "bugfix",
        "--task",
        "A",
        "--task",
        "B",
        "--tag",
        "Money",
        "--rule",
        "half up",
        "--constraint",
        "no floats",
        "--flow",
        "ask",
        "--affected-path",
        "./src\\price.rs",
        "--json",
    ]);
    let created = created.ok().json();
    assert_eq!((text(&created, "id").as_str(), text(&created, "status").as_str()), ("preise-runden", "draft"));
    repo.rapid(&["spec", "revise", "preise-runden", "--task", "C", "--data-impact", "none"]).ok().says("r2");
    let shown = repo.rapid(&["spec", "show", "preise-runden", "--json"]).ok().json();
    let revision = shown.get("revision").unwrap();
    assert_eq!(items(revision, "implementation_tasks").len(), 1, "a list that is given replaces the list");
    assert_eq!(items(revision, "business_rules").len(), 1, "what is not named stays");
    assert_eq!(items(revision, "affected_paths").first().unwrap().as_text(), Some("src/price.rs"));
    repo.rapid(&["spec", "show", "preise-runden", "--revision", "1"]).ok().says("- [ ] B");
    let diff = repo.rapid(&["spec", "diff", "preise-runden"]).ok();
    diff.clone().says("+- [ ] C").says("-- [ ] A");
    assert_eq!(
        diff.line(),
        text(&repo.rapid(&["spec", "diff", "preise-runden", "1", "2", "--json"]).json(), "diff").trim_end()
    );
    repo.rapid(&["spec", "diff", "preise-runden", "2", "2"]).ok().says("say the same");
    repo.rapid(&["spec", "status", "preise-runden", "ready", "--json"]).ok();
    let listed = repo.rapid(&["spec", "list", "--status", "ready", "--json"]).ok().json();
    assert_eq!(items(&listed, "specs").len(), 1);
    repo.rapid(&["spec", "list", "--status", "archived"]).ok().says("no specs");
    repo.rapid(&["spec", "status", "preise-runden", "archived"]).ok();
    repo.rapid(&["spec", "revise", "preise-runden", "--task", "D"]).ends(1).names("RAPID805");
    repo.rapid(&["spec", "status", "preise-runden", "draft"]).ends(1).names("RAPID805");
}

#[test]
fn a_shown_spec_is_a_spec_file_again() {
    let bench = Bench::new();
    bench.rapid("spec revise round-prices --tag money --acceptance works --problem wrong --objective right").ok();
    for format in ["md", "json"] {
        let shown = bench.rapid(&format!("spec show round-prices --format {format}")).ok();
        let file = format!("spec.{format}");
        bench.repo.write(&file, &shown.stdout);
        bench.rapid(&format!("spec create --id from-{format} --spec-file {file}")).ok();
        let again = bench.rapid(&format!("spec show from-{format} --format {format}")).ok();
        assert_eq!(again.stdout, shown.stdout, "{format}");
    }
}

#[test]
fn a_run_goes_its_whole_way_by_hand() {
    let bench = Bench::new();
    let shown = bench.both("run show RUN");
    assert_eq!((text(&shown, "status").as_str(), number(&shown, "evidence_count")), ("prepared", 0));
    assert!(!bench.repo.path().join(".git/rapid/session.json").exists(), "plumbing opens no session");
    bench.rapid("run gate RUN gate.baseline acknowledge --reason seen").ok().says("state 2");
    bench.rapid("run status RUN active --json").ok();
    bench.rapid("run task RUN T001 in_progress").ok();
    bench
        .add(
            r#"{"kind":"command_result","producer":"ci:lint","summary":"lint","payload":{"label":"lint","exit_code":0},
        "task_ids":["T001"],"artifacts":["price.sh"]}"#,
        )
        .ok()
        .says("E001 for T001");
    let done = bench.rapid("run task RUN T001 done --json").ok().json();
    assert_eq!(text(&done, "change_kind"), "task.T001.done");
    bench.rapid("run gate RUN gate.tests ack").ok();
    let first = bench.rapid("run show RUN --state-revision 1").ok();
    first.says("prepared, state 1 of 6").says("may be waived");
    assert_eq!(items(&bench.both("run list"), "runs").len(), 1);
    bench.rapid("run list --status finished").ok().says("no runs");
    let verified = bench.repo.verify(&[]).ok().json();
    assert_eq!(text(&verified, "answer"), "proven");
}

#[test]
fn evidence_is_listed_shown_read_again_and_its_files_come_back() {
    let bench = Bench::new();
    bench.rapid("evidence list --run RUN").ok().says("no evidence yet");
    bench.add(r#"{"kind":"artifact","producer":"external:scan","summary":"scan","payload":{"label":"scan"},"artifacts":["price.sh"]}"#).ok();
    let listed = bench.both("evidence list --run RUN");
    let seen = bench.both("evidence verify --run RUN");
    assert_eq!(text(&listed, "evidence_set_digest"), text(&seen, "evidence_set_digest"));
    assert_eq!((number(&seen, "record_count"), number(seen.get("attachments").unwrap(), "present")), (1, 1));
    let shown = bench.both("evidence show E001 --run RUN");
    let path = text(items(&shown, "artifacts").first().unwrap(), "path");
    assert_eq!(bench.rapid(&format!("cat {path}")).ok().stdout, "echo 1\n");
    bench.rapid("evidence log E001 --run RUN").ends(2).names("RAPID1205").says("no captured log");
    bench.rapid("evidence show E001 --run RUN --tree").ends(2).names("RAPID1205");
    bench.repo.git(&["update-ref", "-d", "refs/rapid/attachments"]);
    bench.rapid(&format!("cat {path}")).ends(2).names("RAPID1205").says("not in this clone");
    bench.rapid("evidence verify --run RUN").ok().says("not in this clone: 1");
}

#[test]
fn a_check_leaves_a_log_and_a_tree() {
    let bench = Bench::new();
    let words = ["check", "--run", &bench.run, "--", "sh", "-c", "printf 'a\\033[31mb\\n'"];
    bench.repo.rapid(&words).ok();
    assert_eq!(bench.rapid("evidence log E001 --run RUN").ok().stdout, "a\u{1b}[31mb\n", "bytes are bytes in a pipe");
    let log = bench.rapid("evidence log E001 --run RUN --json").ok().json();
    assert_eq!(number(&log, "size_bytes"), 8);
    let tree = bench.rapid("evidence show E001 --run RUN --tree --json").ok().json();
    let files: Vec<String> = items(&tree, "files").iter().map(|file| text(file, "path")).collect();
    assert!(files.contains(&"price.sh".to_owned()), "{files:?}");
    assert_eq!(text(&tree, "tree"), bench.rapid("snapshot").ok().line());
}

#[test]
fn a_run_is_judged_and_its_reports_are_kept() {
    let bench = Bench::new();
    let judged = bench.both("eval run --run RUN --ruleset 1");
    assert_eq!((text(&judged, "verdict").as_str(), number(&judged, "ruleset_version")), ("unverified", 1));
    let refused = bench.rapid("eval run --run RUN --require-pass --json").ends(1).names("RAPID1225");
    assert_eq!(text(&refused.json(), "verdict"), "unverified", "the report is printed all the same");
    bench.rapid("eval show --run RUN").ends(2).names("RAPID1228");
    bench
        .rapid("eval run --run RUN --write --require git.inspect")
        .ok()
        .says("report 0001")
        .says("capability.git.inspect");
    assert_eq!(items(&bench.both("eval list --run RUN"), "reports").len(), 1);
    bench.rapid("eval list --run RUN").ok().says("CURRENT");
    bench.rapid("run status RUN cancelled").ok();
    bench.rapid("eval list --run RUN").ok().says("STALE");
    let shown = bench.rapid("eval show --run RUN --revision 1 --json").ok().names("RAPID1227");
    assert_eq!(shown.json().get("stale"), Some(&true.into()));
    bench.rapid("eval run --run RUN --require-pass").ends(1).names("RAPID1226");
    bench.rapid("validate").ok().says("RAPID1227");
    bench.rapid("validate --strict").ends(1);
}
