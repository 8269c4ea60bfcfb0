//! Loose objects stay bounded: git is asked for its housekeeping when its own rule says so, after a verb that writes.

use crate::harness::{Loop, Repo, World, project};

/// A repository with enough loose objects for a low threshold, whose git works in the foreground.
fn crowded(settings: &[(&str, &str)]) -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo.sh("mkdir many; for i in $(seq 1500); do echo $i > many/$i; done").ok();
    repo.commit("many files");
    for (name, value) in settings {
        repo.git(&["config", name, value]);
    }
    repo
}

fn packs(repo: &Repo) -> usize {
    let there = std::fs::read_dir(repo.path().join(".git/objects/pack")).unwrap();
    there.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "pack")).count()
}

const LOW: &[(&str, &str)] = &[("gc.auto", "600"), ("gc.autoDetach", "false")];

#[test]
fn a_verb_that_writes_asks_for_it_once() {
    let repo = crowded(LOW);
    repo.rapid(&["next"]).ok();
    repo.rapid(&["status"]).ok();
    assert_eq!(packs(&repo), 0, "what only reads changes nothing");
    repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
    assert!(packs(&repo) > 0);
    repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
    assert_eq!(packs(&repo), 1, "there is nothing more to do");
    repo.verify(&["--full"]).ok();
}

#[test]
fn a_repository_that_forbids_it_is_left_alone() {
    for forbidden in [("gc.auto", "0"), ("maintenance.auto", "false")] {
        let repo = crowded(&[LOW, &[forbidden]].concat());
        repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
        assert_eq!(packs(&repo), 0, "{forbidden:?}");
    }
}
