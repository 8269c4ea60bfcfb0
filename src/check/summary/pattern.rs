//! Patterns as named constants, compiled once on first use, and the numbers they capture.
//!
//! Not here: any pattern. Each runner owns its own; the macro also gives every file a test that compiles all of them.

use regex::{Captures, Regex};

use super::Counts;

/// Compiles a pattern that is part of this program.
#[expect(clippy::expect_used, reason = "the pattern is a literal, and a test of its file compiles it")]
pub(super) fn compile(pattern: &'static str) -> Regex {
    Regex::new(pattern).expect("a pattern of this program is valid")
}

/// Declares patterns of one file: `patterns! { HEADER = r"…"; TRAILER = r"…"; }`.
macro_rules! patterns {
    ($($name:ident = $pattern:expr;)+) => {
        $(static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::check::summary::pattern::compile($pattern));)+

        #[cfg(test)]
        mod every_pattern {
            #[test]
            fn compiles() {
                $(std::sync::LazyLock::force(&super::$name);)+
            }
        }
    };
}
pub(super) use patterns;

/// The decimal number in a capture group; 0 when the group took no part, the largest number when it does not fit.
pub(super) fn number(captures: &Captures<'_>, group: usize) -> u64 {
    captures.get(group).map_or(0, |found| decimal(found.as_str()))
}

/// The text of a capture group; empty when it took no part.
pub(super) fn text<'h>(captures: &Captures<'h>, group: usize) -> &'h str {
    captures.get(group).map_or("", |found| found.as_str())
}

/// A decimal number, saturating; 0 for anything else.
pub(super) fn decimal(digits: &str) -> u64 {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    digits.parse().unwrap_or(u64::MAX)
}

/// `12 word` as its number and its word.
pub(super) fn counted_word(part: &str) -> Option<(u64, &str)> {
    let (digits, word) = part.trim().split_once(' ')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| (decimal(digits), word.trim()))
}

/// `1 failed, 2 passed`: every part as number and word; `None` when a part is neither.
pub(super) fn counted_words<'l>(list: &'l str, separator: &str) -> Option<Vec<(u64, &'l str)>> {
    list.split(separator).filter(|part| !part.trim().is_empty()).map(counted_word).collect()
}

/// Sorts numbers with words into counts. Words not named at all, a total among them, are the caller's to take out first:
/// here whatever is neither passed, skipped nor harmless has failed.
pub(super) fn sort_words(parts: &[(u64, &str)], passed: &[&str], skipped: &[&str], harmless: &[&str]) -> Counts {
    let mut counts = Counts::default();
    for (count, word) in parts {
        let bucket = if passed.contains(word) {
            &mut counts.passed
        } else if skipped.contains(word) {
            &mut counts.skipped
        } else if harmless.contains(word) {
            continue;
        } else {
            &mut counts.failed
        };
        *bucket = bucket.saturating_add(*count);
    }
    counts
}
