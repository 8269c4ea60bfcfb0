//! What people and agents say in words is stored as logs are: titles, tasks, reasons, labels, commands, documents, files.

use super::recipes::made;
use super::store::Hidden;
use crate::harness::{GATE, Output, Repo, World, answer, run_of, somebody_can_be_asked, step_aside};

/// A new secret of this number, which is to be hidden.
fn secret(hidden: &mut Hidden, number: usize) -> String {
    hidden.recipe("gh~p_{a36}", number);
    made("gh~p_{a36}", number)
}

fn project() -> Repo {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("greeting.sh", "echo hello\n");
    repo.write("test.sh", "echo '2 passed, 0 failed'\n");
    repo.write(
        ".rapid/config.toml",
        "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n[redact]\npatterns = [\"corp-[0-9]{12}\"]\n",
    );
    repo.commit("a project");
    repo
}

#[test]
fn nothing_that_is_said_is_stored_with_a_secret() {
    let repo = project();
    let mut hidden = Hidden::default();
    let mut said: Vec<Output> = Vec::new();
    let mut say = |arguments: &[&str]| said.push(repo.git_rapid(arguments).ok());
    let (title, first, second) = (secret(&mut hidden, 1), secret(&mut hidden, 2), secret(&mut hidden, 3));
    // A spec written by flags, one revised, one read from a file.
    say(&[
        "spec",
        "create",
        "--mode",
        "feature",
        "--id",
        "by-flags",
        "--title",
        &format!("Rotate {title}"),
        "--task",
        &first,
    ]);
    say(&["spec", "revise", "by-flags", "--objective", &format!("{second} is known")]);
    let document = secret(&mut hidden, 4);
    let file = repo.world().path("fixtures");
    std::fs::create_dir(&file).unwrap();
    let spec = file.join("spec.json");
    std::fs::write(
        &spec,
        format!(
            "{{\"title\":\"From a file\",\"implementation_tasks\":[\"Read it\"],\"edge_cases\":[\"it is {document}\"]}}"
        ),
    )
    .unwrap();
    // A run from its title to its end.
    let (title, task) = (secret(&mut hidden, 5), secret(&mut hidden, 6));
    let own = made("{d12}", 7);
    hidden.text("own pattern", &own);
    let own = format!("after corp-{own}");
    say(&["start", "feature", "--run-id", "run-a", "--title", &title, "--task", &task, "--task", &own]);
    let (label, word, option) = (secret(&mut hidden, 8), secret(&mut hidden, 9), made("{a30}", 10));
    hidden.text("--token", &option);
    let command = ["deploy.sh", "--token", &option, &word];
    repo.write("deploy.sh", "exit 0\n");
    say(&[&["check", "--label", &format!("with {label}"), "--", "sh"], &command[..]].concat());
    say(&[&["check", "--", "sh"], &command[..]].concat());
    say(&["task", "start", "T001", "--reason", &secret(&mut hidden, 11)]);
    say(&["task", "block", "T001", "--reason", &format!("waits for {}", secret(&mut hidden, 12))]);
    let attached = file.join("note.txt");
    std::fs::write(&attached, format!("see {}\n", secret(&mut hidden, 13))).unwrap();
    let label = format!("of {}", secret(&mut hidden, 14));
    say(&["attach", attached.to_str().unwrap(), "--task", "T001", "--label", &label]);
    let evidence = file.join("evidence.json");
    let summary = secret(&mut hidden, 15);
    let comment = secret(&mut hidden, 16);
    std::fs::write(
        &evidence,
        format!(
            "{{\"kind\":\"review\",\"producer\":\"ci:lint\",\"summary\":\"saw {summary}\",\"payload\":{{\"review_type\":\"peer\",\
             \"outcome\":\"approved\",\"reviewer\":\"bot {comment}\"}}}}"
        ),
    )
    .unwrap();
    said.push(repo.git_rapid(&["evidence", "add", "--run", "run-a", "--input", evidence.to_str().unwrap()]));
    let reason = format!("gave away {}", secret(&mut hidden, 17));
    said.push(repo.git_rapid(&["abort", "--reason", &reason]).ok());
    said.push(repo.git_rapid(&["start", "feature", "--spec-file", spec.to_str().unwrap()]).ok());
    said.push(repo.git_rapid(&["abort", "--reason", "enough"]).ok());
    let texts: Vec<&str> = said.iter().map(|output| output.stdout.as_str()).collect();
    hidden.nowhere(&repo, "fixtures", &texts);
    let history = repo.git(&["log", "--format=%B", "refs/rapid/ledger"]);
    assert!(history.contains("gave away [redacted:github-token]"), "the words around it stay: {history}");
    let contract = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{}", repo.record("run-a/contract.json"))]);
    assert!(contract.contains("after [redacted:custom]"), "{contract}");
    repo.verify(&[]).ok();
    repo.git_rapid(&["validate"]).ok();
}

#[test]
fn a_persons_reason_is_no_place_for_a_secret() {
    if !somebody_can_be_asked() {
        return step_aside("a rejection is a person's decision, and these tests run under a coding agent");
    }
    let repo = project();
    let mut hidden = Hidden::default();
    repo.git_rapid(&["start", "feature", "--title", "Add a greeting", "--task", "Write it"]).ok();
    let decide = |gate: &str, flag: &str, number: usize, hidden: &mut Hidden| {
        let word = flag.trim_start_matches("--");
        let mut command = repo.world().command("git", repo.path());
        let reason = format!("it prints {}", secret(hidden, number));
        command.args(["rapid", "approve", gate, flag, "--reason", &reason]);
        answer(command, "anything else to leave it: ", &format!("{word} {gate}"))
    };
    repo.git_rapid(&["task", "skip", "T001", "--reason", &secret(&mut hidden, 20)]).ok();
    decide(GATE, "--reject", 21, &mut hidden).ok();
    decide("gate.tests", "--waive", 22, &mut hidden).ok();
    hidden.nowhere(&repo, "fixtures", &[]);
    let state = repo.git_rapid(&["run", "show", &run_of("Add a greeting", 1), "--json"]).ok().stdout;
    assert!(state.contains("it prints [redacted:github-token] (waived by "), "{state}");
}
