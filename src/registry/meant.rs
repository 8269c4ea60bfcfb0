//! The run that a person means by an id: the whole of it, or as much of its beginning as tells it from the others.

use super::Records;
use crate::diagnostics::{Code, Result};
use crate::domain::ids::RunId;

/// The most candidates that are named.
const MOST: usize = 5;

impl Records<'_> {
    /// The run of this id, or the only one whose id begins like this (RAPID1007 when there is none, or more than one).
    pub fn meant(&self, named: &RunId) -> Result<RunId> {
        if self.has_run(named)? {
            return Ok(named.clone());
        }
        let all = self.run_ids()?;
        let like: Vec<&RunId> = all.iter().filter(|id| id.as_str().starts_with(named.as_str())).collect();
        match like.as_slice() {
            [only] => Ok((*only).clone()),
            [] => {
                let missing = Code::Rapid1007.because(format!("there is no run '{named}'"));
                let known: Vec<&str> = all.iter().map(RunId::as_str).collect();
                Err(match similar::get_close_matches(named.as_str(), &known, 1, 0.6).first() {
                    Some(near) => missing.hint(format!("did you mean '{near}'?")),
                    None => missing.hint("see 'git rapid run list'"),
                })
            }
            several => {
                let names: Vec<&str> = several.iter().take(MOST).map(|id| id.as_str()).collect();
                let more = if several.len() > MOST { ", …" } else { "" };
                Err(Code::Rapid1007
                    .because(format!("'{named}' begins the ids of {} runs", several.len()))
                    .hint(format!("say more of it: {}{more}", names.join(", "))))
            }
        }
    }
}
