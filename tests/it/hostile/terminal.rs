//! What a stranger can write is shown by every command, and obeyed by no terminal: escapes, bidirectional and invisible
//! characters in titles, tasks, reasons, labels, names, branches, files, remotes, logs, commits and forged entries.

use crate::harness::{GATE, Output, Repo, World, answer, project, somebody_can_be_asked, step_aside};
use git_rapid::domain::text::is_invisible;

/// Clears the screen, sets the title, writes to the clipboard, rings, colours, turns around, hides, goes back.
fn hostile(word: &str) -> String {
    format!("{word}\u{1b}[2J\u{1b}]0;pwned\u{7}\u{1b}]52;c;cHduZWQ=\u{7}\u{9b}31m{}\u{8}\u{7f}", quiet(""))
}

/// The part of it that git lets into names of its own.
fn quiet(word: &str) -> String {
    format!("{word}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}")
}

fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|c| (c.is_control() && !matches!(c, '\n' | '\t')) || is_invisible(*c))
}

/// A run in which everything that can be named is named by somebody hostile.
fn everywhere() -> Repo {
    let world = World::new();
    let repo = project(&world, "work");
    world.configure(&format!("[user]\n\tname = \"AUTHOR{}\"\n\temail = eve@example.com\n", quiet("")));
    repo.git(&["checkout", "--quiet", "-b", &quiet("BRANCH")]);
    repo.write(&hostile("TRACKED"), "x\n");
    repo.commit(&hostile("MESSAGE"));
    repo.git(&["remote", "add", &quiet("REMOTE"), &format!("/nowhere/{}", hostile("URL"))]);
    let run = |arguments: &[&str]| drop(repo.rapid(arguments));
    run(&["start", "feature", "--title", &hostile("FIRST"), "--task", &hostile("WORK"), "--spec-id", "first"]);
    run(&["abort", "--reason", &hostile("REASON")]);
    run(&["spec", "revise", "first", "--title", &hostile("AGAIN")]);
    run(&["start", "feature", "--title", &hostile("TITLE"), "--task", &hostile("TASK"), "--spec-id", "hostile"]);
    run(&["task", "start", "T001"]);
    repo.write("log.txt", &hostile("LOG"));
    repo.write(&hostile("FILE"), "x\n");
    run(&["check", "--label", &hostile("LABEL"), "--", "cat", "log.txt"]);
    run(&["attach", "log.txt", "--label", &hostile("ATTACHED")]);
    run(&["task", "done", "T001"]);
    repo
}

/// An entry of good grammar by somebody else, whose words and path are hostile.
fn forged(repo: &Repo) {
    let tip = repo.tip();
    let blob = repo.blob(b"x\n");
    let path = hostile("PATH");
    let tree = repo.git(&["rev-parse", &format!("{tip}^{{tree}}")]);
    let mut entries: Vec<(String, String, String)> = repo
        .git(&["ls-tree", &tree])
        .lines()
        .map(|line| {
            let (head, name) = line.split_once('\t').unwrap();
            let words: Vec<&str> = head.split(' ').collect();
            (words[0].trim_start_matches('0').to_owned(), name.to_owned(), words[2].to_owned())
        })
        .collect();
    entries.insert(0, ("100644".to_owned(), path, blob));
    let raw: Vec<(&str, &[u8], &str)> =
        entries.iter().map(|(mode, name, id)| (mode.as_str(), name.as_bytes(), id.as_str())).collect();
    let text = repo.entry_text(&repo.raw_tree(&raw), &[&tip]);
    let text = text.replace("Ada", &hostile("WRITER")).replace("forged", &hostile("SUBJECT"));
    repo.move_ledger(&repo.raw_commit(text.as_bytes()));
}

