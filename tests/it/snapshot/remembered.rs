//! The private index: what was read once is not read again, and nothing that lies in its file can move an answer.

use super::oracle::{Place, eager, everything, options};
use git_rapid::git::{Keep, Snapshot};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const OWN: &str = ".git/rapid/index";

impl Place {
    fn take(&self, keep: Keep) -> Snapshot {
        self.repository_in(&self.top).snapshot(&eager(keep)).unwrap()
    }

    /// Two new files and a changed one, beside what the index knows.
    fn with_changes() -> Place {
        let place = Place::new();
        place.settle();
        place.append("a.txt", "c\n");
        place.write("new.txt", "n\n");
        place.write("n/deep.bin", [b"\r\n\0".as_slice(); 9].concat());
        place
    }
}

#[test]
fn a_second_snapshot_reads_nothing() {
    let place = Place::with_changes();
    let index = std::fs::read(place.path(".git/index")).unwrap();
    let first = place.take(Keep::Objects);
    assert_eq!(first.files_read, 3);
    for keep in [Keep::Nothing, Keep::Objects, Keep::Memory] {
        let before = everything(&place.root);
        let again = place.take(keep);
        assert_eq!((again.files_read, again.tree), (0, first.tree), "{keep:?}");
        super::oracle::assert_same(&before, &everything(&place.root), |_| false);
    }
    assert_eq!(first.tree.to_string(), place.answer_in(&place.top));
    assert_eq!(std::fs::read(place.path(".git/index")).unwrap(), index);
    assert!(!place.path(".git/index.lock").exists());
}

#[test]
fn only_what_changed_is_read() {
    let place = Place::with_changes();
    place.take(Keep::Objects);
    place.append("new.txt", "more\n");
    place.write("another", "a\n");
    assert_eq!(place.take(Keep::Objects).files_read, 2);
    place.mode("new.txt", 0o755);
    assert_eq!(place.take(Keep::Objects).files_read, 1);
    place.agrees();
}

#[test]
fn a_file_that_git_would_call_racy_is_known_too_once_it_was_read() {
    // Git reads such a file at each 'status' until something writes its index.
    let place = Place::new();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(3600);
    std::fs::File::open(place.path("a.txt")).unwrap().set_modified(later).unwrap();
    place.git(&["update-index", "-q", "--refresh"]);
    let repository = place.repository_in(&place.top);
    // The future is never old enough.
    let read = || repository.snapshot(&options(Keep::Objects)).unwrap().files_read;
    assert!(read() >= 1 && read() >= 1);
    // Whether a file is as new as the index is a matter of chance.
    let mut racy = (0..100).map(|_| Place::new()).filter(|place| place.take(Keep::Objects).files_read >= 1);
    assert_eq!(racy.next().unwrap().take(Keep::Objects).files_read, 0);
}

#[test]
fn a_file_that_was_changed_just_now_is_read_again() {
    let place = Place::with_changes();
    let repository = place.repository_in(&place.top);
    for _ in 0..2 {
        assert_eq!(repository.snapshot(&options(Keep::Objects)).unwrap().files_read, 3);
    }
    assert!(!place.path(OWN).exists());
}

#[test]
fn an_edit_with_size_and_time_put_back_is_seen() {
    let place = Place::with_changes();
    let before = place.take(Keep::Objects).tree;
    let then = std::fs::metadata(place.path("new.txt")).unwrap().modified().unwrap();
    place.write("new.txt", "m\n");
    std::fs::File::options().write(true).open(place.path("new.txt")).unwrap().set_modified(then).unwrap();
    assert_ne!(place.take(Keep::Objects).tree, before);
    place.agrees();
}

#[test]
fn only_looking_remembers_nothing_and_remembering_keeps_no_object() {
    let place = Place::with_changes();
    place.take(Keep::Nothing);
    assert!(!place.path(OWN).exists());
    let objects = everything(&place.path(".git/objects"));
    place.take(Keep::Memory);
    super::oracle::assert_same(&objects, &everything(&place.path(".git/objects")), |_| false);
    assert_eq!(place.take(Keep::Nothing).files_read, 0);
    // The objects are not there: to keep them, they are read.
    assert_eq!(place.take(Keep::Objects).files_read, 3);
    place.agrees();
}

#[test]
fn an_object_that_went_away_is_written_again() {
    let place = Place::with_changes();
    place.take(Keep::Objects);
    place.git(&["prune", "--expire=now"]);
    assert_eq!(place.take(Keep::Nothing).files_read, 0);
    assert_eq!(place.take(Keep::Objects).files_read, 3);
    place.agrees();
}

#[test]
fn rules_for_line_endings_are_no_reason_to_read_again() {
    for rule in ["* text=auto\n", "* text=auto eol=lf\n", "*.txt text\n*.bin binary\n"] {
        let place = Place::with_changes();
        place.write(".gitattributes", rule);
        place.agrees();
        assert_eq!(place.take(Keep::Nothing).files_read, 0, "{rule}");
        place.write("n.txt", "bytes that git stores\r\nin another form\r\n");
        place.agrees();
        assert_eq!(place.take(Keep::Nothing).files_read, 1, "{rule}");
    }
}

