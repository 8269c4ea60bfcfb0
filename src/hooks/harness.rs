//! Agents' harnesses: what teaches them the loop, and the guard that stands before their tools.
//!
//! The guard is a rail, not a wall: it reads what a tool is about to do, and compares what is protected before and after.
//! What it cannot see is said in docs/harnesses.md. Approvals do not rest on it (`approval/`).

mod beat;
mod call;
mod catalogue;
mod coverage;
mod effect;
mod guard;
mod install;
mod memory;
mod merge;
mod part;
mod shell;
mod shortcut;
mod stop;
mod tool;

pub use beat::{Beat, beat};
pub use call::{CAP, Call};
pub use catalogue::{Event, HOOK, Harness, Speech};
pub use coverage::{Coverage, at_work, coverage};
pub use effect::{compare, doubts, remember};
pub use guard::{Denied, Ground, judge};
pub use install::{Change, Installed, State, install, installed, uninstall};
pub use memory::{Finding, findings};
pub use shortcut::NAMES;
pub use stop::{MOST as MOST_STOPS, Stop, stop};
