//! Many writers at once: nothing is lost, nothing is written twice.

use crate::harness::{Loop, Output, World, project};
use std::collections::BTreeSet;
use std::process::Stdio;

const PROCESSES: usize = 8;
const ENTRIES: usize = 25;

#[test]
fn eight_processes_that_append_25_entries_each_leave_200() {
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "Add a greeting");
    repo.rapid(&["task", "start", "T001"]).ok();
    let before: usize = repo.git(&["rev-list", "--count", "refs/rapid/ledger"]).parse().unwrap();
    let writers: Vec<_> = (0..PROCESSES)
        .map(|writer| {
            let script = format!(
                "i=0; while [ $i -lt {ENTRIES} ]; do i=$((i+1)); \
                 git-rapid attach greeting.sh --label w{writer}-$i >/dev/null || exit 1; echo w{writer}-$i; done"
            );
            let mut command = repo.world().command("sh", repo.path());
            command
                .args(["-c", &script])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut acknowledged = BTreeSet::new();
    for writer in writers {
        let output = Output::from_std(&writer.wait_with_output().unwrap(), "a writer".to_owned()).ok();
        acknowledged.extend(output.stdout.lines().map(str::to_owned));
    }
    assert_eq!(acknowledged.len(), PROCESSES * ENTRIES);
    let after: usize = repo.git(&["rev-list", "--count", "refs/rapid/ledger"]).parse().unwrap();
    assert_eq!(after - before, PROCESSES * ENTRIES, "one entry for each append");
    let merges = repo.git(&["rev-list", "--count", "--merges", "refs/rapid/ledger"]);
    assert_eq!(merges, "0", "one chain, no forks");
    let evidence = repo.git(&["grep", "-h", "-o", "\"summary\":\"w[0-9]-[0-9]*\"", "refs/rapid/ledger", "--", "runs/"]);
    let recorded: BTreeSet<String> =
        evidence.lines().filter_map(|line| line.split('"').nth(3)).map(str::to_owned).collect();
    assert_eq!(recorded, acknowledged, "what was acknowledged is recorded, in run {}", run.run);
    repo.rapid(&["verify"]).ok().says("proven");
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn two_clones_of_one_directory_race_from_two_worktrees() {
    let repo = project(&World::new(), "work");
    repo.git(&["worktree", "add", "--quiet", "../beside", "-b", "beside"]);
    let beside = repo.world().path("beside");
    let start = |at: &std::path::Path, title: &str| {
        let mut command = repo.world().tool(at);
        command.args(["start", "feature", "--title", title, "--task", "x"]).stdout(Stdio::null());
        command.spawn().unwrap()
    };
    let mut both = [start(repo.path(), "One thing"), start(&beside, "Another thing")];
    assert!(both.iter_mut().all(|child| child.wait().unwrap().success()));
    repo.rapid(&["verify"]).ok();
    assert_eq!(repo.records().iter().filter(|path| path.ends_with("contract.json")).count(), 2);
}
