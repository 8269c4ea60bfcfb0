//! Tests with real signals and a real terminal. Both act on a whole process, so each runs this test program again, as
//! the process that is to be interrupted, with `RAPID_TEST_ROLE` telling it its part.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use super::*;

const ROLE: &str = "RAPID_TEST_ROLE";

/// What the second process does: runs a command that says `ready`, and tells how it ended.
#[test]
fn part_of_the_second_process() {
    let script = match std::env::var(ROLE).as_deref() {
        Ok("waits") => "echo ready; sleep 1000 & wait",
        Ok("reads") => "echo ready; read line </dev/tty; echo read",
        _ => return,
    };
    let show = |text: String| std::io::stderr().write_all(text.as_bytes()).expect("shown");
    let told = run(&sh(script), &mut |chunk| show(String::from_utf8_lossy(chunk).into_owned()));
    show(format!("ended {:?}\n", told.map(|finished| (finished.ended, finished.left_behind))));
}

fn arguments() -> [&'static str; 3] {
    ["os::process::tests::real::part_of_the_second_process", "--exact", "--nocapture"]
}

#[test]
fn a_signal_to_us_ends_the_group() {
    let program = std::env::current_exe().expect("this program");
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        let mut command = Command::new(&program);
        command.args(arguments()).env(ROLE, "waits").stdout(Stdio::null()).stderr(Stdio::piped());
        let mut second = command.spawn().expect("started");
        let mut lines = BufReader::new(second.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
        lines.find(|line| line == "ready").expect("it is ready");
        let pid = rustix::process::Pid::from_child(&second);
        rustix::process::kill_process(pid, signal).expect("signalled");
        let ended = lines.find(|line| line.starts_with("ended")).expect("it tells its end");
        assert_eq!(ended, format!("ended Ok((Interrupted({}), false))", signal.as_raw()));
        assert!(second.wait().expect("over").success());
    }
}

#[test]
fn who_wants_the_terminal_does_not_hold_us() {
    let (mut pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
    let program = std::env::current_exe().expect("this program");
    let command = pty_process::blocking::Command::new(program).args(arguments()).env(ROLE, "reads");
    let mut second = command.spawn(pts).expect("started");
    let mut shown = Vec::new();
    let mut buffer = [0; 1024];
    // The other end closes with an error when the last process has gone.
    while let Ok(length @ 1..) = pty.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..length]);
    }
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("ended Ok((Signalled(21), false))"), "{shown}");
    second.wait().expect("over");
}
