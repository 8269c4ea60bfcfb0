//! Summaries: a target for each runner, whose real outputs are damaged, and one for each machine format.

use crate::budget::Budget;
use crate::corpus::{Seed, seeds};
use crate::mutator::Mutator;
use git_rapid::check::summary::{Input, Outcome, Summary, named, recognise};
use std::collections::BTreeMap;

/// How many inputs each target replays in an ordinary run.
const REPLAYED: u64 = 60;

fn read(output: &[u8], exit_code: i32, truncated: bool) -> Summary {
    let input = Input { output, exit_code, command: &[], truncated };
    let summary = recognise(&input);
    named(&input, &summary);
    summary
}

/// What holds for every input.
fn holds(output: &[u8]) -> Result<(), String> {
    let green = read(output, 0, false);
    let sound = match green.outcome {
        Outcome::Pass => {
            green.counted && green.counts.failed == 0 && green.counts.passed > 0 && green.uncounted.is_none()
        }
        Outcome::Fail => green.counts.failed > 0,
        Outcome::Unverified => green.counts.failed == 0 && green.uncounted.is_some(),
    };
    let red = read(output, 1, false);
    let cut = read(output, 0, true);
    match () {
        () if !sound => Err(format!("an answer that contradicts itself: {green:?}")),
        () if green.reason.is_empty() || green.reason.contains('\n') => Err("no sentence".to_owned()),
        () if red.outcome != Outcome::Fail => Err(format!("exit 1 is {red:?}")),
        () if cut.counted || cut.outcome == Outcome::Pass => Err(format!("cut is {cut:?}")),
        () if read(output, 0, false) != green => Err("two answers".to_owned()),
        () => Ok(()),
    }
}

fn fuzz(target: &str, targets: usize, own: &[&Seed], all: &[Seed]) {
    for seed in own {
        holds(&seed.output).unwrap_or_else(|why| panic!("{}: {why}", seed.name));
    }
    let mut budget = Budget::of(target, targets, REPLAYED);
    let mut mutator = Mutator::new(budget.seed());
    while budget.another() {
        let seed = mutator.one_of(own);
        let output = mutator.one_of(all).output.clone();
        let damaged = mutator.damage(&seed.output, &output);
        if let Err(why) = holds(&damaged) {
            panic!("{target}, from {}: {why}\n{}", seed.name, damaged.escape_ascii());
        }
    }
}

#[test]
fn every_runner() {
    let all = seeds();
    let mut targets: BTreeMap<&str, Vec<&Seed>> = BTreeMap::new();
    for seed in &all {
        targets.entry(&seed.runner).or_default().push(seed);
    }
    for (target, own) in &targets {
        fuzz(target, targets.len(), own, &all);
    }
}

#[test]
fn every_machine_format() {
    let all = seeds();
    let mut targets: BTreeMap<&str, Vec<&Seed>> = BTreeMap::new();
    for seed in &all {
        if let Some(format) = &seed.format {
            targets.entry(format).or_default().push(seed);
        }
        if seed.output.windows(12).any(|window| window == b"TAP version ") {
            targets.entry("tap").or_default().push(seed);
        }
        if seed.output.windows(15).any(|window| window == b"{ \"type\": \"test") {
            targets.entry("libtest-json").or_default().push(seed);
        }
    }
    for known in ["go-test-json", "junit-xml", "libtest-json", "tap"] {
        assert!(targets.contains_key(known), "{known} is not among {:?}", targets.keys());
    }
    for (target, own) in &targets {
        fuzz(target, targets.len(), own, &all);
    }
}

/// A red output into which a green one is written, whole or its last lines, at any place between its lines, never passes: whoever prints
/// beside a runner can add lines, and takes none away.
#[test]
fn green_lines_in_a_red_output() {
    let all = seeds();
    let of = |outcome: Outcome| {
        let is = |seed: &&Seed| {
            let summary = read(&seed.output, 0, false);
            summary.outcome == outcome && summary.counted
        };
        all.iter().filter(is).collect::<Vec<&Seed>>()
    };
    let (red, green) = (of(Outcome::Fail), of(Outcome::Pass));
    assert!(red.len() > 80 && green.len() > 80, "{} red, {} green", red.len(), green.len());
    let mut budget = Budget::of("green lines in a red output", 1, 2000);
    let mut mutator = Mutator::new(budget.seed());
    let mut wrong = BTreeMap::new();
    while budget.another() {
        let (red, green) = (mutator.one_of(&red), mutator.one_of(&green));
        let lines = if mutator.below(2) == 0 { green.output.clone() } else { mutator.end_of(&green.output) };
        let both = mutator.with_lines(&red.output, &lines);
        if read(&both, 0, false).outcome == Outcome::Pass {
            wrong.entry(red.name.clone()).or_insert((green.name.clone(), both));
        }
    }
    let names: Vec<_> = wrong.iter().map(|(red, (green, _))| format!("{red} + {green}")).collect();
    let first = wrong.values().next().map(|(_, both)| String::from_utf8_lossy(both).into_owned());
    assert!(wrong.is_empty(), "{} red outputs pass: {names:#?}\n{}", names.len(), first.unwrap_or_default());
}
