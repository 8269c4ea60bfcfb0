//! A moment as people read it, in UTC: `2026-05-17T08:30:00Z`; and how long something takes: `4m05s`.
//!
//! Not a calendar: only from seconds to text and back.

use std::time::Duration;

/// The text of this many seconds since 1970.
pub fn moment(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days are counted from 1 March of the year 0, so that a leap day is the last of its year (400 years: 146,097 days).
    let shifted = days.saturating_add(719_468);
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let in_month = in_year - (153 * month + 2) / 5 + 1;
    let civil_month = if month < 10 { month + 3 } else { month - 9 };
    let civil_year = year + era * 400 + i64::from(civil_month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{civil_year:04}-{civil_month:02}-{in_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The seconds since 1970 of `2026-05-17` or `2026-05-17T08:30:00Z`, in UTC; `None` for anything else.
pub fn seconds_of(text: &str) -> Option<i64> {
    let (day, time) = text.split_once('T').unwrap_or((text, "00:00:00Z"));
    let number = |digits: &str, length: usize| {
        let plain = digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<i64>().ok()).flatten()
    };
    let mut parts = day.split('-');
    let (year, month, day) = (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let mut clock = time.strip_suffix('Z')?.split(':');
    let (hour, minute, second) = (number(clock.next()?, 2)?, number(clock.next()?, 2)?, number(clock.next()?, 2)?);
    // Years begin in March, as above.
    let (shifted_year, shifted_month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * shifted_year + shifted_year.div_euclid(4) - shifted_year.div_euclid(100)
        + shifted_year.div_euclid(400)
        + (153 * shifted_month + 2) / 5
        + day
        - 1
        - 719_468;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    // What is no day, like 30 February, is written as another one.
    let full = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    (parts.next().is_none() && clock.next().is_none() && moment(seconds) == full).then_some(seconds)
}

/// The text of a duration, in its two largest units.
pub fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        seconds @ 3600..86_400 => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
        seconds => format!("{}d{:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::{moment, seconds_of, span};

    #[test]
    fn spans_are_short() {
        let spans =
            [0, 59, 60, 3599, 3600, 86_399, 90_000].map(|seconds| span(std::time::Duration::from_secs(seconds)));
        assert_eq!(spans, ["0s", "59s", "1m00s", "59m59s", "1h00m", "23h59m", "1d01h"]);
    }

    #[test]
    fn seconds_become_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
        ] {
            assert_eq!(moment(seconds), text);
            assert_eq!(seconds_of(text), Some(seconds));
        }
        assert_eq!(seconds_of("2000-02-29"), Some(951_782_400));
        for odd in [
            "2001-02-29",
            "2000-13-01",
            "2000-1-1",
            "2000-01-01T24:00:00Z",
            "2000-01-01T00:00:00",
            "",
            "today",
            "2000-01-01-01",
        ] {
            assert_eq!(seconds_of(odd), None, "{odd}");
        }
        assert!(moment(i64::MAX).ends_with('Z'));
        assert!(moment(i64::MIN).ends_with('Z'));
    }
}
