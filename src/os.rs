//! The world outside: clock, environment, processes, signals, terminal, files. The only room that touches them.
//!
//! Not here: what any of it means. This room knows no repository, no run and no agent's verdict; it hands values
//! (an [`environment::Environment`], seconds, bytes, an [`process::Ended`]) to rooms that decide.

pub mod ancestry;
pub mod clock;
pub mod environment;
pub mod fault;
pub mod files;
pub mod owned;
pub mod pager;
pub mod process;
pub mod secret;
pub mod signals;
pub mod terminal;
