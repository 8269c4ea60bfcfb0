//! Locks that somebody left behind or still holds.

use crate::harness::{Loop, Repo, World, project, step_aside};
use std::time::{Duration, Instant};

fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

#[test]
fn a_stale_lock_of_the_ledger_is_named_with_its_file_and_age_and_reading_goes_on() {
    if !World::refs_are_files() {
        return;
    }
    let repo = with_run();
    let lock = repo.path().join(".git/refs/rapid/ledger.lock");
    std::fs::write(&lock, "").unwrap();
    repo.sh("touch -d '2 hours ago' .git/refs/rapid/ledger.lock");
    let tip = repo.tip();
    let refused =
        repo.rapid(&["task", "start", "T001"]).ends(2).names("RAPID1512").says("refs/rapid/ledger.lock").says("hint: ");
    let age = refused.stderr.split(" seconds").next().and_then(|text| text.rsplit(' ').next()).unwrap();
    let age: u64 = age.parse().unwrap_or_else(|_| panic!("an age in seconds: {refused}"));
    assert!((7200..7300).contains(&age), "the age is that of the file: {refused}");
    assert!(lock.exists(), "nothing is removed behind one's back");
    assert_eq!(repo.tip(), tip);
    repo.rapid(&["verify"]).ok();
    repo.rapid(&["status"]).ok();
    repo.rapid(&["next"]).ok();
    std::fs::remove_file(&lock).unwrap();
    repo.rapid(&["task", "start", "T001"]).ok();
}

#[test]
fn the_lock_of_a_process_that_died_is_given_back_by_the_kernel() {
    let repo = with_run();
    assert!(repo.path().join(".git/rapid/ledger.lock").exists(), "the file stays, the lock on it does not");
    repo.rapid(&["task", "start", "T001"]).ok();
}

#[test]
fn who_comes_second_waits_for_the_lock_and_loses_nothing() {
    let repo = with_run();
    let held = std::fs::File::open(repo.path().join(".git/rapid/ledger.lock")).unwrap();
    held.lock().unwrap();
    let tip = repo.tip();
    let mut waiting = repo.tool();
    waiting.args(["task", "start", "T001"]).stdout(std::process::Stdio::null());
    let mut waiting = waiting.spawn().unwrap();
    if !wait_until_blocked(waiting.id()) {
        step_aside("this system does not show which files a process has open");
    }
    assert_eq!(repo.tip(), tip, "nothing is written without the lock");
    assert!(waiting.try_wait().unwrap().is_none(), "it waits");
    drop(held);
    assert!(waiting.wait().unwrap().success());
    assert_ne!(repo.tip(), tip);
    repo.rapid(&["verify"]).ok();
}

/// Waits until this process has the lock's file open: it is then asking for the lock. False where the system does not show it.
fn wait_until_blocked(pid: u32) -> bool {
    let until = Instant::now() + Duration::from_secs(10);
    let open = std::path::PathBuf::from(format!("/proc/{pid}/fd"));
    while Instant::now() < until {
        let Ok(files) = std::fs::read_dir(&open) else { return false };
        let mut targets = files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
        if targets.any(|target| target.ends_with("ledger.lock")) {
            return true;
        }
        std::thread::yield_now();
    }
    panic!("process {pid} never asked for the lock")
}
