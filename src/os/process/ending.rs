//! How a command ended, and how one is made to end.
//!
//! Not here: when to end it (`supervise`). Signals go to a group only while its leader has not been waited for: until
//! then the system can't give its number to anybody else.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal, which neither its deadline nor an interruption of ours sent.
    Signalled(i32),
    /// By us, at its deadline.
    TimedOut,
    /// By us, because this process got this signal.
    Interrupted(i32),
}

impl Ended {
    /// The status that a shell would show: the command's own, 128+N for signal N, 124 at the deadline.
    pub fn exit_code(self) -> i32 {
        match self {
            Ended::Exited(status) => status,
            Ended::Signalled(signal) | Ended::Interrupted(signal) => 128 + signal,
            Ended::TimedOut => 124,
        }
    }

    /// Whether it ended by itself with status 0.
    pub fn success(self) -> bool {
        self == Ended::Exited(0)
    }

    pub(super) fn by_itself(status: ExitStatus) -> Ended {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ended::Exited(code),
            (None, Some(signal)) => Ended::Signalled(signal),
            // The system knows no third way; if it invents one it is no success.
            (None, None) => Ended::Exited(255),
        }
    }
}

/// Whom signals go to: a whole group, or one process of ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) leader: Pid,
    pub(super) group: bool,
}

impl Target {
    /// Asks it to end. One that is stopped is woken, or it would never see the request.
    pub(super) fn ask(self) {
        self.send(Signal::TERM);
        self.send(Signal::CONT);
    }

    /// Ends it.
    pub(super) fn kill(self) {
        self.send(Signal::KILL);
    }

    fn send(self, signal: Signal) {
        // An error says that nobody is left, or that what is left belongs to somebody else by now (a set-uid program):
        // in both cases there is nothing more that we can do.
        let _ = if self.group { kill_process_group(self.leader, signal) } else { kill_process(self.leader, signal) };
    }
}
