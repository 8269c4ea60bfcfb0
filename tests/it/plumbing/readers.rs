//! What only reads: the policy, the ledger as a history, what lies beside it, and what the tool says of itself.

use super::{Bench, items, number, text};
use crate::harness::World;
use git_rapid::diagnostics::Code;

#[test]
fn the_policy_is_shown_and_asked() {
    let bench = Bench::new();
    let shown = bench.both("policy show");
    assert_eq!(text(&shown, "source"), "default");
    let decided = bench.both("policy check --spec round-prices");
    assert_eq!(text(decided.get("decision").unwrap(), "risk"), "medium");
    bench.repo.write("spec.md", "# Log in\n\n## Mode\n\nfeature\n\n## Tags\n\n- auth\n");
    let asked = bench.rapid("policy check --spec-file spec.md").ok();
    asked.says("architectural").says("gate.security-review").says("it reaches into who may do what");
    bench.repo.write(".rapid/config.toml", "[policy]\nminimum_risk = \"high\"\n");
    bench.rapid("policy check --spec round-prices").ok().says("gate.workspace-isolation");
    bench.rapid("policy show").ok().says(".rapid/config.toml");
    bench.rapid("policy check --spec round-prices --risk low").ends(1).names("RAPID1006");
    bench.repo.write(".rapid/config.toml", "[policy]\nhigh_risk_tags = []\n");
    bench.rapid("policy show").ends(1).names("RAPID1006");
    bench.rapid("validate").ends(1).says("RAPID1006");
}

#[test]
fn the_ledger_is_a_history() {
    let bench = Bench::new();
    let all = items(&bench.both("log"), "entries");
    assert_eq!(all.len(), 3, "the first entry, the spec, the run");
    let newest = all.first().unwrap();
    assert_eq!(items(&bench.both("log -n 1"), "entries"), std::slice::from_ref(newest));
    assert_eq!(items(&bench.both("log --run RUN"), "entries").len(), 1);
    let id = text(newest, "id");
    assert_eq!(id, bench.repo.tip());
    let shown = bench.both(&format!("show {id}"));
    bench.rapid(&format!("show {}", &id[..10])).ok().says(&id);
    bench.rapid("show refs/rapid/ledger~2").ok().says("format");
    for path in items(&shown, "records") {
        let path = path.as_text().unwrap().to_owned();
        assert_eq!(bench.rapid(&format!("cat {path}")).ok().stdout.into_bytes(), bench.repo.bytes_of(&path));
        let record = bench.both(&format!("show {path}"));
        assert_eq!(number(&record, "size_bytes"), bench.repo.bytes_of(&path).len() as i64);
    }
    bench.rapid("show RUN").ok().says("contract.json");
    bench.rapid("show round-prices").ok().says("revision.json");
    bench.rapid("cat format --json").ok().says("git-rapid ledger 1");
    let head = bench.repo.git(&["rev-parse", "HEAD"]);
    for name in ["no-such", "feedface", head.as_str(), "runs/00/x/contract.json", "runs", "-x", "../x", "a//b"] {
        let shown = bench.repo.rapid(&["show", "--", name]);
        shown.ends(2).names("RAPID1540");
    }
}

#[test]
fn a_run_in_thirty_lines() {
    let bench = Bench::new();
    let many: Vec<String> = (0..60).map(|number| format!("task {number} {}", "long ".repeat(80))).collect();
    let mut words = vec!["spec", "create", "--title", "Big", "--mode", "feature", "--status", "ready"];
    many.iter().for_each(|task| words.extend(["--task", task, "--acceptance", task, "--out-of-scope", task]));
    bench.repo.rapid(&words).ok();
    bench.rapid("run create --spec big --id big-run").ok();
    let brief = bench.rapid("brief --run big-run").ok();
    assert!(brief.stdout.lines().count() <= 30, "{brief}");
    brief.says("and 56 more").says("next: run_baseline").says("a person decides");
    assert_eq!(text(&bench.both("brief --run RUN"), "run_id"), bench.run);
    bench.rapid("brief").ends(2).names("RAPID1300");
}