const READING: &[&str] = &[
    "log",
    "log --graph",
    "log --json-lines",
    "log --actor {word}",
    "log --verb {word}",
    "log --run {word}",
    "log --since {word}",
    "show {word}/E001",
    "show hostile-r1-run-001",
    "show {tip}",
    "status",
    "status --all",
    "brief",
    "next",
    "next --why",
    "verify",
    "verify --full --commit HEAD",
    "evidence list",
    "evidence show E001",
    "evidence show E003",
    "evidence show E004",
    "evidence verify",
    "evidence log E003",
    "spec list",
    "spec show hostile",
    "spec show first",
    "spec diff first",
    "spec show hostile --format markdown",
    "run list",
    "run show hostile-r1-run-001",
    "run show first-r1-run-001",
    "eval run",
    "eval list",
    "policy show",
    "doctor",
    "validate",
    "snapshot",
    "finish",
    "fetch",
    "push",
    "init",
    "fetch {remote}",
    "push {url}",
    "verify {word}",
    "task start {word}",
    "explain {word}",
    "{word}",
    "show {word}",
    "cat {word}",
    "run show {word}",
    "start feature --title {word}",
    "verify --{word}",
    "cat {contract}",
    "show {contract}",
    "evidence show {word}",
    "approve {word}",
    "attach {word}",
    "check --timeout {word} -- true",
];

/// What it prints and, where it is one, the document; at a terminal and elsewhere.
fn said(repo: &Repo, line: &str) -> Vec<Output> {
    let contract = repo.records().into_iter().find(|path| path.contains("hostile") && path.ends_with("contract.json"));
    let words: Vec<String> = line
        .split(' ')
        .map(|word| {
            word.replace("{tip}", &repo.tip())
                .replace("{remote}", &quiet("REMOTE"))
                .replace("{url}", &format!("/nowhere/{}", hostile("URL")))
                .replace("{contract}", contract.as_deref().unwrap_or_default())
                .replace("{word}", &hostile("word"))
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let command = || {
        let mut command = repo.world().command("git-rapid", repo.path());
        command.args(&words);
        command
    };
    // What is kept is kept byte for byte for anything but a terminal.
    let kept = line.starts_with("evidence log") || line.starts_with("cat");
    let document =
        (!line.contains("--format") && !line.contains(" -- ")).then(|| repo.rapid(&[&words[..], &["--json"]].concat()));
    let mut all = vec![answer(command(), "\0", "")];
    all.extend((!kept).then(|| repo.rapid(&words)));
    all.extend(document);
    all
}

#[test]
fn what_a_stranger_writes_is_shown_and_never_obeyed() {
    let repo = everywhere();
    let mut shown = String::new();
    let mut wrong = Vec::new();
    let mut look = |line: &str| {
        for output in said(&repo, line) {
            let text = format!("{}{}", output.stdout, output.stderr);
            if let Some(c) = obeyed(&text) {
                let first = text.lines().find(|line| line.contains(c)).unwrap_or_default();
                wrong.push(format!("'{line}' prints {c:?}: {}", first.escape_debug()));
            }
            assert!(output.code < 100 || output.code == 125, "'{line}' ends well: {output}");
            shown.push_str(&text);
        }
    };
    READING.iter().for_each(|line| look(line));
    forged(&repo);
    [
        "log",
        "log --graph",
        "log --json-lines",
        "log --actor nobody",
        "show {tip}",
        "verify --full",
        "status",
        "push",
        "validate",
    ]
    .iter()
    .for_each(|line| look(line));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Each of them was there to be shown.
    for word in [
        "FIRST", "WORK", "REASON", "AGAIN", "TITLE", "TASK", "LOG", "FILE", "LABEL", "ATTACHED", "AUTHOR", "REMOTE",
        "URL", "PATH", "WRITER", "SUBJECT",
    ] {
        assert!(shown.contains(word), "'{word}' is shown somewhere");
    }
}

#[test]
fn what_is_approved_is_shown_harmlessly_to_the_person_who_approves_it() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let repo = everywhere();
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "approve", GATE]);
    let seen = answer(command, "anything else to leave it: ", &format!("approve {GATE}"));
    assert_eq!(obeyed(&seen.stdout), None, "{}", seen.stdout.escape_debug());
    for word in ["TITLE", "FILE"] {
        assert!(seen.stdout.contains(word), "'{word}' is shown: {seen}");
    }
}
