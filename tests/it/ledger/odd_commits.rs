//! Entries that are commits to git and no entries to us: the grammar is closed.

use crate::harness::{Repo, finished};

/// Verifies a ledger whose newest entry has these bytes; what is wrong with it is the entry itself.
fn refused(repo: &Repo, what: &str, text: &[u8]) {
    let entry = repo.raw_commit(text);
    let seen = repo.verify(&[&entry]).ends(1);
    let found = seen.findings();
    assert!(found.iter().any(|(code, _)| ["RAPID1516", "RAPID1525"].contains(&code.as_str())), "{what}: {seen}");
    assert!(seen.stdout.contains(&entry), "{what}: the entry is named: {seen}");
}

#[test]
fn anything_that_the_grammar_does_not_know_is_found() {
    let Some(repo) = finished() else { return };
    let (tip, tree) = (repo.tip(), repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]));
    let good = repo.entry_text(&tree, &[&tip]);
    let _ = repo.verify(&[&repo.raw_commit(good.as_bytes())]).ok();
    let after_committer = |header: &str| good.replacen("\n\n", &format!("\n{header}\n\n"), 1);
    let odd = [
        ("an encoding", after_committer("encoding UTF-7")),
        ("a signature", after_committer("gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----")),
        ("a merged tag", after_committer("mergetag object 0000000000000000000000000000000000000000")),
        ("an unknown header", after_committer("rapid-note x")),
        ("a header before the author", good.replacen("author", "note x\nauthor", 1)),
        ("another author", good.replacen("author Ada", "author Eve", 1)),
        ("a time zone", good.replace("+0000", "+0100")),
        ("a padded time", good.replace("1767300000", "01767300000")),
        ("a NUL in the message", format!("{good}before\0after\n")),
        ("no message", good.split_once("\n\n").unwrap().0.to_owned() + "\n"),
        ("an upper-case id", good.replacen(&tip, &tip.to_uppercase(), 1)),
        (
            "a parent of another object format",
            good.replacen(&tip, &"12345678".repeat(if tip.len() == 40 { 8 } else { 5 }), 1),
        ),
        (
            "a tree of another object format",
            good.replacen(&tree, &"12345678".repeat(if tip.len() == 40 { 8 } else { 5 }), 1),
        ),
        ("a shortened id", good.replacen(&tip, &tip[..39], 1)),
        ("two trees", good.replacen("parent", &format!("tree {tree}\nparent"), 1)),
        ("a very long message", format!("{good}{}", "long ".repeat(100_000))),
    ];
    for (what, text) in odd {
        refused(&repo, what, text.as_bytes());
    }
    let mut latin = good.into_bytes();
    latin.extend_from_slice(b"caf\xe9\n");
    refused(&repo, "a message that is not UTF-8", &latin);
}

#[test]
fn odd_parents_are_found() {
    let Some(repo) = finished() else { return };
    let (tip, tree) = (repo.tip(), repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]));
    let mut parents: Vec<String> = (0..3).map(|back| repo.git(&["rev-parse", &format!("{tip}~{back}")])).collect();
    parents.sort();
    let [a, b, c] = [parents[0].as_str(), parents[1].as_str(), parents[2].as_str()];
    refused(&repo, "the same parent twice", repo.entry_text(&tree, &[&tip, &tip]).as_bytes());
    refused(&repo, "an octopus", repo.entry_text(&tree, &[a, b, c]).as_bytes());
    refused(&repo, "parents out of order", repo.entry_text(&tree, &[b, a]).as_bytes());
}

#[test]
fn an_entry_whose_parent_is_no_commit_is_found() {
    let Some(repo) = finished() else { return };
    let tree = repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]);
    let seen = repo.verify(&[&repo.entry(&tree, &[&tree])]);
    assert_eq!(seen.code, 1, "{seen}");
    let missing = &"1234567890".repeat(7)[..tree.len()];
    let _ = repo.verify(&[&repo.entry(&tree, &[missing])]).ends(2).finds("RAPID1505", "");
}
