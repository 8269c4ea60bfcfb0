//! Texts that are secret because of what they are: the values of variables.
//!
//! Not here: which variables (`names`). A value is looked for as it is and as an address or a JSON text would write it,
//! and one of several lines also line by line, since a program may indent or number them.

use std::collections::BTreeSet;
use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

use super::strength;
use crate::diagnostics::{Code, Result};

/// Shorter texts stand everywhere by chance.
const SHORTEST: usize = 4;
/// The shortest line of a longer value that is secret on its own.
const SHORTEST_LINE: usize = 16;
/// As much of a value as is looked for; nobody's secret differs from others only after that.
const LONGEST: usize = 4096;
/// The bytes of text in one expression.
const GROUP: usize = 64 * 1024;

/// Expressions that match the values, the longest first, so that a value that contains another is replaced whole.
pub(super) fn compile(values: &[String]) -> Result<Vec<Regex>> {
    let mut texts: Vec<String> =
        values.iter().flat_map(|value| written(value)).collect::<BTreeSet<_>>().into_iter().collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let mut groups: Vec<String> = Vec::new();
    for text in texts {
        let text = regex::escape(&text);
        match groups.last_mut() {
            Some(group) if group.len() + text.len() < GROUP => {
                group.push('|');
                group.push_str(&text);
            }
            _ => groups.push(text),
        }
    }
    groups.iter().map(|group| expression(group)).collect()
}

fn expression(group: &str) -> Result<Regex> {
    // Escaped text is always an expression; only its size could be refused, and it is bounded above.
    RegexBuilder::new(group)
        .size_limit(usize::MAX)
        .build()
        .map_err(|_| Code::Rapid003.because("the values of secret variables cannot be searched for"))
}

/// The ways in which a value is written.
fn written(value: &str) -> BTreeSet<String> {
    let lines =
        value.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_LINE && strength::is_strong(line.as_bytes()));
    let lines: Vec<&str> = if value.trim().lines().count() > 1 { lines.collect() } else { Vec::new() };
    let wholes = std::iter::once(value.trim()).chain(lines).filter(|text| text.len() >= SHORTEST);
    wholes
        .map(|text| beginning(text, LONGEST))
        .flat_map(|text| [text.to_owned(), in_address(text), in_json(text)])
        .collect()
}

/// At most so many bytes, ending with a whole character.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

fn in_address(text: &str) -> String {
    text.bytes().fold(String::new(), |mut written, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            written.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(written, "%{byte:02X}");
        }
        written
    })
}

fn in_json(text: &str) -> String {
    text.chars().fold(String::new(), |mut written, c| {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            _ => written.push(c),
        }
        written
    })
}