#[test]
fn everything_in_a_clone_is_validated() {
    let bench = Bench::new();
    let seen = bench.both("validate --strict");
    assert_eq!((number(&seen, "specs"), number(&seen, "runs")), (1, 1));
    bench.repo.write(".rapid/modes/bugfix.json", "{");
    bench.repo.write(".rapid/config.toml", "test_comand = \"x\"\n");
    let session = format!(
        r#"{{"schema_version":1,"active_run_id":"{}","mode":"bugfix","harness":"manual","start_head":null}}"#,
        bench.run
    );
    bench.repo.write(".git/rapid/session.json", &session);
    let found = bench.rapid("validate --json").ends(1);
    found.clone().finds("RAPID109", "bugfix.json").finds("RAPID1601", "config.toml").finds("RAPID1305", "session.json");
    for finding in items(&found.json(), "findings") {
        assert!(["code", "level", "path", "hint", "message"].iter().all(|key| finding.get(key).is_some()));
    }
    bench.repo.write(".git/rapid/session.json", &session.replace(&bench.run, "gone"));
    bench.rapid("validate --json").ends(1).finds("RAPID1304", "session.json");
    bench.rapid("evidence list").ends(2).names("RAPID1304");
    std::fs::remove_file(bench.repo.path().join(".git/rapid/session.json")).unwrap();
    let state = bench.repo.record("states/0001.json");
    let blob = bench.repo.blob(&[bench.repo.bytes_of(&state), b" ".to_vec()].concat());
    bench.repo.append_entry(&[(&state, Some(&blob))]);
    bench.rapid("validate --json").ends(1).finds("RAPID1520", "states/0001.json");
}

#[test]
fn the_tree_of_the_working_copy_is_the_one_git_gives() {
    let bench = Bench::new();
    bench.repo.write("new.txt", "new\n");
    bench.repo.write(".env", "SECRET=1\n");
    let seen = bench.both("snapshot");
    bench.repo.git(&["add", "price.sh", "new.txt"]);
    assert_eq!(text(&seen, "tree"), bench.repo.git(&["write-tree"]));
    assert_eq!(items(&seen, "withheld"), [".env".into()]);
}

#[test]
fn captured_output_is_read_as_a_check_would_read_it() {
    let bench = Bench::new();
    let output = "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; \
                  0 filtered out; finished in 0.00s\n\n";
    bench.repo.write("out.log", output);
    let seen = bench.both("summary out.log");
    assert_eq!((text(&seen, "outcome").as_str(), number(&seen, "passed")), ("pass", 1));
    let red = bench.rapid("summary out.log --exit-code 101 --json -- cargo test").ok().json();
    assert_eq!(text(&red, "outcome"), "fail");
    bench.rapid("summary gone.log").ends(2).names("RAPID002");
}

#[test]
fn every_code_explains_itself() {
    let repo = World::new().repository("work", &[]);
    assert_eq!(items(&repo.rapid(&["explain", "--json"]).ok().json(), "codes").len(), Code::ALL.len());
    for name in ["RAPID1310", "rapid1310", "1310"] {
        repo.rapid(&["explain", name]).ok().says("## What to do");
    }
    assert!(text(&repo.rapid(&["explain", "1310", "--json"]).ok().json(), "page").starts_with("# RAPID1310"));
    repo.rapid(&["explain", "RAPID9999"]).ends(2).names("RAPID1540");
}

#[test]
fn the_tool_speaks_of_itself() {
    let world = World::new();
    let nowhere = crate::harness::Repo::at(&world, world.top().to_owned());
    nowhere.rapid(&["version"]).ok().says(env!("CARGO_PKG_VERSION"));
    let version = nowhere.rapid(&["version"]).ok().stdout;
    assert_eq!(nowhere.git_rapid(&["--version"]).ok().stdout, version, "as every program of git answers");
    assert_eq!(nowhere.git_rapid(&["-V"]).ok().stdout, version);
    nowhere.git_rapid(&["help"]).ok().says("Commands:");
    assert_eq!(text(&nowhere.rapid(&["version", "--json"]).ok().json(), "name"), "git-rapid");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        nowhere.rapid(&["completions", shell]).ok().says("git-rapid");
    }
    nowhere.rapid(&["completions", "tcsh"]).ends(2).names("RAPID001");
    nowhere.rapid(&["man"]).ok().says(".TH git-rapid");
    nowhere.rapid(&["man", "spec", "create"]).ok().says("git\\-rapid\\-spec\\-create");
    nowhere.rapid(&["man", "spec", "forget"]).ends(2).names("RAPID001").says("create, list");
    nowhere.rapid(&["doctor"]).ends(1).says("is not in a git repository");
    let repo = world.repository("work", &[]);
    repo.rapid(&["doctor", "--json"]).ok().json();
}

#[test]
fn the_shell_completes_what_git_is_asked() {
    let world = World::new();
    let script = "git-rapid completions bash > c && . ./c && COMP_WORDS=(git rapid spec cr) COMP_CWORD=3 && _git_rapid \
                  && echo \"${COMPREPLY[@]}\"";
    let Some(said) = crate::harness::Output::of_any(world.command("bash", world.top()).args(["-c", script])) else {
        return crate::harness::step_aside("there is no bash here");
    };
    assert_eq!(said.ok().line(), "create");
}
