//! Wrong input to every command: a code, a sentence and a hint; the right exit status; never a panic; nothing written.

use crate::harness::{GATE, Loop, Output, Repo, World, everything_below, finished, project};
use git_rapid::domain::json::Value;

/// Arguments, the code that is named, and the exit status.
type Case = (&'static [&'static str], &'static str, i32);

/// Runs each case as text and with `--json`; nothing may move.
fn each(repo: &Repo, cases: &[Case]) {
    let before = recorded(repo);
    let mut wrong = Vec::new();
    for (arguments, code, status) in cases {
        let text = repo.rapid(arguments);
        if !is_refusal(&text, code, *status) {
            wrong.push(format!("expected {code} and {status}: {text}"));
        }
        let cut = arguments.iter().position(|word| *word == "--").unwrap_or(arguments.len());
        let document = repo.rapid(&[&arguments[..cut], &["--json"], &arguments[cut..]].concat());
        if !is_refusal_document(&document, code, *status) {
            wrong.push(format!("expected {code} and {status} in one document: {document}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let after = recorded(repo);
    let moved: Vec<_> =
        after.iter().filter(|(path, lying)| before.get(*path) != Some(lying)).map(|(path, _)| path).collect();
    assert!(moved.is_empty() && before.len() == after.len(), "wrong input writes nothing: {moved:?}");
}

/// All files but git's objects, what `verify` remembers and what is remembered of files: the code is stored to be compared before it is refused, and an
/// object that nothing names says nothing.
fn recorded(repo: &Repo) -> std::collections::BTreeMap<std::path::PathBuf, crate::harness::Lying> {
    let aside = [".git/objects", ".git/rapid/proved.json", ".git/rapid/index"].map(|path| repo.path().join(path));
    let mut files = everything_below(repo.path());
    // The times of directories are those of what was set aside.
    files.retain(|path, _| !path.is_dir() && !aside.iter().any(|aside| path.starts_with(aside)));
    files
}

fn is_refusal(output: &Output, code: &str, status: i32) -> bool {
    let line = format!("error[{code}]: ");
    let sentence = output.stderr.lines().find_map(|text| text.strip_prefix(&line)).unwrap_or_default();
    output.code == status && sentence.len() > 5 && !sentence.ends_with('.') && !output.stderr.contains("panicked")
}

fn is_refusal_document(output: &Output, code: &str, status: i32) -> bool {
    let document = output.json();
    let error = document.get("error");
    let text = |key: &str| error.and_then(|error| error.get(key)).and_then(Value::as_text).unwrap_or_default();
    let listed = output.findings().iter().any(|(found, _)| found == code);
    output.code == status && (listed || (text("code") == code && text("message").len() > 5))
}

/// Mistakes on the command line: no command gets as far as looking at the repository.
const USAGE: &[Case] = &[
    (&["strat"], "RAPID001", 2),
    (&["init", "surplus"], "RAPID001", 2),
    (&["init", "--unknown"], "RAPID001", 2),
    (&["start"], "RAPID001", 2),
    (&["start", "feature", "--title", "x", "--spec", "y"], "RAPID001", 2),
    (&["start", "feature", "--title", "x", "--spec-file", "y"], "RAPID001", 2),
    (&["start", "feature", "--terms", "tail"], "RAPID001", 2),
    (&["next", "surplus"], "RAPID001", 2),
    (&["next", "--run", "No Such Run!"], "RAPID001", 2),
    (&["next", "--run"], "RAPID001", 2),
    (&["task"], "RAPID001", 2),
    (&["task", "start"], "RAPID001", 2),
    (&["task", "finish", "T001"], "RAPID001", 2),
    (&["attach"], "RAPID001", 2),
    (&["approve"], "RAPID001", 2),
    (&["approve", GATE, "--waive", "--reject", "--reason", "x"], "RAPID001", 2),
    (&["approve", GATE, "--waive"], "RAPID001", 2),
    (&["approve", GATE, "--reject", "--reason", "  "], "RAPID001", 2),
    (&["approve", GATE, "--reason", "x"], "RAPID001", 2),
    (&["finish", "surplus"], "RAPID001", 2),
    (&["status", "--run", "-x"], "RAPID001", 2),
    (&["abort", "surplus"], "RAPID001", 2),
    (&["fetch", "origin", "surplus"], "RAPID001", 2),
    (&["push", "--force"], "RAPID001", 2),
    (&["verify", "--require-pass"], "RAPID001", 2),
    (&["verify", "one", "two"], "RAPID001", 2),
    (&["check", "--timeout", "soon", "--", "true"], "RAPID001", 2),
    (&["check", "--expect", "success", "--", "true"], "RAPID001", 2),
];

#[test]
fn a_mistake_on_the_command_line_is_told_apart_from_everything_else() {
    each(&project(&World::new(), "work"), USAGE);
}

#[test]
fn a_mistake_on_the_command_line_says_how_it_is_written() {
    let repo = project(&World::new(), "work");
    repo.rapid(&["strat"]).ends(2).says("hint: ").says("start");
    repo.rapid(&["push", "--force"]).ends(2).says("usage: git rapid push");
    repo.rapid(&[]).ends(2).says("Usage: git rapid");
    repo.rapid(&["--help"]).ok().says("start");
    repo.rapid(&["start", "--help"]).ok().says("--title");
}

#[test]
fn outside_of_a_repository_every_command_says_so() {
    let world = World::new();
    std::fs::create_dir(world.path("nowhere")).unwrap();
    let nowhere = Repo::at(&world, world.path("nowhere"));
    std::fs::write(nowhere.path().join("file"), "x").unwrap();
    each(
        &nowhere,
        &[
            (&["init"], "RAPID1500", 2),
            (&["start", "feature", "--title", "x", "--task", "y"], "RAPID1500", 2),
            (&["next"], "RAPID1500", 2),
            (&["check", "--", "true"], "RAPID1500", 125),
            (&["task", "start", "T001"], "RAPID1500", 2),
            (&["attach", "file"], "RAPID1500", 2),
            (&["approve", GATE], "RAPID1500", 2),
            (&["finish"], "RAPID1500", 2),
            (&["status"], "RAPID1500", 2),
            (&["abort"], "RAPID1500", 2),
            (&["fetch"], "RAPID1500", 2),
            (&["push"], "RAPID1500", 2),
            (&["verify"], "RAPID1500", 2),
        ],
    );
}

#[test]
fn without_a_run_every_command_that_needs_one_says_so() {
    each(
        &project(&World::new(), "work"),
        &[
            (&["check", "--", "true"], "RAPID1300", 125),
            (&["task", "start", "T001"], "RAPID1300", 2),
            (&["attach", "test.sh"], "RAPID1300", 2),
            (&["approve", GATE], "RAPID1310", 1),
            (&["finish"], "RAPID1300", 2),
            (&["abort"], "RAPID1300", 2),
            (&["next", "--run", "no-such-run"], "RAPID1510", 2),
            (&["abort", "--run", "no-such-run"], "RAPID1007", 2),
            (&["fetch"], "RAPID1531", 2),
            (&["fetch", "nowhere"], "RAPID1531", 2),
            (&["fetch", "--", "--upload-pack=touch x"], "RAPID1531", 2),
            (&["fetch", "ext::sh -c 'touch pwned'"], "RAPID1531", 2),
            (&["push"], "RAPID1531", 2),
            (&["verify"], "RAPID1510", 2),
            (&["verify", "--commit", "HEAD", "--require-pass"], "RAPID1510", 2),
        ],
    );
}

#[test]
fn a_run_that_cannot_be_opened_says_why() {
    let repo = project(&World::new(), "work");
    repo.write("empty", "");
    repo.write("odd.json", "{\"title\": 1}");
    repo.write("unknown.json", "{\"title\": \"x\", \"colour\": \"red\"}");
    repo.write("cut.json", "{\"title\": ");
    each(
        &repo,
        &[
            (&["start", "dance", "--title", "x", "--task", "y"], "RAPID001", 2),
            (&["start", "feature"], "RAPID1303", 2),
            (&["start", "feature", "--title", "", "--task", "y"], "RAPID803", 2),
            (&["start", "feature", "--title", "x", "--task", ""], "RAPID1303", 2),
            (&["start", "feature", "--title", "x"], "RAPID1303", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--spec-id", "Not An Id"], "RAPID806", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--run-id", "Not An Id"], "RAPID001", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--harness", "Not An Id"], "RAPID1104", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--risk", "huge"], "RAPID001", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--classification", "huge"], "RAPID001", 2),
            (&["start", "feature", "--title", "x", "--task", "y", "--risk", "critical"], "RAPID1014", 1),
            (&["start", "feature", "--spec", "no-such-spec"], "RAPID807", 2),
            (&["start", "feature", "--spec-file", "no-such-file"], "RAPID002", 2),
            (&["start", "feature", "--spec-file", "empty"], "RAPID1303", 2),
            (&["start", "feature", "--spec-file", "odd.json"], "RAPID1303", 2),
            (&["start", "feature", "--spec-file", "unknown.json"], "RAPID1303", 2),
            (&["start", "feature", "--spec-file", "cut.json"], "RAPID1303", 2),
        ],
    );
}

#[test]
fn a_configuration_that_cannot_be_understood_is_named() {
    let repo = project(&World::new(), "work");
    let start: &[&str] = &["start", "feature", "--title", "x", "--task", "y"];
    let odd: [(&str, &'static str, i32); 5] = [
        ("test_comand = [\"true\"]\n", "RAPID1601", 2),
        ("test_command = \"true", "RAPID1600", 2),
        ("ruleset = 9\n", "RAPID1600", 2),
        ("ruleset = 4\nruleset = 3\n", "RAPID1600", 2),
        ("[snapshot]\nmax_file_size = \"much\"\n", "RAPID1600", 2),
    ];
    for (text, code, status) in odd {
        repo.write(".rapid/config.toml", text);
        repo.commit("an odd configuration");
        let refused = repo.rapid(start);
        assert!(is_refusal(&refused, code, status), "expected {code}: {refused}");
        assert!(refused.stderr.contains(".rapid/config.toml"), "the file is named: {refused}");
    }
    repo.write(".rapid/config.toml", "ruleset = 4\n");
    let uncommitted = repo.rapid(start).ends(1).names("RAPID1308");
    assert!(uncommitted.stderr.contains("hint: commit it first"), "{uncommitted}");
    assert_eq!(repo.git(&["for-each-ref", "refs/rapid"]), "");
}

#[test]
fn an_open_run_refuses_what_does_not_fit() {
    let repo = project(&World::new(), "work");
    repo.world().git_at(repo.path(), &["remote", "add", "gone", "../no-such-repository"]);
    Loop::start(&repo, "Add a greeting");
    std::fs::create_dir(repo.path().join("directory")).unwrap();
    repo.sh("ln -s test.sh link");
    each(
        &repo,
        &[
            (&["start", "feature", "--title", "x", "--task", "y"], "RAPID1301", 1),
            (&["task", "start", "T009"], "RAPID1010", 1),
            (&["task", "start", "one"], "RAPID1010", 1),
            (&["task", "done", "T001"], "RAPID1010", 1),
            (&["task", "skip", "T001"], "RAPID1010", 1),
            (&["task", "block", "T001"], "RAPID1010", 1),
            (&["attach", "no-such-file", "--task", "T001"], "RAPID1312", 2),
            (&["attach", "directory", "--task", "T001"], "RAPID1312", 2),
            (&["attach", "link", "--task", "T001"], "RAPID1312", 2),
            (&["attach", "test.sh"], "RAPID1010", 1),
            (&["attach", "test.sh", "--task", "T009"], "RAPID1010", 1),
            (&["check", "--task", "T009", "--", "true"], "RAPID1010", 125),
            (&["check", "--gate", "gate.unknown", "--", "true"], "RAPID1013", 125),
            (&["check", "--gate", GATE, "--", "true"], "RAPID1431", 125),
            (&["check", "--expect", "fail", "--", "false"], "RAPID1320", 125),
            (&["check", "--", "no-such-program-anywhere"], "RAPID1307", 125),
            (&["approve", "final"], "RAPID1013", 1),
            (&["approve", GATE], "RAPID1310", 1),
            (&["finish"], "RAPID1434", 1),
            (&["next", "--run", "no-such-run"], "RAPID1007", 2),
            (&["fetch", "gone"], "RAPID1531", 2),
            (&["push", "gone"], "RAPID1531", 2),
            (&["push", "--", "-x"], "RAPID1531", 2),
            (&["verify", "no-such-remote"], "RAPID1510", 2),
            (&["verify", ""], "RAPID1510", 2),
            (&["verify", "HEAD"], "RAPID1510", 2),
            (&["verify", "refs/rapid/ledger~999"], "RAPID1510", 2),
            (&["verify", "--commit", "no-such-commit"], "RAPID1506", 2),
            (&["verify", "--commit", "--help"], "RAPID001", 2),
            (&["verify", "--commit="], "RAPID1506", 2),
            (&["verify", "--expect", "abc"], "RAPID1506", 2),
        ],
    );
}

#[test]
fn a_finished_run_takes_nothing_more() {
    let Some(repo) = finished() else { return };
    each(
        &repo,
        &[
            (&["check", "--", "true"], "RAPID1014", 125),
            (&["task", "start", "T001"], "RAPID1010", 1),
            (&["attach", "test.sh", "--task", "T001"], "RAPID1014", 1),
            (&["approve", GATE], "RAPID1310", 1),
        ],
    );
    repo.rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn a_session_that_cannot_be_read_can_be_forgotten() {
    let repo = project(&World::new(), "work");
    let session = repo.path().join(".git/rapid/session.json");
    std::fs::create_dir_all(session.parent().unwrap()).unwrap();
    for text in ["", "{", "{\"schema_version\":1}\n", "null\n"] {
        std::fs::write(&session, text).unwrap();
        for verb in [&["next"][..], &["status"], &["finish"], &["start", "feature", "--title", "x", "--task", "y"]] {
            repo.rapid(verb).ends(2).names("RAPID1304").says("git rapid abort");
        }
        let _ = repo.rapid(&["abort"]);
        assert!(!session.exists(), "abort forgets it");
    }
    repo.rapid(&["next"]).ok();
}
