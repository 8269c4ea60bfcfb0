//! The command line: arguments to requests, outcomes to text or JSON. One file per command; the only room that prints.
//!
//! What a command decides lies in `verbs`; what everything printed goes through lies in `speak`.

mod abort;
mod approve;
mod args;
mod attach;
mod check;
mod demo;
mod exit;
mod fetch;
mod finish;
mod init;
mod next;
mod push;
mod root;
mod shared;
mod speak;
mod start;
mod status;
mod task;
mod verify;

pub use exit::main;
