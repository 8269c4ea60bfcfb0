//! `kill -9` at each step of a fetch, a merge and a push, and at random moments: the ledger verifies, git itself works, nothing
//! acknowledged is lost, and the next sync goes on. And the order of what reaches the disk: objects, refs, success.

use super::{clones, publishing, tree};
use crate::harness::{Loop, Output, Repo, World, step_aside};
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

const STEPS: &[&str] = &[
    "fetched",
    "theirs-verified",
    "locked",
    "merge-written",
    "merge-flushed",
    "refs-locked",
    "refs-flushed",
    "refs-moved",
    "merge-done",
    "pushing",
    "pushed",
];

/// Removes the locks of refs that a killed process left, as `doctor` tells a person to.
pub(super) fn without_stale_locks(repo: &Repo) {
    let _ = repo.sh(
        "find .git/refs/rapid .git/refs/rapid-local .git/packed-refs.lock .git/reftable -name '*.lock' -delete 2>/dev/null; true",
    );
}

fn whole(repo: &Repo) {
    let _ = repo.rapid(&["verify"]).ok().says("proven");
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn killed_at_each_step_of_a_sync_it_goes_on_the_next_time() {
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    let runs = [Loop::start(&one, "One thing").run, Loop::start(&two, "Another thing").run];
    let _ = one.rapid(&["sync"]).ok();
    for (number, step) in STEPS.iter().enumerate() {
        let label = format!("round {number}");
        for (clone, run) in [&one, &two].into_iter().zip(&runs) {
            let _ = clone.rapid(&["attach", "greeting.sh", "--run", run, "--task", "T001", "--label", &label]).ok();
        }
        let _ = one.rapid(&["sync"]).ok();
        let acknowledged = two.records();
        if *step == "locked" {
            continue; // the lock of an append: tests/it/ledger/killed.rs
        }
        let died = Output::of(two.tool().arg("sync").env("RAPID_FAULT_POINT", step));
        assert_eq!(died.code, 128 + 9, "the step '{step}' is reached: {died}");
        without_stale_locks(&two);
        whole(&two);
        let after = two.records();
        assert!(acknowledged.iter().all(|path| after.contains(path)), "killed at '{step}': nothing is lost");
        let _ = two.rapid(&["sync"]).ok();
        let _ = one.rapid(&["sync"]).ok();
        assert_eq!(tree(&one), tree(&two), "killed at '{step}': the next sync goes on");
    }
    whole(&one);
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn the_steps_above_are_those_in_the_sources() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src/ledger/merge.rs", "src/git/refs/files.rs", "src/verbs/sync/fetch.rs", "src/verbs/sync/push.rs"] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let calls = ["fault::point(\"", "step(\""].into_iter().flat_map(|call| text.split(call).skip(1));
        for step in calls.filter_map(|rest| rest.split('"').next()) {
            assert!(STEPS.contains(&step), "a test kills at '{step}' of {file}");
        }
    }
}

/// Numbers that look random, the same each time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % most as u64).unwrap()
    }
}

#[test]
fn killed_at_random_moments_nothing_that_was_acknowledged_is_lost() {
    let rounds = if std::env::var_os("RAPID_SLOW_TESTS").is_some() { 500 } else { 12 };
    let (_world, remote, [one, two]) = clones(["one", "two"]);
    publishing(&one, "all");
    let runs = [Loop::start(&one, "One thing").run, Loop::start(&two, "Another thing").run];
    let _ = one.rapid(&["sync"]).ok();
    let mut dice = Dice(7);
    let mut killed = 0;
    // The moments are spread over what a verb takes on this machine.
    let watch = std::time::Instant::now();
    let _ = one.rapid(&["sync"]).ok();
    let whole_time = usize::try_from(watch.elapsed().as_micros()).unwrap();
    for round in 0..rounds {
        let at = dice.below(2);
        let (clone, run) = ([&one, &two][at], &runs[at]);
        let label = format!("round {round}");
        let attach = ["attach", "greeting.sh", "--run", run, "--task", "T001", "--label", &label];
        let verb: &[&str] = match dice.below(3) {
            0 => &attach,
            1 => &["fetch"],
            _ => &["sync"],
        };
        let before = clone.records();
        let mut command = clone.tool();
        command.args(verb).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_micros(dice.below(whole_time) as u64));
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let _ = kill_process_group(group, Signal::KILL);
        let ended = child.wait().unwrap();
        killed += usize::from(ended.code().is_none());
        without_stale_locks(clone);
        let _ = remote.sh("find refs reftable -name '*.lock' -delete 2>/dev/null; true");
        whole(clone);
        let after = clone.records();
        assert!(before.iter().all(|path| after.contains(path)), "round {round}, {verb:?}: nothing is lost");
        if ended.success() && verb[0] == "attach" {
            assert!(after.len() > before.len(), "round {round}: what was acknowledged is there");
        }
    }
    assert!(killed > rounds / 4, "most are killed on the way: {killed} of {rounds}");
    for clone in [&one, &two, &one] {
        let _ = clone.rapid(&["sync"]).ok();
    }
    assert_eq!(tree(&one), tree(&two));
    whole(&one);
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

