//! Processes that are found again: by a mark in their environment, which all that they start inherit, and by the moment of
//! their birth, which tells a process from a later one of the same number.
//!
//! Not here: who gets a mark, and why somebody is ended. Where there is no `/proc` nobody is found, and only the group that
//! the supervision itself ended is gone.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, setsid};

use crate::os::clock::Stopwatch;
use crate::os::signals;

/// How often it is looked whether they are gone.
const TICK: Duration = Duration::from_millis(20);

/// How long after SIGKILL a process is waited for.
const UNKILLABLE: Duration = Duration::from_secs(5);

/// When a process was started, in the system's own ticks; none when it is gone, or dead and not yet collected.
pub fn born(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// Ends every process that has this mark in its environment: asks, waits for the grace, and kills. Gives how many there were.
pub fn end_marked(name: &str, value: &str, grace: Duration) -> usize {
    let mark = format!("{name}={value}").into_bytes();
    let first = marked(&mark);
    end(&first, grace, &|| marked(&mark));
    first.len()
}

/// Asks one process to end, and waits for it: whether it is gone. It is never killed.
pub fn end_politely(pid: u32, birth: u64, patience: Duration) -> bool {
    let alive = || born(pid) == Some(birth);
    if alive() {
        send(pid, Signal::TERM);
    }
    let watch = Stopwatch::start();
    while alive() && watch.elapsed() < patience {
        std::thread::sleep(TICK);
    }
    !alive()
}

/// Waits; whether it was for all of the time, and not until somebody asked this process to end.
pub fn pause(time: Duration) -> bool {
    let watch = Stopwatch::start();
    loop {
        if signals::interrupted().is_some() {
            return false;
        }
        match time.checked_sub(watch.elapsed()) {
            Some(rest) if !rest.is_zero() => std::thread::sleep(rest.min(TICK)),
            _ => return true,
        }
    }
}

/// Makes this process the leader of a session of its own, which no terminal can end; one that leads a group already stays.
pub fn leave_session() {
    let _ = setsid();
}

fn end(first: &[u32], grace: Duration, again: &dyn Fn() -> Vec<u32>) {
    if first.is_empty() {
        return;
    }
    for pid in first {
        send(*pid, Signal::TERM);
        send(*pid, Signal::CONT);
    }
    let watch = Stopwatch::start();
    loop {
        let left = again();
        let late = watch.elapsed();
        if left.is_empty() || late > grace + UNKILLABLE {
            return;
        }
        if late > grace {
            left.iter().for_each(|pid| send(*pid, Signal::KILL));
        }
        std::thread::sleep(TICK);
    }
}

fn marked(mark: &[u8]) -> Vec<u32> {
    let own = std::process::id();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| *pid != own);
    pids.filter(|pid| born(*pid).is_some() && has_mark(*pid, mark)).collect()
}

fn has_mark(pid: u32, mark: &[u8]) -> bool {
    std::fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|variable| variable == mark))
}

fn send(pid: u32, signal: Signal) {
    // An error says that it is gone, or somebody else's by now.
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}
