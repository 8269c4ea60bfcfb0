//! The two clocks: the calendar's seconds for records, and a stopwatch for durations and deadlines.
//!
//! Not here: formatting of dates and parsing of durations. The two are never mixed: the calendar may be set back while
//! a check runs, the stopwatch can't.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Seconds since 1970-01-01 00:00 UTC; negative on a machine whose clock stands before that.
pub fn now_seconds() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    }
}

/// A clock that only runs forward, started when it is made.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// A stopwatch that shows zero now.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time since the start in whole milliseconds, as records carry it.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
