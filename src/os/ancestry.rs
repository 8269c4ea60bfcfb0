//! Who started us: the names of known agents among the processes above this one, and the marks that agents leave in the
//! environment.
//!
//! Not here: what follows from it (`approval/`). A hit means an agent is at work; no hit means *no evidence of one*,
//! never a person: a renamed program, a double fork, a namespace of its own hide it. Reading the system is kept apart
//! from recognising a name, so that the names can be tested as data.

mod agents;
#[cfg(any(test, not(target_os = "linux")))]
mod listing;
mod marks;
mod matching;
#[cfg(target_os = "linux")]
mod procfs;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use marks::{Mark, agent_markers};
pub use matching::Sign;

#[cfg(not(target_os = "linux"))]
use listing as system;
#[cfg(target_os = "linux")]
use procfs as system;

/// More processes than any real chain has; a longer one is not walked to its end.
const DEEPEST: usize = 256;

/// A process above this one, as far as the system shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) pid: u32,
    /// The number of its parent; 0 at the top.
    pub(crate) parent: u32,
    /// The name that the kernel keeps for it, which it may have changed; on Linux at most 15 bytes.
    pub(crate) comm: String,
    /// Its program file; none when that is hidden from us.
    pub(crate) exe: Option<PathBuf>,
    /// Its first arguments, its own name included; none when hidden or overwritten.
    pub(crate) arguments: Vec<String>,
}

/// A known agent above this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The agent's short name, like `claude`.
    pub name: &'static str,
    /// The number of its process.
    pub pid: u32,
    /// What gave it away.
    pub sign: Sign,
}

/// What a walk up the parents found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ancestry {
    /// The agents, nearest first.
    pub agents: Vec<Agent>,
    /// Whether the walk reached the first process that this one can see; a chain that broke off says less.
    pub whole: bool,
}

/// Walks up the parents of this process and names the known agents among them.
///
/// On Linux it reads `/proc`; elsewhere it asks `ps` about each process, which costs some milliseconds apiece.
pub fn agents_among_ancestors() -> Ancestry {
    above(std::os::unix::process::parent_id(), &system::process)
}

/// The walk, from process `first` on, with the system as a function.
fn above(first: u32, look_up: &dyn Fn(u32) -> Option<Process>) -> Ancestry {
    let mut ancestry = Ancestry::default();
    let mut seen = BTreeSet::new();
    let mut next = first;
    // Numbers are reused while we walk, so a chain can close on itself.
    while next != 0 && seen.len() < DEEPEST && seen.insert(next) {
        let Some(process) = look_up(next) else { return ancestry };
        let sign = matching::recognise(&process);
        ancestry.agents.extend(sign.map(|(name, sign)| Agent { name, pid: process.pid, sign }));
        next = process.parent;
    }
    ancestry.whole = next == 0;
    ancestry
}
