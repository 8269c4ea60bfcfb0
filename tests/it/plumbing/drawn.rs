//! The history as it is drawn, line by line: the ledgers of two clones part and come together, what is left out leaves no gap,
//! and a long one is told as it is read.

use crate::harness::{Loop, Output, Repo, World, peak_memory, project};
use git_rapid::domain::json::{self, Value};
use std::sync::Arc;

/// A clone whose ledger was joined with that of another one.
fn joined() -> (Arc<World>, Repo) {
    let world = World::new();
    let seed = project(&world, "seed");
    let remote = world.remote("remote.git");
    seed.git(&["push", "--quiet", remote.path().to_str().unwrap(), "main"]);
    let [one, two] = ["one", "two"].map(|name| world.clone_of(&remote, name));
    let _first = Loop::start(&one, "One thing");
    one.rapid(&["task", "start", "T001"]).ok();
    let _second = Loop::start(&two, "Another thing");
    one.rapid(&["push"]).ok();
    two.rapid(&["push"]).ok();
    (world, two)
}

/// What stands before the time of each line, with the ids written `X`.
fn drawing(said: &Output) -> Vec<String> {
    let words = |line: &str| match line.split_once("  20") {
        Some((before, _)) => format!("{} X", before.rsplit_once(' ').unwrap().0),
        None => line.to_owned(),
    };
    said.stdout.lines().map(words).collect()
}

/// The subject of each line that has one, in order.
fn subjects(said: &Output) -> Vec<String> {
    let last = |line: &str| line.rsplit("  ").next().unwrap().to_owned();
    said.stdout.lines().filter(|line| line.contains("  20")).map(last).collect()
}

#[test]
fn two_clones_that_came_together_are_drawn_as_two_lines() {
    let (world, repo) = joined();
    let drawn = repo.rapid(&["log", "--graph"]).ok();
    let lines = drawing(&drawn);
    let (left, right) = (lines.iter().filter(|line| *line == "* | X").count(), "| * X");
    assert!(
        lines.first().is_some_and(|line| line == "o X") && lines.get(1).is_some_and(|line| line == "|-."),
        "{drawn}"
    );
    assert_eq!(left + lines.iter().filter(|line| *line == right).count(), 3, "{drawn}");
    assert_eq!(lines[lines.len() - 2..], ["|-'", "* X"], "{drawn}");
    assert!(subjects(&drawn).first().unwrap().starts_with("merge two tips"), "{drawn}");
    assert_eq!(subjects(&drawn).last().unwrap(), "begin the ledger");

    let utf8 = Output::of(repo.tool().args(["log", "--graph"]).env("LC_ALL", "C.UTF-8")).ok();
    assert!(
        utf8.stdout.starts_with('◇') && utf8.stdout.contains("\n├─╮\n") && utf8.stdout.contains("├─╯\n○"),
        "{utf8}"
    );
    let colour = Output::of(world.tool(repo.path()).args(["log", "--graph", "--color", "always"]));
    assert!(colour.ok().stdout.starts_with("\u{1b}["), "the lines stand out");
    repo.rapid(&["show", &repo.tip()]).ok().says("a merge: it adds nothing of its own");
    assert!(repo.rapid(&["log", "--graph", "-n", "2"]).ok().stdout.lines().filter(|l| l.contains("  20")).count() == 2);
}

#[test]
fn no_entry_is_drawn_above_one_that_follows_it_and_documents_keep_the_parents() {
    let (_world, repo) = joined();
    let drawn = repo.rapid(&["log", "--graph", "--json"]).ok().json();
    let listed = drawn.get("entries").unwrap().as_list().unwrap();
    let ids: Vec<&str> = listed.iter().map(|entry| entry.get("id").unwrap().as_text().unwrap()).collect();
    assert_eq!(listed.len(), 5);
    for (place, entry) in listed.iter().enumerate() {
        for parent in entry.get("parents").unwrap().as_list().unwrap() {
            let behind = ids.iter().position(|id| Some(*id) == parent.as_text()).unwrap();
            assert!(behind > place, "{}", drawn.pretty());
        }
    }
    let lines = repo.rapid(&["log", "--json-lines"]).ok();
    let documents: Vec<Value> = lines.stdout.lines().map(|line| json::parse(line.as_bytes()).unwrap()).collect();
    assert_eq!(documents.len(), 5);
    for document in &documents {
        assert_eq!(document.get("schema_version"), Some(&1.into()));
        assert!(document.get("parents").is_some() && document.get("records").is_some(), "{lines}");
    }
    let merge = documents.iter().find(|document| document.get("verb") == Some(&"merge".into())).unwrap();
    assert_eq!(merge.get("parents").unwrap().as_list().unwrap().len(), 2);
    repo.rapid(&["log", "--json-lines", "--json"]).ends(2).names("RAPID001");
}

#[test]
fn what_a_filter_leaves_out_leaves_no_gap() {
    let (_world, repo) = joined();
    let starts = repo.rapid(&["log", "--graph", "--verb", "start"]).ok();
    assert_eq!(drawing(&starts), ["* X", "* X"], "neither lies behind the other, and nothing kept is behind both");
    let one = repo.rapid(&["log", "--graph", "--run", "one-thing"]).ok();
    assert_eq!(drawing(&one), ["* X", "* X"]);
    assert!(subjects(&one).first().unwrap().starts_with("task "), "{one}");
    let ends = repo.rapid(&["log", "--graph", "--actor", "git-rapid@localhost"]).ok();
    assert_eq!(drawing(&ends), ["* X", "* X"], "two sides that show nothing are one line: {ends}");
}

#[test]
fn a_long_history_is_told_as_it_is_read() {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet");
    let (tip, tree) = (repo.tip(), repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]));
    let mut stream = format!("reset refs/rapid/ledger\nfrom {tip}\n\n");
    let many = 20_000;
    for number in 0..many {
        let message = format!("task x T001: {number}\n\nRapid-Verb: task\nRapid-Subject: x\n");
        let who = format!("Ada <ada@example.com> {} +0000", 1_767_300_000 + number);
        stream.push_str(&format!("commit refs/rapid/ledger\ncommitter {who}\ndata {}\n{message}", message.len()));
        stream.push('\n');
    }
    repo.git_with(&["fast-import", "--quiet", "--force"], stream.as_bytes());
    assert_eq!(repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]), tree, "they add nothing");
    for options in [&["log"][..], &["log", "--json-lines"], &["log", "--graph", "--json-lines"], &["log", "--graph"]] {
        let Some((output, kibibytes)) = peak_memory(repo.tool().args(options)) else { return };
        assert_eq!(output.ok().stdout.lines().count(), many + 2, "{options:?}");
        assert!(kibibytes < 64 * 1024, "{options:?} took {kibibytes} KiB");
    }
    // Whoever has read enough ends it.
    repo.sh("git rapid log | head -n 1 >../first && git rapid log --json-lines | head -n 1 >>../first");
    assert_eq!(std::fs::read_to_string(world.path("first")).unwrap().lines().count(), 2);
}
