//! Turns that go on at the same time: each agent and each hook on a thread of its own, and what they report taken in one by
//! one. Whoever decides and records stays alone.

use super::job::{AgentJob, HookJob, HookOver};
use super::perform::Current;
use crate::agent;
use crate::diagnostics::{Code, Result};
use crate::os::signals;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long nothing is heard before it is looked whether somebody wants the run to end.
const TICK: Duration = Duration::from_millis(50);

/// What is over.
pub(super) enum Over {
    Agent(Result<Option<agent::turn::Answer>>),
    Hook(Result<HookOver>),
}

/// The turns that are at work.
pub(super) struct Crew {
    at_work: BTreeMap<u32, (Current, JoinHandle<()>)>,
    say: Sender<(u32, Over)>,
    heard: Receiver<(u32, Over)>,
}

impl Crew {
    pub fn new() -> Crew {
        let (say, heard) = channel();
        Crew { at_work: BTreeMap::new(), say, heard }
    }

    /// Sends an agent to work.
    pub fn agent(&mut self, current: Current, job: AgentJob) -> Result<()> {
        self.send(current, move || Over::Agent(job.run()))
    }

    /// Sends a hook to work.
    pub fn hook(&mut self, current: Current, job: HookJob) -> Result<()> {
        self.send(current, move || Over::Hook(job.run()))
    }

    fn send(&mut self, current: Current, work: impl FnOnce() -> Over + Send + 'static) -> Result<()> {
        let (turn, say) = (current.turn.number, self.say.clone());
        // Nobody hears it when the run is given up; then there is nothing to say.
        let thread = std::thread::Builder::new().spawn(move || drop(say.send((turn, work()))));
        let thread = thread
            .map_err(|error| Code::Rapid003.because(format!("no thread for turn {turn} can be made: {error}")))?;
        self.at_work.insert(turn, (current, thread));
        Ok(())
    }

    /// The next that is over, or `None` when nobody is at work, or when the process was asked to end and the run does not
    /// know it yet.
    pub fn next(&mut self, knows: bool) -> Option<(Current, Over)> {
        while !self.at_work.is_empty() {
            match self.heard.recv_timeout(TICK) {
                Ok((turn, over)) => {
                    if let Some(current) = self.home(turn) {
                        return Some((current, over));
                    }
                }
                Err(RecvTimeoutError::Timeout) if !knows && signals::interrupted().is_some() => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(broken) = self.without_a_word() {
                        return Some(broken);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    fn home(&mut self, turn: u32) -> Option<Current> {
        let (current, thread) = self.at_work.remove(&turn)?;
        // It has said its last word.
        let _ = thread.join();
        Some(current)
    }

    /// A turn whose thread is over and said nothing: a fault of ours, and nothing to wait for.
    fn without_a_word(&mut self) -> Option<(Current, Over)> {
        let turn = self.at_work.iter().find(|(_, (_, thread))| thread.is_finished()).map(|(turn, _)| *turn)?;
        // What it said may have come since we looked.
        let (turn, over) = self.heard.try_recv().unwrap_or_else(|_| {
            let why = format!("the thread of turn {turn} ended without a word");
            (turn, Over::Agent(Err(Code::Rapid003.because(why))))
        });
        Some((self.home(turn)?, over))
    }
}

impl Drop for Crew {
    /// The run is given up: nobody goes on without it. The notes of the turns stay for the next start.
    fn drop(&mut self) {
        for (current, thread) in std::mem::take(&mut self.at_work).into_values() {
            while !thread.is_finished() {
                agent::turn::end(&current.mark);
                std::thread::sleep(TICK);
            }
            let _ = thread.join();
        }
    }
}
