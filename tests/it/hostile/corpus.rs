//! Every fault of every family is found by its code; the good ledger beside them is proven. A part of them again through a
//! remote, and again in a SHA-256 repository.

use super::{Fault, Forge, bindings, entries, histories, json, places, reports, states, trees};
use crate::harness::{Output, Repo};

pub(super) const FAMILIES: &[(&str, &[Fault])] = &[
    ("trees", trees::FAULTS),
    ("entries", entries::FAULTS),
    ("histories", histories::FAULTS),
    ("places", places::FAULTS),
    ("json", json::FAULTS),
    ("bindings", bindings::FAULTS),
    ("states", states::FAULTS),
    ("reports", reports::FAULTS),
];

/// What is wrong with an answer; `None` when it is the expected one.
fn wrong(fault: &Fault, seen: &Output) -> Option<String> {
    let findings = seen.findings();
    let absent = fault.codes == ["RAPID1505"];
    let right = seen.code == if absent { 2 } else { 1 }
        && findings.iter().any(|(code, _)| code == fault.codes[0])
        && findings.iter().all(|(code, _)| fault.codes.contains(&code.as_str()))
        && !seen.stderr.contains("panicked");
    let mut codes: Vec<&str> = findings.iter().map(|(code, _)| code.as_str()).collect();
    codes.dedup();
    codes.truncate(8);
    (!right).then(|| format!("{}: expected {:?}, found {codes:?} [exit {}]", fault.name, fault.codes, seen.code))
}

/// Every `step`th fault of a family in this repository.
fn family(forge: &Forge, faults: &[Fault], step: usize) {
    assert_eq!(forge.repo.verify(&[&forge.tip]).ok().findings(), [], "the good one is proven");
    let same = forge.whole(&forge.repo.git(&["rev-parse", &format!("{}^{{tree}}", forge.tip)]));
    assert_eq!(forge.repo.verify(&[&same]).ok().findings(), [], "and so it is in one entry");
    let missed: Vec<String> = faults
        .iter()
        .step_by(step)
        .filter_map(|fault| wrong(fault, &forge.repo.verify(&[&(fault.forge)(forge)])))
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n\n"));
}

fn faults_of(name: &str) -> &'static [Fault] {
    FAMILIES.iter().find(|(own, _)| *own == name).unwrap().1
}

fn whole_family(name: &str) {
    let Some(forge) = Forge::new() else { return };
    family(&forge, faults_of(name), 1);
}

#[test]
fn trees_that_are_wrong_are_found() {
    whole_family("trees");
}

#[test]
fn entries_that_are_wrong_are_found() {
    whole_family("entries");
}

#[test]
fn histories_that_are_wrong_are_found() {
    whole_family("histories");
}

#[test]
fn places_that_are_wrong_are_found() {
    whole_family("places");
}

#[test]
fn records_that_are_wrong_json_are_found() {
    whole_family("json");
}

#[test]
fn bindings_that_are_wrong_are_found() {
    whole_family("bindings");
}

#[test]
fn states_that_are_wrong_are_found() {
    whole_family("states");
}

#[test]
fn reports_that_are_wrong_are_found() {
    whole_family("reports");
}

#[test]
fn there_are_more_than_a_hundred_and_twenty_and_no_two_are_called_the_same() {
    let names: std::collections::BTreeSet<(&str, &str)> =
        FAMILIES.iter().flat_map(|(family, faults)| faults.iter().map(move |fault| (*family, fault.name))).collect();
    let count: usize = FAMILIES.iter().map(|(_, faults)| faults.len()).sum();
    assert_eq!(names.len(), count);
    assert!(count >= 120, "there are {count}");
}

#[test]
fn in_a_sha256_repository_they_are_found_by_the_same_codes() {
    let Some(forge) = Forge::sha256() else { return };
    for (_, faults) in FAMILIES {
        family(&forge, faults, 8);
    }
}

#[test]
fn what_comes_through_a_remote_is_refused_and_the_ledger_here_does_not_move() {
    let Some(forge) = Forge::new() else { return };
    let world = forge.repo.world();
    let server = world.remote("server");
    let reader = Repo::at(world, world.path("reader"));
    world.git_at(world.top(), &["clone", "--quiet", server.path().to_str().unwrap(), "reader"]);
    let send = |tip: &str| {
        let to = format!("+{tip}:refs/rapid/ledger");
        forge.repo.try_git(&["push", "--quiet", server.path().to_str().unwrap(), &to])
    };
    let honest = forge.repo.git(&["rev-parse", &format!("{}~2", forge.tip)]);
    send(&honest).ok();
    reader.rapid(&["fetch"]).ok();
    let mut refused = 0;
    for fault in FAMILIES.iter().flat_map(|(_, faults)| faults.iter().step_by(10)) {
        let tip = (fault.forge)(&forge);
        // Some trees are so odd that git does not send them at all.
        if send(&tip).code != 0 {
            continue;
        }
        // A ledger that was rewound would be refused for that alone.
        std::fs::remove_dir_all(reader.path().join(".git/rapid/seen")).unwrap();
        let seen = reader.rapid(&["fetch", "--json"]);
        assert!(seen.code == 1 || seen.code == 2, "{}: {seen}", fault.name);
        assert!(fault.codes.iter().any(|code| seen.stderr.contains(code)), "{}: {seen}", fault.name);
        assert_eq!(reader.tip(), honest, "{}", fault.name);
        send(&honest).ok();
        reader.rapid(&["fetch"]).ok();
        refused += 1;
    }
    assert!(refused >= 25, "{refused} were refused");
    reader.rapid(&["verify", "--full"]).ok();
    send(&forge.tip).ok();
    reader.rapid(&["fetch"]).ok();
    assert_eq!(reader.tip(), forge.tip);
}
