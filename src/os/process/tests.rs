//! Tests of running programs: what comes out, in which order, and that nothing can hold us.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use super::output::output_watching;
use super::*;
use crate::os::clock::Stopwatch;
use crate::os::environment::Environment;

mod real;

const NO_ONE: fn() -> Interrupts = Interrupts::default;
/// Long against what any of these takes, short against what they would take if something held us.
const SOON: Duration = Duration::from_secs(20);

fn environment() -> Environment {
    let path = std::env::var_os("PATH").expect("a PATH");
    Environment::from_pairs(std::env::temp_dir(), [("PATH", path)])
}

fn sh(script: &str) -> Invocation {
    Invocation::new("sh", environment()).arguments(["-c", script])
}

fn run_quietly(invocation: &Invocation) -> (Finished, Vec<u8>) {
    let mut seen = Vec::new();
    let finished = run_watching(invocation, &mut |chunk| seen.extend_from_slice(chunk), &NO_ONE).expect("started");
    (finished, seen)
}

fn ended(script: &str) -> Ended {
    run_quietly(&sh(script)).0.ended
}

#[test]
fn the_end_and_its_exit_code() {
    assert_eq!(ended("exit 0"), Ended::Exited(0));
    assert_eq!(ended("exit 7"), Ended::Exited(7));
    assert_eq!(ended("kill -9 $$"), Ended::Signalled(9));
    let codes = [Ended::Exited(7), Ended::Signalled(9), Ended::TimedOut, Ended::Interrupted(2)].map(Ended::exit_code);
    assert_eq!(codes, [7, 137, 124, 130]);
    assert!(Ended::Exited(0).success() && !Ended::Exited(1).success() && !Ended::Signalled(0).success());
}

#[test]
fn both_outputs_are_merged_in_the_order_they_were_written() {
    let (finished, seen) = run_quietly(&sh("for i in 1 2 3; do echo out$i; echo err$i >&2; done"));
    assert_eq!(String::from_utf8_lossy(&seen), "out1\nerr1\nout2\nerr2\nout3\nerr3\n");
    assert!(!finished.left_behind);
}

#[test]
fn there_is_nothing_to_read_and_nothing_but_the_given_environment() {
    let invocation = sh("cat; env | sort; pwd");
    let environment = environment().with("RAPID_RUN", "r1").in_directory("/");
    let invocation = Invocation { environment, ..invocation };
    let seen = String::from_utf8(run_quietly(&invocation).1).expect("text");
    let names: Vec<_> = seen.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    // PWD, OLDPWD, SHLVL and _ are the shell's own.
    let given: Vec<_> = names.into_iter().filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name)).collect();
    assert_eq!(given, ["PATH", "RAPID_RUN"]);
    assert!(seen.ends_with("\n/\n"), "{seen}");
}

#[test]
fn output_is_delivered_while_the_command_still_runs() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let go = dir.path().join("go");
    let script = format!("echo first; while ! test -e '{}'; do sleep 0.01; done; echo second", go.display());
    let mut seen = Vec::new();
    let mut sink = |chunk: &[u8]| {
        seen.extend_from_slice(chunk);
        if seen == b"first\n" {
            std::fs::write(&go, "").expect("written");
        }
    };
    let finished = run_watching(&sh(&script).deadline(SOON), &mut sink, &NO_ONE).expect("started");
    assert_eq!((finished.ended, &seen[..]), (Ended::Exited(0), &b"first\nsecond\n"[..]));
}

#[test]
fn a_great_deal_of_output_arrives_whole_whatever_its_lines() {
    let mut total = 0usize;
    let script = "head -c 30000000 /dev/zero; head -c 3000000 /dev/zero | tr '\\0' 'x' >&2";
    let finished = run_watching(&sh(script), &mut |chunk| total += chunk.len(), &NO_ONE).expect("started");
    assert_eq!((finished.ended, total), (Ended::Exited(0), 33_000_000));
}

