//! Trees that git itself would not have written, and names and modes that no ledger holds.

use crate::harness::{Entry, Repo, finished};

/// A whole ledger of this tree: one entry after the first.
fn verify_tree(repo: &Repo, tree: &str) -> crate::harness::Output {
    repo.verify(&[&repo.entry(tree, &[&repo.first_entry()])]).ends(1)
}

struct Parts {
    format: String,
    runs: String,
    specs: String,
    blob: String,
}

impl Parts {
    fn of(repo: &Repo) -> Parts {
        let id = |what: &str| repo.git(&["rev-parse", &format!("refs/rapid/ledger:{what}")]);
        Parts { format: id("format"), runs: id("runs"), specs: id("specs"), blob: repo.blob(b"x\n") }
    }

    /// The top of the ledger with more entries, in this order: before `format`, between it and `runs`, after `specs`.
    fn top<'a>(&'a self, before: &[Entry<'a>], between: &[Entry<'a>], after: &[Entry<'a>]) -> Vec<Entry<'a>> {
        let format: &[Entry<'a>] = &[("100644", b"format", &self.format)];
        let directories: &[Entry<'a>] = &[("40000", b"runs", &self.runs), ("40000", b"specs", &self.specs)];
        [before, format, between, directories, after].concat()
    }
}

#[test]
fn modes_that_no_record_has_are_found_with_their_path() {
    let Some(repo) = finished() else { return };
    let parts = Parts::of(&repo);
    let commit = repo.tip();
    for (mode, id) in [("120000", &parts.blob), ("160000", &commit), ("100755", &parts.blob)] {
        let tree = repo.raw_tree(&parts.top(&[], &[], &[(mode, b"strange", id)]));
        let _ = verify_tree(&repo, &tree).finds("RAPID1515", "strange");
        let seen = verify_tree(&repo, &repo.raw_tree(&[(mode, b"format", id)]));
        assert!(seen.findings().iter().any(|(_, path)| path == "format"), "mode {mode} in a record's place: {seen}");
    }
    for mode in ["100664", "100600", "040000", "0100644", "644", "10064x", "2"] {
        let tree = repo.raw_tree(&parts.top(&[], &[], &[(mode, b"strange", &parts.blob)]));
        let _ = verify_tree(&repo, &tree).finds("RAPID1515", "");
    }
}

#[test]
fn names_that_lead_elsewhere_or_hide_are_found() {
    let Some(repo) = finished() else { return };
    let parts = Parts::of(&repo);
    let sorted_first: &[&[u8]] =
        &[b"", b".", b"..", b".git", b".GIT", b"a/b", b"a\\b", b"a:b", b"bell\x07", b"crlf\r", b"a\nb"];
    for name in sorted_first {
        for (mode, id) in [("100644", &parts.blob), ("40000", &parts.runs)] {
            let tree = repo.raw_tree(&parts.top(&[(mode, name, id)], &[], &[]));
            let seen = verify_tree(&repo, &tree);
            assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1515"), "{name:?}: {seen}");
            assert!(
                !seen.stdout.contains('\u{7}') && !seen.stderr.contains('\u{7}'),
                "no control character is printed"
            );
        }
    }
    let sorted_between: &[&[u8]] =
        &[b"git~1", b"GIT~2", "r\u{202e}txt".as_bytes(), b"latin\xe9", "no\u{200b}thing".as_bytes()];
    for name in sorted_between {
        let place: Entry<'_> = ("100644", name, &parts.blob);
        let tree = match *name > b"format".as_slice() {
            true => repo.raw_tree(&parts.top(&[], &[place], &[])),
            false => repo.raw_tree(&parts.top(&[place], &[], &[])),
        };
        let seen = verify_tree(&repo, &tree);
        assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1515"), "{name:?}: {seen}");
    }
    let long = [b'z'; 300];
    let _ = verify_tree(&repo, &repo.raw_tree(&parts.top(&[], &[], &[("100644", &long, &parts.blob)])))
        .finds("RAPID1515", "");
}

#[test]
fn twins_that_some_file_systems_take_for_one_are_found() {
    let Some(repo) = finished() else { return };
    let parts = Parts::of(&repo);
    let twins: &[(&[u8], &[u8])] = &[(b"Format", b""), (b"FORMAT", b""), ("W\u{dc}".as_bytes(), "w\u{fc}".as_bytes())];
    for (one, other) in twins {
        let mut after: Vec<Entry<'_>> = Vec::new();
        let mut before: Vec<Entry<'_>> = Vec::new();
        for name in [one, other].into_iter().filter(|name| !name.is_empty()) {
            let list = if **name < *b"format".as_slice() { &mut before } else { &mut after };
            list.push(("100644", *name, parts.blob.as_str()));
        }
        // `W…` sorts before `format`, `w…` after `specs`.
        let seen = verify_tree(&repo, &repo.raw_tree(&parts.top(&before, &[], &after)));
        assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1515"), "{one:?}: {seen}");
    }
    // The same letter in its two Unicode forms.
    let forms: [Entry<'_>; 2] =
        [("100644", "we\u{301}".as_bytes(), &parts.blob), ("100644", "w\u{e9}".as_bytes(), &parts.blob)];
    let seen = verify_tree(&repo, &repo.raw_tree(&parts.top(&[], &[], &forms)));
    assert!(!seen.findings().is_empty(), "{seen}");
}

#[test]
fn trees_out_of_order_or_with_one_name_twice_are_found() {
    let Some(repo) = finished() else { return };
    let parts = Parts::of(&repo);
    let other = repo.blob(b"git-rapid ledger 2\n");
    let twice: Entry<'_> = ("100644", b"format", &other);
    let _ = verify_tree(&repo, &repo.raw_tree(&parts.top(&[twice], &[], &[]))).finds("RAPID1515", "");
    let _ = verify_tree(&repo, &repo.raw_tree(&parts.top(&[], &[twice], &[]))).finds("RAPID1515", "");
    let unsorted = parts.top(&[("100644", b"zoo", &parts.blob)], &[], &[]);
    let _ = verify_tree(&repo, &repo.raw_tree(&unsorted)).finds("RAPID1515", "");
    // A file and a directory of one name are both in order by git's rule, and still one name.
    let both = parts.top(
        &[],
        &[],
        &[("100644", b"x", &parts.blob), ("100644", b"x.y", &parts.blob), ("40000", b"x", &parts.runs)],
    );
    let seen = verify_tree(&repo, &repo.raw_tree(&both));
    assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1515"), "{seen}");
}

#[test]
fn a_tree_that_ends_in_the_middle_is_found() {
    let Some(repo) = finished() else { return };
    let cut = repo.git_with(&["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], b"100644 format\0short");
    let _ = verify_tree(&repo, &cut).finds("RAPID1515", "");
    let blob_as_tree = repo.blob(b"no tree");
    let seen = repo.verify(&[&repo.entry(&blob_as_tree, &[&repo.first_entry()])]);
    assert_eq!(seen.code, 1, "{seen}");
}

#[test]
fn a_path_deeper_than_any_ledger_is_found() {
    let Some(repo) = finished() else { return };
    let parts = Parts::of(&repo);
    let mut tree = parts.runs.clone();
    for _ in 0..60 {
        tree = repo.raw_tree(&[("40000", b"d", &tree)]);
    }
    let top = repo.raw_tree(&parts.top(&[("40000", b"d", &tree)], &[], &[]));
    let _ = verify_tree(&repo, &top).finds("RAPID1515", "");
}
