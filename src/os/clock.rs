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

/// A moment as people write it: the date and the time of day, in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// `2026-01-31`.
    pub date: String,
    /// `23:59:58`.
    pub time: String,
}

impl Moment {
    /// Now.
    pub fn now() -> Moment {
        Moment::of(now_seconds())
    }

    /// So many seconds after 1970.
    pub fn of(seconds: i64) -> Moment {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Years that begin in March, in eras of 400 years: the leap day comes last.
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = year + era * 400 + next;
        Moment {
            date: format!("{year:04}-{month:02}-{day:02}"),
            time: format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60),
        }
    }

    /// `20260131T235958`, for the names of files.
    pub fn compact(&self) -> String {
        format!("{}T{}", self.date, self.time).replace(['-', ':'], "")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let shown = |seconds| Moment::of(seconds).compact();
        assert_eq!(shown(0), "19700101T000000");
        assert_eq!(shown(951_782_399), "20000228T235959");
        assert_eq!(shown(951_782_400), "20000229T000000");
        assert_eq!(shown(1_767_225_599), "20251231T235959");
        assert_eq!(shown(-1), "19691231T235959");
    }
}
