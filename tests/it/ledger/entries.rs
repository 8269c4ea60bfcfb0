//! Entries that were removed, altered, merged or begun by somebody else.

use crate::harness::{Loop, Repo, finished};

#[test]
fn an_entry_removed_from_the_middle_leaves_gaps_that_are_named() {
    let Some(repo) = finished() else { return };
    // The second entry of the run, `task start`, is left out; those after it are hung on the one before it.
    let history = repo.git(&["rev-list", "--reverse", "refs/rapid/ledger"]);
    let entries: Vec<&str> = history.lines().collect();
    let removed = repo.git(&["diff", "--name-only", entries[1], entries[2]]);
    let gone: Vec<(&str, Option<&str>)> = removed.lines().map(|path| (path, None)).collect();
    assert!(!gone.is_empty());
    let mut parent = entries[1].to_owned();
    for entry in &entries[3..] {
        parent = repo.entry(&repo.tree_with(entry, &gone), &[&parent]);
    }
    let seen = repo.verify(&[&parent]).ends(1);
    assert!(
        seen.findings().iter().any(|(code, path)| code == "RAPID1011" && gone[0].0.starts_with(path.as_str())),
        "{seen}"
    );
}

#[test]
fn entries_run_together_into_one_are_not_the_expected_history() {
    let Some(repo) = finished() else { return };
    let tip = repo.tip();
    let squashed = repo.entry(&repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]), &[&repo.first_entry()]);
    // Every record is there and true; only the one who remembers the tip can know that history was rewritten.
    let _ = repo.verify(&[&squashed, "--expect", &tip]).ends(1).finds("RAPID1536", "");
    let _ = repo.verify(&[&tip, "--expect", &tip]).ok();
    let before = repo.git(&["rev-parse", &format!("{tip}~2")]);
    let _ = repo.verify(&[&before, "--expect", &tip]).ends(1).finds("RAPID1536", "");
    let _ = repo.verify(&[&tip, "--expect", &before]).ok();
}

#[test]
fn an_entry_that_deletes_an_older_path_is_found() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    let entry = repo.append_entry(&[(&path, None)]);
    let seen = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
    assert!(seen.stdout.contains(&entry), "the entry is named: {seen}");
    repo.rapid(&["verify"]).ends(1).says("disproven").says(&path).says("RAPID1517");
}

#[test]
fn an_entry_that_puts_a_directory_in_the_place_of_a_record_is_found() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    let blob = repo.blob(b"{}\n");
    repo.append_entry(&[(&path, None), (&format!("{path}/below"), Some(&blob))]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
}

#[test]
fn every_record_of_a_directory_that_is_gone_is_named() {
    let Some(repo) = finished() else { return };
    let tip = repo.tip();
    let states: Vec<String> = repo.records().into_iter().filter(|path| path.contains("/states/")).collect();
    let gone: Vec<(&str, Option<&str>)> = states.iter().map(|path| (path.as_str(), None)).collect();
    let blob = repo.blob(b"x\n");
    let directory = states[0].trim_end_matches("/0001.json");
    let replaced: Vec<_> = gone.iter().copied().chain([(directory, Some(blob.as_str()))]).collect();
    for changes in [gone.clone(), replaced] {
        repo.move_ledger(&tip);
        repo.append_entry(&changes);
        let seen = repo.verify(&[]).ends(1);
        for path in &states {
            assert!(seen.findings().contains(&("RAPID1517".to_owned(), path.clone())), "'{path}' is named: {seen}");
        }
    }
}

#[test]
fn a_deletion_that_a_later_entry_undoes_is_found_all_the_same() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    let blob = repo.git(&["rev-parse", &format!("refs/rapid/ledger:{path}")]);
    let deleted = repo.append_entry(&[(&path, None)]);
    repo.append_entry(&[(&path, Some(&blob))]);
    let seen = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
    assert!(seen.stdout.contains(&deleted), "the entry that deleted it is named: {seen}");
}

