//! Places that cannot be written to: read-only, full, or somebody else's. A refusal says so, and nothing is half written.

use crate::harness::{Loop, Repo, World, finished, in_a_private_mount_namespace, project};

/// A run whose repository is about to become read-only or full.
fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

#[test]
fn a_read_only_repository_can_be_read_and_says_that_nothing_can_be_recorded() {
    let repo = with_run();
    let script = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\" || exit 99
        for verb in 'next' 'status' 'verify'; do git-rapid $verb >/dev/null || exit 98; done
        for verb in 'task start T001' 'attach test.sh --task T001' 'abort' 'check -- true' 'init'; do
            git-rapid $verb --json >out.$$ 2>/dev/null; echo impossible
        done 2>/dev/null
        for verb in 'task start T001' 'attach test.sh --task T001' 'abort' 'check'; do
            git-rapid $verb; echo \"$verb: $?\"
        done";
    let Some(seen) = in_a_private_mount_namespace(&repo, script) else { return };
    assert!(!seen.stderr.contains("panicked"), "{seen}");
    assert!(!seen.stdout.contains("impossible") || seen.code == 0, "{seen}");
    let codes: Vec<&str> =
        seen.stdout.lines().filter_map(|line| line.rsplit_once(": ").map(|(_, code)| code)).collect();
    assert_eq!(codes, ["2", "2", "2", "125"], "{seen}");
    assert_eq!(seen.stderr.matches("error[RAPID1504]").count(), 4, "{seen}");
    assert!(seen.stderr.matches("hint: ").count() >= 4, "{seen}");
    repo.rapid(&["verify"]).ok().says("proven");
    repo.rapid(&["task", "start", "T001"]).ok();
}

#[test]
fn a_full_disk_leaves_a_whole_entry_or_none() {
    let repo = with_run();
    // Each round leaves a little more room, so that the append fails at another step each time, and at last succeeds.
    let script = "mkdir -p ../small && mount -t tmpfs -o size=3m none ../small && cp -a . ../small/work && cd ../small || exit 99
        cd work
        room=0
        while [ $room -le 96 ]; do
            rm -f ../filler; dd if=/dev/zero of=../filler bs=1024 count=4096 2>/dev/null
            [ $room -gt 0 ] && truncate -s -${room}K ../filler
            before=$(git rev-parse refs/rapid/ledger)
            git-rapid attach test.sh --task T001 >/dev/null 2>$TMPDIR/said; code=$?
            after=$(git rev-parse refs/rapid/ledger)
            rm -f ../filler
            grep -q panicked $TMPDIR/said && echo \"panic with $room KiB\"
            [ $code = 0 ] && [ $before = $after ] && echo \"acknowledged and lost with $room KiB\"
            [ $code != 0 ] && { grep -q 'error.RAPID' $TMPDIR/said || echo \"no code with $room KiB\"; }
            [ $code != 0 ] && { grep -q '^hint: ' $TMPDIR/said || echo \"no hint with $room KiB\"; cat $TMPDIR/said; }
            git-rapid verify >$TMPDIR/said 2>&1 || { echo \"unproven with $room KiB\"; cat $TMPDIR/said; }
            [ -z \"$(git fsck --strict --no-dangling --no-progress 2>&1)\" ] || echo \"fsck complains with $room KiB\"
            git-rapid attach test.sh --task T001 >/dev/null 2>$TMPDIR/said || { echo \"no append afterwards with $room KiB\"; cat $TMPDIR/said; }
            echo \"room $room: $code\"
            room=$((room+8))
        done";
    let Some(seen) = in_a_private_mount_namespace(&repo, script) else { return };
    let _ = seen.clone().ok();
    for fault in ["panic", "acknowledged", "no code", "no hint", "unproven", "fsck", "no append"] {
        assert!(!seen.stdout.contains(&format!("{fault} ")), "'{fault}' does not happen: {seen}");
    }
    assert!(seen.stdout.contains("room 0: 2"), "without room nothing is recorded: {seen}");
    assert!(seen.stdout.contains("room 96: 0"), "with room it is: {seen}");
}

#[test]
fn a_repository_of_somebody_else_is_refused_as_git_refuses_it() {
    let Some(repo) = finished() else { return };
    let script = "chown -R 12345 . && git-rapid verify; echo \"$?\"; git status >/dev/null 2>&1; echo \"$?\"";
    let seen = repo.sh(script);
    let codes: Vec<&str> = seen.stdout.lines().collect();
    if codes.last() == Some(&"0") || codes.len() != 2 {
        return crate::harness::step_aside("files cannot be given away here");
    }
    assert_eq!(codes, ["2", "128"], "{seen}");
    let _ = seen.names("RAPID1501").says("safe.directory");
}

#[test]
fn what_stands_in_the_way_of_the_lock_file_is_named() {
    let repo = with_run();
    let lock = repo.path().join(".git/rapid/ledger.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    repo.rapid(&["task", "start", "T001"]).ends(2).names("RAPID1504").says("ledger.lock").says("hint: ");
    repo.rapid(&["verify"]).ok();
}
