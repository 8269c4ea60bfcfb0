//! The command line: arguments to requests, outcomes to text or JSON. One file per command; the only room that prints.
//!
//! What a command decides lies in `verbs`; what everything printed goes through lies in `speak`.

mod abort;
mod approve;
mod arch;
mod args;
mod attach;
mod brief;
mod cat;
mod check;
mod completions;
mod demo;
mod doctor;
mod eval;
mod evidence;
mod exit;
mod explain;
mod export;
mod expunge;
mod fetch;
mod finish;
mod harness;
mod harness_hook;
mod hook;
mod hooks;
mod init;
mod log;
mod man;
mod mcp;
mod mission;
mod next;
mod policy;
mod push;
mod root;
mod run;
mod shared;
mod show;
mod snapshot;
mod speak;
mod spec;
mod spec_file;
mod start;
mod status;
mod story;
mod summary;
mod sync;
mod task;
mod validate;
mod verify;
mod version;

pub use exit::main;