#[test]
fn a_deadline_ends_the_whole_group() {
    let watch = Stopwatch::start();
    let (finished, seen) = run_quietly(&sh("echo begun; sleep 1000 & sleep 1000").deadline(Duration::from_millis(50)));
    assert_eq!((finished.ended, &seen[..]), (Ended::TimedOut, &b"begun\n"[..]));
    // Nobody holds the pipe: the sleep in the background is gone as well.
    assert!(!finished.left_behind && watch.elapsed() < SOON);
}

#[test]
fn who_ignores_sigterm_is_killed_after_the_grace() {
    let script = "trap '' TERM; echo begun; while :; do sleep 0.05; done";
    let invocation = sh(script).deadline(Duration::from_millis(100)).grace(Duration::from_millis(100));
    assert_eq!(run_quietly(&invocation).0.ended, Ended::TimedOut);
}

#[test]
fn a_child_of_the_group_that_ignores_sigterm_is_killed_too() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let pid = dir.path().join("pid");
    // It holds no pipe of ours and its parent goes at once; only the group still knows it.
    let script = format!(
        "(trap '' TERM; sh -c 'echo $PPID' >'{0}.new'; mv '{0}.new' '{0}'; while :; do sleep 0.05; done) \
         >/dev/null 2>&1 & while ! test -e '{0}'; do sleep 0.01; done; echo begun; sleep 1000",
        pid.display()
    );
    let interrupted = Cell::new(false);
    let mut sink = |piece: &[u8]| interrupted.set(interrupted.get() || !piece.is_empty());
    let interrupts = || Interrupts { count: u32::from(interrupted.get()), last: 15 };
    let finished = run_watching(&sh(&script), &mut sink, &interrupts).expect("started");
    assert_eq!(finished.ended, Ended::Interrupted(15));
    let pid = std::fs::read_to_string(pid).expect("written").trim().to_owned();
    let watch = Stopwatch::start();
    while is_running(&pid) {
        assert!(watch.elapsed() < SOON, "{pid} is still there");
        std::thread::yield_now();
    }
}

/// Whether a process is there and no zombie.
fn is_running(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn a_second_interruption_shortens_the_grace() {
    let watch = Stopwatch::start();
    let count = Cell::new(0);
    let mut sink = |piece: &[u8]| count.set(if piece.is_empty() { count.get() } else { 1 });
    let interrupts = || {
        // Each look after the first is another Ctrl-C.
        let now = count.get();
        count.set(if now > 0 { now + 1 } else { 0 });
        Interrupts { count: now, last: 2 }
    };
    let invocation = sh("trap '' INT TERM; echo begun; while :; do sleep 0.05; done").grace(Duration::from_secs(3600));
    let finished = run_watching(&invocation, &mut sink, &interrupts).expect("started");
    assert_eq!(finished.ended, Ended::Interrupted(2));
    assert!(watch.elapsed() < SOON);
}

#[test]
fn nothing_is_started_once_interrupted() {
    let mut sink = |_: &[u8]| panic!("it ran");
    let interrupts = || Interrupts { count: 1, last: 15 };
    let refused = run_watching(&sh("echo ran"), &mut sink, &interrupts).expect_err("refused");
    assert_eq!(refused.code, Code::Rapid004);
}

#[test]
fn a_program_left_in_the_background_does_not_hold_us() {
    let watch = Stopwatch::start();
    let (finished, seen) = run_quietly(&sh("sleep 30 & echo done; exit 3"));
    assert_eq!((finished.ended, &seen[..]), (Ended::Exited(3), &b"done\n"[..]));
    assert!(finished.left_behind && watch.elapsed() < SOON);
}

#[test]
fn not_even_one_that_never_stops_printing() {
    let watch = Stopwatch::start();
    let mut total = 0usize;
    // It ends by itself a while after nobody listens any more.
    let script = "(trap '' PIPE; i=0; while test $i -lt 900; do i=$((i+1)); echo x; sleep 0.01; done) & exit 0";
    let finished = run_watching(&sh(script), &mut |chunk| total += chunk.len(), &NO_ONE).expect("started");
    assert_eq!(finished.ended, Ended::Exited(0));
    assert!(finished.left_behind && total > 0 && watch.elapsed() < SOON);
}

#[test]
fn nor_one_that_prints_as_fast_as_it_can() {
    let watch = Stopwatch::start();
    let finished = run_watching(&sh("yes & exit 0"), &mut |_| {}, &NO_ONE).expect("started");
    assert!(finished.left_behind && watch.elapsed() < SOON);
}

#[test]
fn what_cannot_be_started_says_why() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("plain");
    std::fs::write(&file, "#!/no/such/interpreter\n").expect("written");
    let refused = |invocation: Invocation| {
        let refused = run_watching(&invocation, &mut |_| panic!("it ran"), &NO_ONE).expect_err("refused");
        assert_eq!(refused.code, Code::Rapid1307);
        refused
    };
    let missing = refused(Invocation::new("no-such-program", environment()));
    assert!(missing.message.contains("no such program on PATH") && !missing.hints.is_empty(), "{missing}");
    assert!(refused(Invocation::new("./none", environment())).message.contains("no such file"));
    let plain = refused(Invocation::new(&file, environment()));
    assert!(plain.message.contains("not executable") && plain.hints[0].starts_with("chmod +x"), "{plain}");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode set");
    assert!(
        refused(Invocation::new("./plain", environment().in_directory(dir.path()))).message.contains("interpreter")
    );
    assert!(refused(Invocation::new("/", environment())).message.contains("directory"));
    let nowhere = environment().in_directory(Path::new("/no/such/place"));
    assert!(refused(Invocation::new("sh", nowhere)).message.contains("/no/such/place"));
}

