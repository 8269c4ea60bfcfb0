//! Heartbeats: each firing of a hook leaves a small file that says when it was. Installed is not active, and this tells them
//! apart.
//!
//! Not here: what follows (`coverage`). A heartbeat is a note on this machine and no evidence: an agent can write one.

use super::catalogue::{Event, Harness};
use super::install::notes;
use crate::git::Repository;
use crate::os::{clock, files};
use std::path::PathBuf;

/// When an event was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The event.
    pub event: Event,
    /// Seconds since 1970; none when it never was.
    pub at: Option<i64>,
}

pub(super) fn place(repository: &Repository, harness: Harness, event: Event) -> PathBuf {
    notes(repository).join(format!("{}.{}.beat", harness.as_str(), event.as_str()))
}

/// Notes that an event was seen now. Not being able to is no fault: coverage says less then, and that is the safe side.
pub fn beat(repository: &Repository, harness: Harness, event: Event) {
    let _ = files::create_dir_all(&notes(repository));
    let _ = files::note(&place(repository, harness, event), format!("{}\n", clock::now_seconds()).as_bytes());
}

/// When each event of a harness was last seen.
pub(super) fn beats(repository: &Repository, harness: Harness) -> Vec<Beat> {
    let read = |event: &Event| {
        let bytes = files::read_if_there(&place(repository, harness, *event), 64).ok().flatten()?;
        std::str::from_utf8(&bytes).ok()?.trim().parse().ok()
    };
    harness.events().iter().map(|event| Beat { event: *event, at: read(event) }).collect()
}
