//! Signals that ask this process to end: SIGINT, SIGTERM, SIGHUP, SIGQUIT, counted instead of obeyed at once.
//!
//! Not here: ending children (`process`) and deciding what to do about it (whoever runs long). Nothing is counted, and
//! the signals act as always, until [`watch`] is called: quick commands never pay for it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::diagnostics::{Code, Result};

#[cfg(test)]
mod tests;

static LAST: AtomicI32 = AtomicI32::new(0);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How often an interruption is looked for while nothing else happens.
const TICK: Duration = Duration::from_millis(50);

/// The signal that ends this process at once, whatever it is doing, when somebody insists.
const INSISTED: u32 = 3;

/// How often this process was asked to end, and by which signal last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interrupts {
    /// The number of signals since [`watch`].
    pub count: u32,
    /// The number of the last one; 0 when there was none.
    pub last: i32,
}

/// Starts counting; the first call does it, later ones are free. From the third signal on this process ends as if
/// nobody had watched, so that a person can always get out.
///
/// A signal that our caller had switched off (`nohup`, a shell's background job) stays switched off.
///
/// # Errors
/// `RAPID003` when the system refuses a handler.
pub fn watch() -> Result<()> {
    static WATCHING: OnceLock<std::result::Result<(), String>> = OnceLock::new();
    WATCHING.get_or_init(|| start().map_err(|error| error.to_string())).clone().map_err(|error| {
        Code::Rapid003.because(format!("cannot watch for signals: {error}")).hint("report this as a fault of git-rapid")
    })
}

fn start() -> std::io::Result<()> {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| ignored & mask(*signal) == 0);
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            LAST.store(signal, Ordering::SeqCst);
            if COUNT.fetch_add(1, Ordering::SeqCst) + 1 >= INSISTED {
                // An error leaves us where we are, which is what the first two signals asked for anyway.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    })?;
    Ok(())
}

/// The last signal that asked this process to end; none while nobody did, or before [`watch`].
pub fn interrupted() -> Option<i32> {
    let seen = interrupts();
    (seen.count > 0).then_some(seen.last)
}

/// Waits this long, or until this process is asked to end; says whether it was.
pub fn wait(time: Duration) -> bool {
    let until = Instant::now() + time;
    while interrupted().is_none() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(left.min(TICK));
    }
    true
}

/// How often and by what this process was asked to end since [`watch`].
pub fn interrupts() -> Interrupts {
    // The count is raised after the name is stored, so a count above zero always has a name.
    let count = COUNT.load(Ordering::SeqCst);
    Interrupts { count, last: LAST.load(Ordering::SeqCst) }
}

/// The signals that are ignored by this process, as a bit mask; 0 where the system doesn't tell.
fn ignored_signals() -> u64 {
    std::fs::read_to_string("/proc/self/status").map_or(0, |status| ignored_in(&status))
}

/// The mask in the `SigIgn` line of a `/proc/<pid>/status`.
fn ignored_in(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The bit of a signal in such a mask: signal 1 is the lowest.
fn mask(signal: i32) -> u64 {
    u32::try_from(signal - 1).ok().and_then(|bit| 1u64.checked_shl(bit)).unwrap_or(0)
}
