//! The README is a test: its tour is typed line by line, and what it shows must be what is said, in that order.
//!
//! `[..]` stands for anything. Lines that are said and not shown are allowed; lines that are shown and not said are not.

use crate::harness::{Output, Repo, World, answer, somebody_can_be_asked, step_aside};

const README: &str = include_str!("../../README.md");
const PROMPT: &str = "anything else to leave it: ";

/// A command of the tour and the lines shown under it.
struct Shown {
    command: String,
    lines: Vec<String>,
}

fn tour() -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in README.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if inside => match line.strip_prefix("$ ") {
                Some(command) => shown.push(Shown { command: command.to_owned(), lines: Vec::new() }),
                None => shown.last_mut().expect("a command stands first").lines.push(line.to_owned()),
            },
            _ => {}
        }
    }
    shown
}

#[test]
fn the_tour_is_what_happens() {
    if !somebody_can_be_asked() {
        return step_aside("the tour has an approval, and a coding agent is above this test");
    }
    let tour = tour();
    assert!(tour.len() > 12, "the tour is there");
    let world = World::new();
    let server = world.remote("server");
    let app = world.repository("app", &[]);
    app.write("greet.sh", "echo hello\n");
    app.write(
        "tests.sh",
        "echo 1..1\nsh greet.sh you | grep -q hello && echo 'ok 1 - greets' || { echo 'not ok 1 - greets'; exit 1; }\n",
    );
    app.commit("a project");
    app.git(&["remote", "add", "origin", &server.path().display().to_string()]);
    app.git(&["push", "--quiet", "origin", "HEAD"]);
    let mut reviewer: Option<Repo> = None;
    for shown in &tour {
        if shown.command.contains("git rapid fetch") {
            reviewer = Some(world.clone_of(&server, "reviewer"));
        }
        let at = reviewer.as_ref().unwrap_or(&app);
        let mut command = world.command("sh", at.path());
        command.args(["-c", &shown.command]);
        let said = match shown.lines.iter().find_map(|line| line.split_once(PROMPT)) {
            Some((_, typed)) => answer(command, PROMPT, typed),
            None => Output::of(&mut command),
        };
        compare(shown, &said.ok());
    }
    assert!(reviewer.is_some(), "the tour ends with a reviewer");
}

fn compare(shown: &Shown, said: &Output) {
    let text = format!("{}\n{}", said.stdout, said.stderr);
    let mut said_lines = text.lines();
    for line in &shown.lines {
        let line = line.split(PROMPT).next().unwrap_or_default();
        let found = said_lines.any(|said| matches(said.trim_end(), line));
        assert!(found, "'{line}' is shown under '$ {}' and was not said:\n{text}", shown.command);
    }
}

/// Whether `said` is `shown`, where `[..]` stands for anything. A prompt that ends in a question is a beginning.
fn matches(said: &str, shown: &str) -> bool {
    let mut rest = said;
    let mut parts = shown.split("[..]").peekable();
    let first = parts.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else { return false };
    rest = after;
    if parts.peek().is_none() {
        return rest.is_empty() || shown.starts_with("Type '");
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn the_two_commands_are_there() {
    for command in ["cargo run --release --locked -- demo", "cargo test --locked"] {
        assert!(README.contains(&format!("```sh\n{command}\n```")), "{command}");
    }
}