/// What a trace says: a file was flushed, a name was given to a file, something was printed.
#[derive(Debug)]
enum Call {
    Flush(String),
    Name(String, String),
    Print,
}

fn calls(trace: &str) -> Vec<Call> {
    let quoted = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let path_of_descriptor =
        |line: &str| line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(p, _)| p.to_owned());
    let mut out = Vec::new();
    for line in trace.lines().filter(|line| !line.contains(" = -1 ")) {
        let call = line.split_once(' ').map_or(line, |(_, call)| call).trim_start();
        if call.starts_with("fsync(") || call.starts_with("fdatasync(") {
            out.extend(path_of_descriptor(call).map(Call::Flush));
        } else if call.starts_with("rename") || call.starts_with("link") {
            let names = quoted(call);
            if names.len() == 2 {
                out.push(Call::Name(names[0].clone(), names[1].clone()));
            }
        } else if call.starts_with("write(1<") && call.contains("ledger of") {
            out.push(Call::Print);
        }
    }
    out
}

#[test]
fn objects_reach_the_disk_before_the_ref_and_the_ref_before_success() {
    let (_world, _, [one, two, three]) = clones(["one", "two", "three"]);
    Loop::start(&one, "One thing");
    let _ = one.rapid(&["push"]).ok();
    Loop::start(&two, "Another thing");
    // A join of two tips, and a tip that is taken over as it arrived.
    for clone in [&two, &three] {
        let mut command = clone.world().command("strace", clone.path());
        command.args(["-f", "-y", "-qq", "-s", "200", "-o", "../trace"]);
        command.args(["-e", "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat,write", "git-rapid", "fetch"]);
        match Output::of_any(&mut command) {
            None => return step_aside("there is no 'strace' here"),
            Some(output) if output.stderr.contains("ptrace") => return step_aside("nothing may be traced here"),
            Some(output) => assert_eq!(output.code, 0, "{output}"),
        }
        let trace = std::fs::read_to_string(clone.world().path("trace")).unwrap();
        let calls = calls(&trace);
        let name = if World::refs_are_files() { "refs/rapid/ledger" } else { "reftable/tables.list" };
        let is_ref = |call: &Call| matches!(call, Call::Name(_, to) if to.ends_with(name));
        let printed = calls.iter().position(|call| matches!(call, Call::Print)).expect("success is said");
        // In a reftable one name stands for all refs, those of the tracker too; ours is the last that moves.
        let moved = calls[..printed].iter().rposition(is_ref).expect("the ref is moved before success is said");
        let flushed_before = |at: usize, path: &str| {
            calls[..at].iter().any(|call| matches!(call, Call::Flush(flushed) if flushed.ends_with(path)))
        };
        let tail = |path: &str| path.rsplit("/objects/").next().unwrap_or(path).trim_start_matches("./").to_owned();
        let mut objects = 0;
        for (at, call) in calls[..moved].iter().enumerate() {
            let Call::Name(from, to) = call else { continue };
            if to.contains("objects/") && !to.ends_with(".idx") && !to.ends_with(".rev") && !to.contains("keep") {
                objects += 1;
                let safe = flushed_before(moved, &tail(to)) || flushed_before(at, &tail(from));
                assert!(safe, "'{to}' reaches the disk before the ref that needs it:\n{trace}");
            }
        }
        assert!(objects >= 3, "the trace shows objects: {objects}");
        let Call::Name(lock, _) = &calls[moved] else { panic!("a name") };
        assert!(flushed_before(moved, &tail(lock)), "the ref's bytes before its name:\n{trace}");
        // Git itself does not flush the directory of its reftables.
        let directory = |call: &Call| matches!(call, Call::Flush(path) if path.ends_with("refs/rapid"));
        let is_named = !World::refs_are_files() || calls[moved..printed].iter().any(directory);
        assert!(is_named, "the ref's name before success:\n{trace}");
    }
}
