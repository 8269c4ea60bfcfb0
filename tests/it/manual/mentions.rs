//! Whatever line of `git rapid …` the manual mentions, in a block or in a sentence, is one that the program takes.

use super::pages;
use crate::harness::{Output, World};

/// The command lines that a page mentions.
fn mentioned(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut block = None;
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            block = if block.is_none() { Some(kind.to_owned()) } else { None };
            continue;
        }
        match block.as_deref() {
            Some("console" | "sh") => {
                let line = line.strip_prefix("$ ").unwrap_or(line);
                if line.starts_with("git rapid ") {
                    all.push(line.to_owned());
                }
            }
            Some(_) => {}
            None => {
                let spans = line.split('`').skip(1).step_by(2);
                all.extend(spans.filter(|span| span.starts_with("git rapid ")).map(str::to_owned));
            }
        }
    }
    all
}

/// The words of a line as far as it is one command: up to a comment, a pipe, another command; quotes taken off.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = None;
    let mut fresh = true;
    for letter in line.chars() {
        match (quoted, letter) {
            (Some(quote), letter) if quote == letter => quoted = None,
            (None, '"' | '\'') => {
                quoted = Some(letter);
                if fresh {
                    words.push(String::new());
                    fresh = false;
                }
            }
            (None, ' ') => fresh = true,
            (None, '#') if fresh => break,
            (None, '&' | ';' | '>') => break,
            (None, '|') if fresh => break,
            (_, letter) => {
                if fresh && quoted.is_none() {
                    words.push(String::new());
                    fresh = false;
                }
                words.last_mut().expect("a word has begun").push(letter);
            }
        }
    }
    words
}

#[test]
fn every_command_that_is_mentioned_is_one() {
    let world = World::new();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        for line in mentioned(&text) {
            seen += 1;
            let words = words(&line);
            let ours = words.iter().skip(2).take_while(|word| *word != "--").map(String::as_str);
            // With '--help' what is left out does not matter, and nothing is done.
            let said = Output::of(world.tool(world.top()).args(ours.chain(["--help"])));
            // `A|B`, `…` and `<id>` stand for what is to be filled in.
            // An option may be named without its value.
            let named =
                said.stderr.contains("a value is required") && words.last().is_some_and(|word| word.starts_with("--"));
            if said.code != 0 && !named && !line.contains(['|', '…', '<']) {
                let why = said.stderr.lines().next().unwrap_or_default();
                wrong.push(format!("{}: {line}\n  {why}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "the manual mentions commands: {seen}");
}
