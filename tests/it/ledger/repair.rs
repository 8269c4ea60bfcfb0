//! `doctor --repair`: a ref that a power cut emptied and a lock whose owner died, mended only when told to.

use crate::harness::{Loop, Repo, World, project};
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

const REFS: [&str; 2] = ["refs/rapid/ledger", "refs/rapid/attachments"];

fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

fn file_of(repo: &Repo, name: &str) -> PathBuf {
    repo.path().join(".git").join(name)
}

fn old_lock(repo: &Repo, name: &str) -> PathBuf {
    let lock = file_of(repo, &format!("{name}.lock"));
    let file = File::create(&lock).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    lock
}

#[test]
fn refs_that_hold_nothing_get_back_the_newest_entry() {
    if !World::refs_are_files() {
        return;
    }
    for bytes in [&b""[..], &[0; 41], b"\n"] {
        for packed in [false, true] {
            let repo = with_run();
            if packed {
                repo.git(&["pack-refs", "--all"]);
                repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
            }
            let tips = REFS.map(|name| repo.git(&["rev-parse", name]));
            REFS.iter().for_each(|name| std::fs::write(file_of(&repo, name), bytes).unwrap());
            let refused = repo.rapid(&["verify"]);
            assert_ne!(refused.code, 0, "{refused}");
            refused.names("RAPID1511").says("doctor --repair");
            repo.rapid(&["doctor"]).ends(1).says("'refs/rapid/ledger' holds nothing").says("git rapid doctor --repair");
            assert_eq!(std::fs::read(file_of(&repo, REFS[0])).unwrap(), bytes, "looking mends nothing");
            repo.rapid(&["doctor", "--repair"]).ok().says("points to entry");
            assert_eq!(REFS.map(|name| repo.git(&["rev-parse", name])), tips);
            repo.verify(&[]).ok();
            repo.rapid(&["check"]).ok();
            repo.rapid(&["doctor", "--repair"]).ok().says("there was nothing to mend");
        }
    }
}

#[test]
fn an_entry_that_is_gone_too_is_passed_over_and_without_any_nothing_is_guessed() {
    if !World::refs_are_files() {
        return;
    }
    let repo = with_run();
    let tip = repo.tip();
    let log = file_of(&repo, "logs/refs/rapid/ledger");
    let lines = std::fs::read_to_string(&log).unwrap();
    let nowhere = "1".repeat(tip.len());
    std::fs::write(&log, format!("{lines}{tip} {nowhere} Ada <a@b> 1767300000 +0000\tlost\n")).unwrap();
    std::fs::write(file_of(&repo, REFS[0]), "").unwrap();
    repo.rapid(&["doctor", "--repair"]).ok();
    assert_eq!(repo.tip(), tip);
    std::fs::write(&log, "").unwrap();
    std::fs::write(file_of(&repo, REFS[0]), "").unwrap();
    repo.rapid(&["doctor", "--repair"]).ends(2).names("RAPID1511").says("git rapid fetch");
    assert!(file_of(&repo, REFS[0]).exists());
}

#[test]
fn an_old_lock_that_nobody_holds_goes_and_another_stays() {
    if !World::refs_are_files() {
        return;
    }
    let repo = with_run();
    let lock = old_lock(&repo, REFS[0]);
    repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ends(2).names("RAPID1512").says("doctor --repair");
    repo.rapid(&["doctor"]).ends(1).says("no process has it open").says("git rapid doctor --repair");
    repo.rapid(&["doctor", "--repair", "--json"]).ok();
    assert!(!lock.exists());
    repo.rapid(&["attach", "greeting.sh", "--task", "T001"]).ok();
    // One that is young may be somebody's who is only slow; one that is open is.
    let young = file_of(&repo, "packed-refs.lock");
    std::fs::write(&young, "").unwrap();
    repo.rapid(&["doctor", "--repair"]).ends(1).says("if no git command is running here");
    assert!(young.exists());
    std::fs::remove_file(young).unwrap();
    let held = old_lock(&repo, REFS[1]);
    let open = File::open(&held).unwrap();
    repo.rapid(&["doctor", "--repair"]).ends(1).says(&format!("process {} has it open", std::process::id()));
    assert!(held.exists());
    drop(open);
    repo.rapid(&["doctor", "--repair"]).ok().says("held by nobody");
}
