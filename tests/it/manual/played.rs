//! Plays a page: types its commands in its scene, and compares what is said.
//!
//! `[..]` stands for anything within a line. Lines that are said and not shown are allowed; lines that are shown and not said, in
//! that order, are not. `[exit N]` is the status when it is not 0. What is typed at a prompt stands behind it.

use super::page::{Shown, Step, steps};
use super::scene::Scene;
use super::{blessing, pages};
use crate::harness::{Output, answer, somebody_can_be_asked, step_aside};
use regex::Regex;

/// The end of the question that a person is asked.
pub const PROMPT: &str = "anything else to leave it: ";
/// The line in whose place `RAPID_BLESS` writes what is said.
const TO_FILL: &str = "?";

/// Types a command; `sentence` at the prompt.
pub fn typed(scene: &Scene, command: &str, sentence: Option<&str>) -> Output {
    let mut shell = scene.world().command("sh", scene.place());
    shell.args(["-c", &format!("exec 2>&1\n{command}")]);
    match sentence {
        Some(sentence) => answer(shell, PROMPT, sentence),
        None => Output::of(&mut shell),
    }
}

#[test]
fn what_the_manual_shows_is_what_happens() {
    let mut played = 0;
    let mut wrong = Vec::new();
    std::thread::scope(|scope| {
        let all: Vec<_> =
            pages().into_iter().map(|(path, text)| scope.spawn(move || (play(&text), path, text))).collect();
        for page in all {
            let (outcome, path, text) = page.join().expect("a page is played");
            played += outcome.commands;
            if blessing() && outcome.text != text {
                std::fs::write(&path, &outcome.text).unwrap();
            }
            wrong.extend(outcome.wrong.into_iter().map(|fault| format!("{}: {fault}", path.display())));
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(played > 12, "the tour of the README is there");
}

/// What came of a page.
#[derive(Default)]
struct Outcome {
    commands: usize,
    wrong: Vec<String>,
    text: String,
}

fn play(text: &str) -> Outcome {
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| vec![line.to_owned()]).collect();
    let mut outcome = Outcome::default();
    let mut scene = None;
    for step in steps(text) {
        match step {
            Step::Scene(name) if name == "a clone" => scene = scene.map(Scene::in_a_clone),
            Step::Scene(name) if name == "not played" => scene = None,
            Step::Scene(name) => {
                scene = Scene::set(&name);
                if scene.is_none() {
                    step_aside("this page needs a person's approval, and a coding agent is above this test");
                }
            }
            Step::Shown(shown) => {
                let Some(scene) = &scene else { continue };
                if needs_a_person(&shown) && !somebody_can_be_asked() {
                    step_aside("this page has an approval, and a coding agent is above this test");
                    break;
                }
                outcome.commands += 1;
                let said = said_to(scene, &shown);
                if shown.said.iter().any(|line| line == TO_FILL) && blessing() {
                    for line in lines.get_mut(shown.at.clone()).into_iter().flatten() {
                        line.clear();
                    }
                    lines[shown.at.start - 1].extend(written(&said));
                } else if let Err(fault) = compare(&shown, &said) {
                    outcome.wrong.push(fault);
                }
            }
        }
    }
    outcome.text = lines.concat().join("\n") + "\n";
    outcome
}

fn needs_a_person(shown: &Shown) -> bool {
    shown.said.iter().any(|line| line.contains(PROMPT))
}

fn said_to(scene: &Scene, shown: &Shown) -> Output {
    let sentence = shown.said.iter().find_map(|line| line.split_once(PROMPT)).map(|(_, sentence)| sentence);
    typed(scene, &shown.command, sentence)
}

fn compare(shown: &Shown, said: &Output) -> Result<(), String> {
    let status =
        shown.said.iter().find_map(|line| line.strip_prefix("[exit ")?.strip_suffix(']')?.parse().ok()).unwrap_or(0);
    if said.code != status {
        return Err(format!("'$ {}' ends with {}, shown as {status}: {said}", shown.command, said.code));
    }
    let mut said_lines = said.stdout.lines();
    for line in shown.said.iter().filter(|line| !line.starts_with("[exit ")) {
        let line = line.split(PROMPT).next().unwrap_or_default();
        if !said_lines.any(|said| matches(said.trim_end(), line.trim_end())) {
            return Err(format!("'{line}' is shown under '$ {}' and was not said:\n{}", shown.command, said.stdout));
        }
    }
    Ok(())
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

/// What was said, as a page shows it: what is another in every clone and at every time as `[..]`.
fn written(said: &Output) -> Vec<String> {
    let varies = [
        r"\b[0-9a-f]{7,64}\b…?",
        r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?",
        r"\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|bytes|KiB|MiB)\b",
        r"/\S*/(?:app|server|reviewer|here)\b",
    ];
    let varies = varies.map(|pattern| Regex::new(pattern).unwrap());
    let mut lines: Vec<String> = said
        .stdout
        .lines()
        .map(|line| {
            varies.iter().fold(line.trim_end().to_owned(), |line, one| one.replace_all(&line, "[..]").into_owned())
        })
        .collect();
    if said.code != 0 {
        lines.push(format!("[exit {}]", said.code));
    }
    lines
}
