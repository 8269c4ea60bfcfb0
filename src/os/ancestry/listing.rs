//! Reading a process through `ps`, for systems without Linux's `/proc`.
//!
//! Not here: which processes, and what their names mean. It runs `ps -o ppid=,comm= -p PID`, and for the arguments
//! `ps -o args= -p PID`, which loses where one argument ends: a script's path with a blank in it is not recognised.

use std::time::Duration;

use super::Process;
use crate::os::environment::Environment;
use crate::os::process::{Invocation, Limits, output};

/// Far longer than `ps` takes.
const DEADLINE: Duration = Duration::from_secs(2);

/// The process of this number; none when it is gone or hidden.
pub(super) fn process(pid: u32) -> Option<Process> {
    let (parent, comm) = parent_and_name(&ps("ppid=,comm=", pid)?)?;
    let exe = comm.starts_with('/').then(|| comm.clone().into());
    let arguments = ps("args=", pid).unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    Some(Process { pid, parent, comm, exe, arguments })
}

/// The parent's number, and the name, which on some systems is the program's whole path, blanks included.
pub(super) fn parent_and_name(line: &str) -> Option<(u32, String)> {
    let (parent, comm) = line.trim().split_once(char::is_whitespace)?;
    Some((parent.parse().ok()?, comm.trim().to_owned()))
}

fn ps(columns: &str, pid: u32) -> Option<String> {
    let environment = Environment::from_pairs("/", [("PATH", "/bin:/usr/bin"), ("LC_ALL", "C")]);
    let pid = pid.to_string();
    let invocation = Invocation::new("ps", environment).arguments(["-o", columns, "-p", &pid]).deadline(DEADLINE);
    let answer = output(&invocation, None, Limits::default()).ok()?;
    answer.ended.success().then(|| String::from_utf8_lossy(&answer.stdout).into_owned())
}
