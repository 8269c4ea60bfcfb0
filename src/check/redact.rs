//! Taking secrets out of text before it is stored: one engine for logs, contracts and transcripts.
//!
//! Not here: when to store (`check`, `registry`) and how much of a log is kept (`capture`). A secret is found by its
//! shape (`shapes`: tokens, key blocks, addresses with passwords), by the name next to it (`assigned`), or because it
//! is the value of a variable that the command was given (`names`). Text is searched as a person reads it: colour codes
//! don't hide a secret and neither does the end of a line in its middle (`view`). The answer tells how often something
//! was found, never what. It finds what has a known shape or name; it is no proof that nothing secret is left.

mod assigned;
mod blocks;
mod literals;
mod names;
mod plain;
mod search;
mod shapes;
mod spans;
mod strength;
mod view;

#[cfg(test)]
#[allow(clippy::string_slice, reason = "made-up secrets are ASCII")]
mod tests;

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use crate::diagnostics::{Code, Result};
pub use names::secret_values;
pub use spans::Redacted;
use spans::Span;

/// More memory than any sensible pattern of a configuration needs, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// Finds and replaces secrets.
#[derive(Clone)]
pub struct Redactor {
    literals: Vec<Regex>,
    extra: Vec<Regex>,
    allow: Vec<Regex>,
}

impl Redactor {
    /// A redactor for the shapes that everybody has, and besides:
    ///
    /// - `secret_values`: texts to replace wherever they stand ([`secret_values`] reads them from an environment);
    /// - `extra`: own patterns, regular expressions; with a group, the first group is the secret, else the whole match;
    /// - `allow`: regular expressions; what one of them matches whole is no secret.
    ///
    /// # Errors
    /// `RAPID1600` when a pattern isn't a regular expression or is too large.
    pub fn new(secret_values: Vec<String>, extra: &[String], allow: &[String]) -> Result<Redactor> {
        Ok(Redactor {
            literals: literals::compile(&secret_values)?,
            extra: extra.iter().map(|pattern| own(pattern, pattern)).collect::<Result<_>>()?,
            allow: allow.iter().map(|pattern| own(pattern, &format!(r"\A(?:{pattern})\z"))).collect::<Result<_>>()?,
        })
    }

    /// The text with `[redacted:<shape>]` in the place of each secret.
    ///
    /// What was replaced once is not replaced again. The time is proportional to the length.
    pub fn redact(&self, bytes: &[u8]) -> Redacted {
        spans::replace(bytes, &self.find(bytes), 0..bytes.len())
    }

    /// As [`Redactor::redact`], for a text that somebody wrote.
    pub fn text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.redact(text.as_bytes()).bytes).into_owned()
    }

    /// The words of a command without its secrets, as many words as before. They are read as one line, since the word before
    /// it often tells what a word is: `--token …`, `curl -u …`.
    pub fn words(&self, words: &[String]) -> Vec<String> {
        let line = words.join(" ");
        let found = self.find(line.as_bytes());
        let mut at = 0;
        let part = |word: &String| {
            let part = at..at + word.len();
            at = part.end + 1;
            let kept = spans::replace(line.as_bytes(), &found, part);
            String::from_utf8_lossy(&kept.bytes).into_owned()
        };
        words.iter().map(part).collect()
    }

    /// As [`Redactor::redact`], for a part of `bytes`: what lies around it is searched too, so that a secret across the
    /// part's edge is seen, and is left out whole.
    pub(super) fn redact_part(&self, bytes: &[u8], part: Range<usize>) -> Redacted {
        spans::replace(bytes, &self.find(bytes), part)
    }

    fn find(&self, bytes: &[u8]) -> Vec<Span> {
        spans::merge(search::all(self, bytes))
    }

    /// Whether the person said that this is no secret.
    fn is_allowed(&self, text: &[u8]) -> bool {
        self.allow.iter().any(|pattern| pattern.is_match(text))
    }
}

impl std::fmt::Debug for Redactor {
    /// Numbers only: the literals are the secrets themselves.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (extra, allow) = (self.extra.len(), self.allow.len());
        f.debug_struct("Redactor").field("extra", &extra).field("allow", &allow).finish_non_exhaustive()
    }
}

/// Compiles a pattern of a configuration; `shown` is how the person wrote it.
fn own(shown: &str, pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern).size_limit(PATTERN_SIZE).build().map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Code::Rapid1600.because(format!("'{shown}' is not a regular expression: {why}")).hint(
            "patterns of redaction are regular expressions; put \\ before . + * ? ( ) [ ] { } to mean them literally",
        )
    })
}
