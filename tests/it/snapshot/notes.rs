//! What a snapshot leaves out, and says so; what it leaves out without a word.

use super::oracle::{Place, options};
use git_rapid::git::{Keep, Litter, SnapshotOptions};

#[test]
fn secrets_and_giants_are_withheld() {
    let place = Place::new();
    let expected = place.git(&["rev-parse", "HEAD^{tree}"]);
    place.write(".env", "TOKEN=1\n");
    place.write("keys/id_ed25519", "key\n");
    place.write("big.bin", vec![0_u8; (1 << 20) + 1]);
    let snapshot = place.snapshot();
    assert_eq!(snapshot.notes.withheld, [".env", "big.bin", "keys/id_ed25519"]);
    assert_eq!(snapshot.tree.to_string(), expected);
    assert!(snapshot.untracked.is_empty());
}

#[test]
fn tracked_secrets_and_giants_are_not() {
    let place = Place::new();
    place.write(".env", "TOKEN=1\n");
    place.write("big.bin", vec![0_u8; (1 << 20) + 1]);
    place.commit("unwise");
    place.append(".env", "TOKEN=2\n");
    assert!(place.agrees().notes.withheld.is_empty());
}

#[test]
fn litter_is_left_out() {
    let place = Place::new();
    let expected = place.git(&["rev-parse", "HEAD^{tree}"]);
    place.write("d/__pycache__/x.cpython-312.pyc", "p");
    place.write(".pytest_cache/v/x", "p");
    place.write("own-cache/x", "p");
    let litter = Litter { own: vec!["own-cache".to_owned()] };
    let options = SnapshotOptions { litter, ..options(Keep::Nothing) };
    let snapshot = place.repository_in(&place.top).snapshot(&options).unwrap();
    assert_eq!(snapshot.tree.to_string(), expected);
    assert!(snapshot.notes.is_empty());
    assert!(snapshot.withheld.is_empty());
}

#[test]
fn odd_names_are_shown_in_a_form_that_travels() {
    let place = Place::new();
    place.write("new\nline/.env", "s");
    place.write("50%/.env", "s");
    assert_eq!(place.snapshot().notes.withheld, ["50%25/.env", "new%0Aline/.env"]);
}

#[test]
fn a_bare_repository_has_no_working_copy() {
    let place = Place::unborn(&[]);
    place.git(&["init", "-q", "--bare", "../bare.git"]);
    let error = place.repository_in(&place.root.join("bare.git")).snapshot(&options(Keep::Nothing)).unwrap_err();
    assert_eq!(error.code, git_rapid::diagnostics::Code::Rapid1306);
}
