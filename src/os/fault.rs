//! Fault points: named steps at which a test can have the process killed, as a power cut or `kill -9` would.
//!
//! Compiled into debug builds and builds with the feature `fault-points` only; elsewhere a point costs nothing.

/// Dies here with SIGKILL when the environment's `RAPID_FAULT_POINT` names this step.
#[cfg(any(debug_assertions, feature = "fault-points"))]
pub fn point(step: &str) {
    if std::env::var_os("RAPID_FAULT_POINT").is_some_and(|wanted| wanted == step) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

/// Nothing.
#[cfg(not(any(debug_assertions, feature = "fault-points")))]
pub fn point(_: &str) {}