#[test]
fn a_helper_gets_its_input_and_gives_both_outputs_apart() {
    let answer = output(&sh("cat; echo complaint >&2; exit 4"), Some(b"question"), Limits::default()).expect("ran");
    assert_eq!((answer.ended, &answer.stdout[..]), (Ended::Exited(4), &b"question"[..]));
    assert_eq!(answer.complaint(), "complaint");
}

#[test]
fn a_helper_may_leave_its_input_unread() {
    let input = vec![b'x'; 4 << 20];
    let answer = output(&sh("exit 0"), Some(&input), Limits::default()).expect("ran");
    assert!(answer.ended.success());
    let answer = output(&sh("cat"), Some(&input), Limits::default()).expect("ran");
    assert_eq!(answer.stdout, input);
}

#[test]
fn an_answer_beyond_its_limit_is_an_error_and_a_complaint_is_cut() {
    let limits = Limits { stdout: 10, stderr: 4 };
    let fits = output(&sh("printf 0123456789; printf abcdef >&2"), None, limits).expect("fits");
    assert_eq!((&fits.stdout[..], &fits.stderr[..]), (&b"0123456789"[..], &b"abcd"[..]));
    assert_eq!(output(&sh("printf 0123456789x"), None, limits).expect_err("too much").code, Code::Rapid1525);
    let watch = Stopwatch::start();
    assert_eq!(output(&sh("yes"), None, limits).expect_err("too much").code, Code::Rapid1525);
    assert!(watch.elapsed() < SOON);
}

#[test]
fn a_helper_has_a_deadline_and_can_be_interrupted() {
    let slow = sh("exec sleep 1000").deadline(Duration::from_millis(50)).sharing_terminal();
    assert_eq!(output(&slow, None, Limits::default()).expect("ran").ended, Ended::TimedOut);
    let looks = Cell::new(0);
    let interrupts = || {
        looks.set(looks.get() + 1);
        Interrupts { count: u32::from(looks.get() > 1), last: 2 }
    };
    let answer = output_watching(&sh("sleep 1000"), None, Limits::default(), &interrupts).expect("ran");
    assert_eq!(answer.ended, Ended::Interrupted(2));
}

#[test]
fn an_invocation_can_be_shown() {
    let shown = sh("echo 'a b'\n").shown();
    assert_eq!(shown, r"sh -c 'echo \'a b\'\n'");
    assert_eq!(Invocation::new("cargo", environment()).arguments(["test", "--", "a_b"]).shown(), "cargo test -- a_b");
}