#[test]
fn attributes_that_come_later_count() {
    let rules =
        ["* text=auto\n", "* text\n", "* eol=lf\n", "* ident\n", "* filter=up\n", "*.bin -text\n", "* binary\n"];
    let place = Place::with_changes();
    place.config("filter.up.clean", "tr a-z A-Z");
    place.write("crlf.txt", "a\r\n$Id: x $\r\n");
    place.write("both.bin", "a\r\n\0b\r\n");
    place.agrees();
    for rule in rules {
        place.write(".gitattributes", rule);
        place.agrees();
        place.write(".gitattributes", "");
        place.write(".git/info/attributes", rule);
        place.agrees();
        place.remove(".git/info/attributes");
        place.agrees();
    }
    for setting in ["true", "input", "false"] {
        place.config("core.autocrlf", setting);
        place.agrees();
    }
}

#[test]
fn what_is_gone_is_forgotten_and_what_is_withheld_never_known() {
    let place = Place::with_changes();
    place.write(".env", "TOKEN=1\n");
    place.write("note", "a sentence that is nobody's business\n");
    place.take(Keep::Objects);
    let known = |what: &str| String::from_utf8_lossy(&std::fs::read(place.path(OWN)).unwrap()).contains(what);
    assert!(known("new.txt") && known("note"));
    assert!(!known(".env") && !known("sentence"));
    place.remove("note");
    place.take(Keep::Objects);
    assert!(known("new.txt") && !known("note"));
}

#[test]
fn each_worktree_has_its_own() {
    let place = Place::with_changes();
    place.git(&["worktree", "add", "-q", "../second"]);
    let second = place.root.join("second");
    std::fs::write(second.join("other.txt"), "o\n").unwrap();
    place.take(Keep::Objects);
    place.agrees_in(&second, &second);
    assert!(place.path(OWN).exists() && place.path(".git/worktrees/second/rapid/index").exists());
    assert_eq!(place.take(Keep::Nothing).files_read, 0);
}

#[test]
fn whatever_lies_in_its_file_moves_no_answer() {
    let place = Place::with_changes();
    let tree = place.take(Keep::Objects).tree;
    let good = std::fs::read(place.path(OWN)).unwrap();
    let mut spoiled: Vec<Vec<u8>> =
        (0..good.len()).step_by(7).map(|length| good.get(..length).unwrap().to_vec()).collect();
    for at in (0..good.len()).step_by(5) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x41;
        spoiled.push(bytes);
    }
    spoiled.push([good.as_slice(), b"more"].concat());
    spoiled.push(std::fs::read(place.path(".git/index")).unwrap());
    spoiled.push(vec![0xFF; 4096]);
    for (number, bytes) in spoiled.into_iter().enumerate() {
        std::fs::write(place.path(OWN), bytes).unwrap();
        let snapshot = place.take(Keep::Memory);
        assert_eq!((snapshot.tree, snapshot.files_read), (tree, 3), "number {number}");
        assert_eq!(place.take(Keep::Nothing).files_read, 0, "number {number}: written anew");
    }
}

#[test]
fn one_of_another_repository_is_not_believed() {
    let (place, other) = (Place::with_changes(), Place::with_changes());
    other.write("new.txt", "x\n");
    other.take(Keep::Objects);
    place.take(Keep::Objects);
    std::fs::copy(other.path(OWN), place.path(OWN)).unwrap();
    assert_eq!(place.take(Keep::Memory).files_read, 3);
    place.agrees();
    let wide = Place::unborn(&["--object-format=sha256"]);
    wide.write("new.txt", "n\n");
    std::fs::create_dir(wide.path(".git/rapid")).unwrap();
    std::fs::copy(place.path(OWN), wide.path(OWN)).unwrap();
    wide.agrees();
    assert_eq!(wide.take(Keep::Nothing).files_read, 0);
}

#[test]
fn where_it_cannot_be_written_a_snapshot_works_without() {
    let place = Place::with_changes();
    place.write(".git/rapid", "a file where a directory would be\n");
    for _ in 0..2 {
        assert_eq!(place.take(Keep::Objects).files_read, 3);
    }
    place.remove(".git/rapid");
    std::fs::create_dir_all(place.path(OWN)).unwrap();
    for _ in 0..2 {
        assert_eq!(place.take(Keep::Objects).files_read, 3);
    }
    let left: Vec<PathBuf> =
        std::fs::read_dir(place.path(".git/rapid")).unwrap().map(|item| item.unwrap().path()).collect();
    assert_eq!(left, [place.path(OWN)], "no temporary file stays");
}

#[test]
fn several_at_once_do_not_disturb_each_other() {
    let place = Place::with_changes();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let repository = place.repository_in(&place.top);
                while !done.load(Ordering::Relaxed) {
                    repository.snapshot(&eager(Keep::Objects)).unwrap();
                }
            });
        }
        for round in 0..60 {
            place.write(format!("come/{}", round % 5), "n".repeat(round));
            place.take(Keep::Memory);
            place.remove("come");
        }
        done.store(true, Ordering::Relaxed);
    });
    place.agrees();
    assert_eq!(place.take(Keep::Nothing).files_read, 0);
}
