//! Quantities as people write and read them: time limits and sizes like `30s`, `5m`, `2h`, `10MiB` (cli.md, "Conventions"), and counts.

use crate::diagnostics::{Code, Result};
use std::time::Duration;

/// Reads a time limit; a bare number is not one, since nobody can tell its unit.
pub fn duration(text: &str) -> Result<Duration> {
    let odd = || {
        Code::Rapid001
            .because(format!("'{}' is not a time limit", text.escape_debug()))
            .hint("write it like 30s, 5m or 2h")
    };
    let (number, unit) = split(text).ok_or_else(odd)?;
    let seconds = match unit {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        "d" => 86_400,
        "ms" => return Ok(Duration::from_millis(number)),
        _ => return Err(odd()),
    };
    number.checked_mul(seconds).map(Duration::from_secs).filter(|limit| !limit.is_zero()).ok_or_else(odd)
}

/// Reads a size in bytes.
pub fn size(text: &str) -> Result<u64> {
    let odd = || {
        Code::Rapid001
            .because(format!("'{}' is not a size", text.escape_debug()))
            .hint("write it like 512KiB, 10MiB or 1GiB")
    };
    let (number, unit) = split(text).ok_or_else(odd)?;
    let bytes: u64 = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "kB" | "KB" => 1000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return Err(odd()),
    };
    number.checked_mul(bytes).ok_or_else(odd)
}

fn split(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, unit) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, unit.trim()))
}

/// So many of something.
pub fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_sizes_are_read_and_nonsense_is_refused() {
        assert_eq!(duration("30s").ok(), Some(Duration::from_secs(30)));
        assert_eq!(duration("5m").ok(), Some(Duration::from_secs(300)));
        assert_eq!(duration("2h").ok(), Some(Duration::from_secs(7200)));
        assert_eq!(size("10MiB").ok(), Some(10 << 20));
        for odd in ["", "5", "s", "-1s", "0s", "99999999999999999999h", "1.5h", "5 weeks", "ñ"] {
            assert!(duration(odd).is_err(), "{odd}");
        }
        for odd in ["", "5", "MiB", "-1MiB", "99999999999GiB", "1.5MiB"] {
            assert!(size(odd).is_err(), "{odd}");
        }
    }
}