#[test]
fn a_path_that_no_record_has_is_found() {
    let Some(repo) = finished() else { return };
    let first = repo.tip();
    let blob = repo.blob(b"x\n");
    let run = repo.record("contract.json").replace("contract.json", "");
    let odd = [
        "notes.txt".to_owned(),
        format!("{run}extra.json"),
        format!("{run}evidence/E1.json"),
        format!("{run}evidence/E0001.json"),
        format!("{run}states/9.json"),
        format!("{run}states/0000.json"),
        format!("{run}reports/0001.txt"),
        "runs/00/add-a-greeting-r1-run-001/contract.json".to_owned(),
        "missions/00/m/plan".to_owned(),
    ];
    for path in odd {
        repo.move_ledger(&first);
        repo.append_entry(&[(&path, Some(&blob))]);
        let seen = repo.verify(&[]).ends(1);
        let named =
            seen.findings().iter().any(|(code, at)| *at == path && ["RAPID1521", "RAPID1201"].contains(&code.as_str()));
        assert!(named, "'{path}' is named: {seen}");
    }
}

/// Two tips that were written honestly on the same entry.
fn two_tips(repo: &Repo) -> (String, String) {
    let base = repo.tip();
    let mut tips: Vec<String> = ["One thing", "Another thing"]
        .iter()
        .map(|title| {
            repo.move_ledger(&base);
            Loop::start(repo, title);
            let tip = repo.tip();
            repo.rapid(&["abort"]).ok();
            tip
        })
        .collect();
    tips.sort();
    (tips[0].clone(), tips[1].clone())
}

#[test]
fn a_merge_is_exactly_the_union_of_its_parents() {
    let Some(repo) = finished() else { return };
    let (one, other) = two_tips(&repo);
    let theirs = repo.git(&["diff", "--no-renames", "--diff-filter=A", "--raw", "--no-abbrev", &one, &other]);
    let added: Vec<(&str, Option<&str>)> =
        theirs.lines().map(|line| (line.split('\t').nth(1).unwrap(), line.split(' ').nth(3))).collect();
    let union = repo.tree_with(&one, &added);
    let _ = repo.verify(&[&repo.entry(&union, &[&one, &other])]).ok();

    let blob = repo.blob(b"slipped in\n");
    let more: Vec<_> = added.iter().copied().chain([("slipped/in", Some(blob.as_str()))]).collect();
    let adds = repo.entry(&repo.tree_with(&one, &more), &[&one, &other]);
    let _ = repo.verify(&[&adds]).ends(1).finds("RAPID1522", "slipped/in");

    let dropped = added.last().unwrap().0;
    let drops = repo.entry(&repo.tree_with(&one, &added[..added.len() - 1]), &[&one, &other]);
    let _ = repo.verify(&[&drops]).ends(1).finds("RAPID1517", dropped);

    let ours = repo.entry(&repo.tree_with(&one, &[]), &[&one, &other]);
    let seen = repo.verify(&[&ours]).ends(1);
    assert!(
        seen.findings().iter().any(|(code, _)| code == "RAPID1517"),
        "taking one side only drops the other: {seen}"
    );

    let path = repo.record("reports/0001.json");
    let altered: Vec<_> = added.iter().copied().chain([(path.as_str(), Some(blob.as_str()))]).collect();
    let alters = repo.entry(&repo.tree_with(&one, &altered), &[&one, &other]);
    let _ = repo.verify(&[&alters]).ends(1).finds("RAPID1517", &path);
}

#[test]
fn a_ledger_that_begins_elsewhere_is_found() {
    let Some(repo) = finished() else { return };
    let tree = repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]);
    let tip = repo.tip();
    let foreign = repo.entry(&tree, &[]);
    let _ = repo.verify(&[&foreign]).ends(1).finds("RAPID1524", "");
    let branch = repo.git(&["rev-parse", "main"]);
    let seen = repo.verify(&[&branch]);
    assert_eq!(seen.code, 1, "an ordinary branch is no ledger: {seen}");
    let mut parents = [tip.as_str(), foreign.as_str()];
    parents.sort_unstable();
    let joined = repo.entry(&tree, &parents);
    let _ = repo.verify(&[&joined]).ends(1).finds("RAPID1524", "");
}

#[test]
fn all_findings_are_listed_and_none_hides_another() {
    let Some(repo) = finished() else { return };
    let (report, state) = (repo.record("reports/0001.json"), repo.record("states/0003.json"));
    let blob = repo.blob(b"x\n");
    repo.append_entry(&[("notes.txt", Some(&blob))]);
    repo.append_entry(&[(&report, Some(&blob))]);
    repo.append_entry(&[(&state, None)]);
    let seen = repo.verify(&[]).ends(1);
    let _ = seen.finds("RAPID1521", "notes.txt").finds("RAPID1517", &report).finds("RAPID1517", &state);
}
