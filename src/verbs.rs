//! The verbs: request in, outcome out. They decide and record; they parse no arguments and print nothing.
//!
//! One file per verb. What several need is `rapid` (repository, records, configuration) and `work` (the code that a run is
//! about).

pub mod abort;
pub mod approve;
pub mod arch;
pub mod attach;
pub mod brief;
pub mod check;
pub mod demo;
pub mod doctor;
pub mod evaluate;
pub mod evidence;
pub mod export;
pub mod expunge;
pub mod finish;
pub mod init;
pub mod log;
pub mod mission;
pub mod next;
pub mod plan;
pub mod policy;
pub mod rapid;
pub mod run;
pub mod show;
mod signing;
pub mod since;
pub mod spec;
pub mod start;
pub mod status;
pub mod story;
pub mod sync;
pub mod task;
pub mod terms;
mod uncommitted;
pub mod validate;
pub mod verify;
pub mod work;
pub mod worktrees;
