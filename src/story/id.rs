//! The id of a story: the stem of its file's name, compared exactly.

use std::fmt;

/// A story's id, like `STORY-007`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoryId(String);

impl StoryId {
    /// The id of a file with this stem; whatever the stem is, it is an id.
    pub fn of(stem: impl Into<String>) -> StoryId {
        StoryId(stem.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may name a directory of the ledger: letters, digits, `.`, `_` and `-` of ASCII, at most 128, the first a
    /// letter or a digit.
    pub fn is_recordable(&self) -> bool {
        self.0.len() <= 128
            && self.0.starts_with(|c: char| c.is_ascii_alphanumeric())
            && self.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    }

    /// All its digits as one number, by which stories are ordered; `None` without any.
    pub fn number(&self) -> Option<u64> {
        self.0.bytes().filter(u8::is_ascii_digit).fold(None, |number, digit| {
            Some(number.unwrap_or(0_u64).saturating_mul(10).saturating_add(u64::from(digit - b'0')))
        })
    }
}

impl fmt::Display for StoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The ids that a text names: `STORY-` in any letter case and what hangs on it, with a digit in it; upper-cased.
pub(super) fn named_in(text: &str) -> impl Iterator<Item = String> + '_ {
    words_with_prefix(text, "STORY-")
}

/// The first epic that a text names, upper-cased.
pub(super) fn epic_in(text: &str) -> Option<String> {
    words_with_prefix(text, "EPIC-").next()
}

fn words_with_prefix<'a>(text: &'a str, prefix: &'static str) -> impl Iterator<Item = String> + 'a {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).filter_map(move |word| {
        let word = word.trim_matches(|c| c == '-' || c == '_').to_ascii_uppercase();
        let rest = word.strip_prefix(prefix)?;
        rest.bytes().any(|byte| byte.is_ascii_digit()).then_some(word)
    })
}
