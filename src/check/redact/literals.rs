//! Texts that are secret because of what they are: the values of variables.
//!
//! Not here: which variables (`names`). A value is looked for as it is, as an address, a form or a JSON text would write it, in
//! hexadecimal digits and in base64, there also behind something else (`user:value`); and one of several lines also line by
//! line, since a program may indent or number them.

use std::collections::BTreeSet;
use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

use super::strength;
use crate::diagnostics::{Code, Result};

/// Shorter texts stand everywhere by chance.
const SHORTEST: usize = 4;
/// A shorter piece of base64 stands somewhere by chance.
const SHORTEST_BASE64: usize = 8;
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
        .flat_map(|text| {
            let mut forms = vec![text.to_owned()];
            forms.extend(in_addresses(text));
            forms.extend([in_json(text), in_ascii_json(text, false), in_ascii_json(text, true), in_slashed_json(text)]);
            forms.extend(in_base64(text.as_bytes()));
            forms.extend([in_hex(text, false), in_hex(text, true)]);
            forms
        })
        .collect()
}

/// At most so many bytes, ending with a whole character.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// As addresses and forms write it: with small digits or capitals, a blank as `+`, with the signs that scripts keep.
fn in_addresses(text: &str) -> [String; 4] {
    let upper = escaped(text, b"-._~");
    let form = upper.replace("%20", "+");
    [small_escapes(&upper), escaped(text, b"-._~!'()*"), form, upper]
}

fn escaped(text: &str, kept: &[u8]) -> String {
    text.bytes().fold(String::new(), |mut written, byte| {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            written.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(written, "%{byte:02X}");
        }
        written
    })
}

/// The same with small letters after each `%`.
fn small_escapes(text: &str) -> String {
    let mut left = 0;
    let small = |c: char| {
        let escape = left > 0;
        left = if c == '%' { 2 } else { usize::saturating_sub(left, 1) };
        if escape { c.to_ascii_lowercase() } else { c }
    };
    text.chars().map(small).collect()
}

fn in_hex(text: &str, upper: bool) -> String {
    text.bytes().fold(String::new(), |mut written, byte| {
        let _ = if upper { write!(written, "{byte:02X}") } else { write!(written, "{byte:02x}") };
        written
    })
}

/// In both alphabets: whole, and the part that is the same whatever stands before and after it.
fn in_base64(bytes: &[u8]) -> Vec<String> {
    let mut forms = vec![base64(bytes)];
    for before in 0..3 {
        let behind = base64(&[&vec![0; before], bytes].concat());
        let whole = (before + bytes.len()) * 8 / 6;
        // The first sign that has a bit of what stands before is not ours alone.
        let part = behind.get((before * 8).div_ceil(6)..whole).unwrap_or_default();
        forms.extend((part.len() >= SHORTEST_BASE64).then(|| part.to_owned()));
    }
    let others: Vec<String> = forms.iter().map(|form| form.replace('+', "-").replace('/', "_")).collect();
    forms.extend(others);
    forms
}

pub(super) fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..=three.len() {
            let sign = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or(0);
            written.push(char::from(SIGNS.get(sign).copied().unwrap_or(b'=')));
        }
    }
    written
}

/// As JSON of ASCII only.
fn in_ascii_json(text: &str, upper: bool) -> String {
    let mut units = [0; 2];
    in_json(text).chars().fold(String::new(), |mut written, c| {
        match c.is_ascii() {
            true => written.push(c),
            false => c.encode_utf16(&mut units).iter().for_each(|unit| {
                let _ = if upper { write!(written, "\\u{unit:04X}") } else { write!(written, "\\u{unit:04x}") };
            }),
        }
        written
    })
}

/// As JSON that may stand in a page.
fn in_slashed_json(text: &str) -> String {
    in_ascii_json(text, false).replace('/', "\\/")
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
