//! How much memory a process took at most.

use super::Output;
use std::process::{Command, Stdio};

/// Runs a command to its end; its output, and its peak of resident memory in KiB. Nothing where the system does not tell.
///
/// The peak is looked at until the process is gone; it never sinks, so only what is taken in the very last moment is missed.
pub fn peak_memory(command: &mut Command) -> Option<(Output, u64)> {
    let shown = format!("{command:?}");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let watcher = std::thread::spawn(move || {
        let mut peak = None;
        while let Some(now) = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text)) {
            peak = Some(now);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        peak
    });
    let mut errors = child.stderr.take().unwrap();
    let errors = std::thread::spawn(move || std::io::read_to_string(&mut errors).unwrap());
    let output = child.wait_with_output().unwrap();
    let stderr = errors.join().unwrap().into_bytes();
    let output = std::process::Output { stderr, ..output };
    let peak = watcher.join().unwrap()?;
    Some((Output::from_std(&output, shown), peak))
}

/// `VmHWM` of a status; a process that has ended has none.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
