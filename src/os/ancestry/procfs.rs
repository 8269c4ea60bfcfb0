//! Reading a process from Linux's `/proc`.
//!
//! Not here: which processes, and what their names mean. Each part may be hidden from us on its own, except the parent's
//! number, without which there is no walk.

use std::io::Read;

use super::Process;

/// As much of a command line as is read: the script comes early.
const BYTES: u64 = 16 * 1024;

/// The process of this number; none when it is gone or hidden.
pub(super) fn process(pid: u32) -> Option<Process> {
    let (parent, comm) = parent_and_name(&std::fs::read(format!("/proc/{pid}/stat")).ok()?)?;
    let exe = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    Some(Process { pid, parent, comm, exe, arguments: arguments(pid) })
}

/// The fields 2 and 4 of a `stat`: the name in parentheses, which may hold blanks and parentheses itself, and after the
/// last one the state and the parent's number.
pub(super) fn parent_and_name(stat: &[u8]) -> Option<(u32, String)> {
    let text = String::from_utf8_lossy(stat);
    let (head, tail) = text.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let parent = tail.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((parent, name.to_owned()))
}

fn arguments(pid: u32) -> Vec<String> {
    let mut bytes = Vec::new();
    let Ok(file) = std::fs::File::open(format!("/proc/{pid}/cmdline")) else { return Vec::new() };
    // What was read before an error is as good as it was.
    let _ = file.take(BYTES).read_to_end(&mut bytes);
    words(&bytes)
}

/// The words of a command line, each ended by a zero byte. A process that overwrote its own leaves blanks or nothing.
pub(super) fn words(bytes: &[u8]) -> Vec<String> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let bytes = bytes.get(..end).unwrap_or_default();
    if bytes.is_empty() {
        return Vec::new();
    }
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}
