//! Watching a started program until it and its output have ended, or have been made to end.
//!
//! Not here: signals themselves (`ending`) and threads (`spawn`). One loop, one channel, and a small state: why we are
//! ending it, if we are, and since when.

use std::ops::ControlFlow;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::ending::{Ended, Target};
use super::invocation::Invocation;
use super::spawn::{CHUNK, Event, IN_FLIGHT, Running, Stream};
use crate::diagnostics::{Code, Result};
use crate::os::clock::Stopwatch;
use crate::os::signals::Interrupts;

/// How often interruptions are looked for when nothing else happens.
const TICK: Duration = Duration::from_millis(25);
/// Silence after the exit that counts as the end of the output, when somebody still holds it open.
const SILENCE: Duration = Duration::from_millis(200);
/// How long after the exit we listen at most to somebody who isn't silent.
const LISTEN: Duration = Duration::from_secs(2);
/// How long after SIGKILL we wait for a process that the kernel doesn't let go.
const UNKILLABLE: Duration = Duration::from_secs(5);
/// What the program itself can have written and we not yet seen when it exits: the pieces in flight, and the largest
/// pipe that an ordinary user can make. More than that after the exit comes from somebody else.
const BACKLOG: usize = CHUNK * IN_FLIGHT + 1024 * 1024;

/// SIGTTIN and SIGTTOU: stopped because it wants the terminal, which nobody will give it.
const WANTS_TERMINAL: [i32; 2] = [signal_hook::consts::SIGTTIN, signal_hook::consts::SIGTTOU];

/// What supervision found.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) ended: Ended,
    pub(super) left_behind: bool,
    /// The sink had enough.
    pub(super) refused: bool,
}

/// Why we end a program.
#[derive(Clone, Copy)]
enum Why {
    Deadline,
    Interrupt(i32),
    Terminal(i32),
    Refused,
}

struct Watch {
    target: Target,
    open: usize,
    exited: Option<Stopwatch>,
    after_exit: usize,
    ending: Option<(Why, Stopwatch)>,
    killed: Option<Stopwatch>,
    refused: bool,
}

/// Hands output to `sink` until the program is over; `Break` from the sink ends the program. An empty piece says that nothing
/// came for a moment.
pub(super) fn supervise(
    running: Running,
    invocation: &Invocation,
    interrupts: &dyn Fn() -> Interrupts,
    sink: &mut dyn FnMut(Stream, &[u8]) -> ControlFlow<()>,
) -> Result<Told> {
    let Running { mut child, target, events, open } = running;
    let started = Stopwatch::start();
    let mut watch = Watch { target, open, exited: None, after_exit: 0, ending: None, killed: None, refused: false };
    while !watch.is_over() {
        let event = events.recv_timeout(watch.patience());
        let silent = matches!(event, Err(RecvTimeoutError::Timeout));
        match event {
            Ok(Event::Chunk(stream, chunk)) => {
                watch.after_exit += if watch.exited.is_some() { chunk.len() } else { 0 };
                if sink(stream, &chunk).is_break() {
                    watch.refused = true;
                    watch.end(Why::Refused);
                }
            }
            Ok(Event::Closed) => watch.open = watch.open.saturating_sub(1),
            Ok(Event::Exited) => watch.exited = Some(Stopwatch::start()),
            Ok(Event::Stopped(signal)) if WANTS_TERMINAL.contains(&signal) => watch.end(Why::Terminal(signal)),
            Ok(Event::Stopped(_)) => {}
            // Nothing came: the sink is told so, since it may want to say that time goes by. It has nothing to refuse.
            Err(RecvTimeoutError::Timeout) => drop(sink(Stream::Out, &[])),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if silent && watch.has_heard_enough() {
            break;
        }
        watch.look_at(started, invocation, interrupts());
    }
    // What is left of a group that we end has had its grace. Before the exit is collected, so the number is still ours.
    if watch.ending.is_some() {
        target.kill();
    }
    let by_itself = match watch.exited {
        Some(_) => Ended::by_itself(child.wait().map_err(|error| {
            Code::Rapid003.because(format!("cannot collect the status of '{}': {error}", invocation.shown()))
        })?),
        None => Ended::Signalled(signal_hook::consts::SIGKILL),
    };
    let ended = match watch.ending.map(|(why, _)| why) {
        Some(Why::Deadline) => Ended::TimedOut,
        Some(Why::Interrupt(signal)) => Ended::Interrupted(signal),
        Some(Why::Terminal(signal)) => Ended::Signalled(signal),
        Some(Why::Refused) | None => by_itself,
    };
    Ok(Told { ended, left_behind: watch.open > 0, refused: watch.refused })
}

impl Watch {
    fn is_over(&self) -> bool {
        let gone = self.exited.is_some() && self.open == 0;
        let stuck = self.killed.is_some_and(|since| since.elapsed() > UNKILLABLE);
        gone || stuck || (self.ending.is_none() && self.has_heard_too_much())
    }

    /// How long to wait for the next event.
    fn patience(&self) -> Duration {
        match (self.exited, self.ending) {
            (Some(since), None) if since.elapsed() >= LISTEN => Duration::ZERO,
            (Some(_), None) => SILENCE,
            _ => TICK,
        }
    }

    /// Nothing came within our patience, after the exit: the rest belongs to a program left in the background.
    fn has_heard_enough(&self) -> bool {
        match self.ending {
            None => self.exited.is_some(),
            // A group that is being ended closes the pipe when its last member goes; one that left the group doesn't.
            Some(_) => self.exited.is_some() && self.killed.is_some_and(|since| since.elapsed() > SILENCE),
        }
    }

    /// Output goes on long after the exit, and all that the program itself can have written is here.
    fn has_heard_too_much(&self) -> bool {
        self.exited.is_some_and(|since| since.elapsed() >= LISTEN) && self.after_exit > BACKLOG
    }

    fn look_at(&mut self, started: Stopwatch, invocation: &Invocation, seen: Interrupts) {
        let late = invocation.deadline.is_some_and(|deadline| started.elapsed() >= deadline);
        match self.ending {
            None if seen.count > 0 => self.end(Why::Interrupt(seen.last)),
            None if late => self.end(Why::Deadline),
            Some((_, since)) if self.killed.is_none() && (since.elapsed() >= invocation.grace || seen.count > 1) => {
                self.target.kill();
                self.killed = Some(Stopwatch::start());
            }
            _ => {}
        }
    }

    fn end(&mut self, why: Why) {
        if self.ending.is_none() && self.exited.is_none() {
            self.target.ask();
            self.ending = Some((why, Stopwatch::start()));
        }
    }
}
