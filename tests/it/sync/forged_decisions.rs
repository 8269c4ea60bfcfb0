//! A decision made by hand: `verify` tells it from one that follows from what diverged.

use super::{clones, diverged};
use crate::harness::Repo;

/// Two clones whose run diverged, decided in the first; returns it, the decision's directory and the two parents.
fn decided() -> (std::sync::Arc<crate::harness::World>, Repo, String, [String; 2]) {
    let (world, _, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    let _ = two.rapid(&["sync", "--take", "ours", "--subject", &run]).ok();
    let record = two.records().into_iter().find(|path| path.ends_with("/decision.json")).unwrap();
    let parents = two.git(&["rev-parse", "refs/rapid/ledger^1", "refs/rapid/ledger^2"]);
    let mut parents = parents.lines().map(str::to_owned);
    let parents = [parents.next().unwrap(), parents.next().unwrap()];
    (world, two, record.trim_end_matches("/decision.json").to_owned(), parents)
}

/// The same merge with these paths changed.
fn forge(repo: &Repo, parents: &[String; 2], changes: &[(&str, Option<&str>)]) {
    let tree = repo.tree_with("refs/rapid/ledger", changes);
    let entry = repo.entry(&tree, &[&parents[0], &parents[1]]);
    let before = repo.tip();
    repo.move_ledger(&entry);
    std::fs::remove_file(repo.path().join(".git/rapid/proved.json")).unwrap();
    assert_ne!(before, entry);
}

fn subject(directory: &str) -> String {
    directory.strip_prefix("diverged/").unwrap().rsplit_once('/').unwrap().0.to_owned()
}

#[test]
fn the_decision_itself_is_proven() {
    let (_world, repo, directory, parents) = decided();
    forge(&repo, &parents, &[]);
    let _ = repo.verify(&[]).ok().finds("RAPID1552", &subject(&directory));
}

#[test]
fn a_record_that_was_set_aside_may_not_be_left_out() {
    let (_world, repo, directory, parents) = decided();
    forge(&repo, &parents, &[(&format!("{directory}/aside/states/0004.json"), None)]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1550", &directory);
}

#[test]
fn a_record_that_stands_may_not_be_left_out_or_changed() {
    for change in ["gone", "changed", "more"] {
        let (_world, repo, directory, parents) = decided();
        let (state, more) =
            (format!("{}/states/0004.json", subject(&directory)), format!("{}/states/0005.json", subject(&directory)));
        let other = repo.blob(b"{}\n");
        match change {
            "gone" => forge(&repo, &parents, &[(&state, None)]),
            "changed" => forge(&repo, &parents, &[(&state, Some(&other))]),
            _ => forge(&repo, &parents, &[(&more, Some(&other))]),
        }
        let (code, path) = match change {
            "gone" => ("RAPID1517", &state),
            "changed" => ("RAPID1517", &state),
            _ => ("RAPID1522", &more),
        };
        let _ = repo.verify(&[]).ends(1).finds(code, path);
    }
}

#[test]
fn a_decision_without_its_record_or_with_another_is_found() {
    for bytes in [None, Some(&b"{}\n"[..])] {
        let (_world, repo, directory, parents) = decided();
        let blob = bytes.map(|bytes| repo.blob(bytes));
        forge(&repo, &parents, &[(&format!("{directory}/decision.json"), blob.as_deref())]);
        let _ = repo.verify(&[]).ends(1).finds("RAPID1550", &directory);
    }
}

#[test]
fn a_decision_of_a_later_round_than_there_was_is_found() {
    let (_world, repo, directory, parents) = decided();
    let later = directory.replace("/0001-", "/0007-");
    let moved: Vec<(String, String)> = repo
        .git(&["ls-tree", "-r", "refs/rapid/ledger", "--", &format!("{directory}/")])
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(head, path)| (path.to_owned(), head.rsplit(' ').next().unwrap().to_owned()))
        .collect();
    let new: Vec<(String, String)> =
        moved.iter().map(|(path, blob)| (path.replace(&directory, &later), blob.clone())).collect();
    let mut changes: Vec<(&str, Option<&str>)> = moved.iter().map(|(path, _)| (path.as_str(), None)).collect();
    changes.extend(new.iter().map(|(path, blob)| (path.as_str(), Some(blob.as_str()))));
    forge(&repo, &parents, &changes);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1550", &later);
}

#[test]
fn an_entry_that_is_no_merge_may_not_decide() {
    let (_world, repo, directory, _) = decided();
    let blob = repo.blob(b"{}\n");
    let path = format!("{}/0002-0123456789abcdef/aside/states/0004.json", directory.rsplit_once('/').unwrap().0);
    repo.append_entry(&[(&path, Some(&blob))]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1550", &path);
}

#[test]
fn a_merge_that_drops_a_record_without_a_decision_is_no_union() {
    let (_world, _, [one, two]) = clones(["one", "two"]);
    let run = diverged(&one, &two);
    two.git(&["fetch", "--quiet", "origin", "refs/rapid/ledger:refs/heads/theirs"]);
    let (ours, theirs) = (two.tip(), two.git(&["rev-parse", "refs/heads/theirs"]));
    let mut parents = [ours.as_str(), theirs.as_str()];
    parents.sort();
    let entry = two.entry(&two.git(&["rev-parse", "refs/rapid/ledger^{tree}"]), &parents);
    two.move_ledger(&entry);
    let _ = two.verify(&[]).ends(1).finds("RAPID1517", "states/0004.json");
    let _ = two.rapid(&["push"]).ends(2).says("was not sent");
    let _ = run;
}
