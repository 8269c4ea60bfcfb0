//! A snapshot disturbs nobody: not the user's git beside it, not itself.

use super::oracle::{Place, options};
use git_rapid::git::Keep;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn beside_somebody_who_commits() {
    let place = Place::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let repository = place.repository_in(&place.top);
            while !done.load(Ordering::Relaxed) {
                for keep in [Keep::Nothing, Keep::Objects] {
                    repository.snapshot(&options(keep)).unwrap();
                }
            }
        });
        for round in 0..30 {
            place.write("a.txt", format!("{round}\n"));
            place.write(format!("n{round}/f"), "n\n");
            place.commit("round");
        }
        done.store(true, Ordering::Relaxed);
    });
    place.agrees();
    assert!(!place.path(".git/index.lock").exists());
}

#[test]
fn while_files_come_and_go() {
    let place = Place::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let repository = place.repository_in(&place.top);
            while !done.load(Ordering::Relaxed) {
                repository.snapshot(&options(Keep::Nothing)).unwrap();
            }
        });
        for round in 0..300 {
            place.write(format!("come/{}/f", round % 3), "n\n");
            place.write("d/x.txt", format!("{round}\n"));
            place.remove("come");
        }
        done.store(true, Ordering::Relaxed);
    });
    place.agrees();
}

#[test]
fn a_clean_working_copy_needs_no_new_object() {
    let place = Place::new();
    place.settle();
    let before = super::oracle::everything(&place.root);
    place.try_snapshot(Keep::Objects).unwrap();
    super::oracle::assert_same(&before, &super::oracle::everything(&place.root), |_| false);
}
