//! Values beside a name that says they are secret: `API_KEY=…`, `"password": "…"`, `--token …`, `;Password=…;`.
//!
//! Not here: which names (`names`) and which values (`strength`). How much it takes depends on the place: after a
//! variable's name in capitals, in a query or a connection string, and between quotes after a password's name, nearly
//! anything is secret; elsewhere only what looks drawn at random is, since programs speak of tokens all day long.

use std::ops::Range;

use super::names::{is_password, is_telling};
use super::strength::{is_path, is_placeholder, is_strong, is_words};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 80;
/// As much of a value as is weighed, in bytes; the rest of it goes with it.
const WEIGHED: usize = 256;
/// Blanks between a name, its sign and its value.
const BLANKS: usize = 4;
/// A part of each telling name; the rest of the work is for names that have one.
const HINTS: [&[u8]; 8] = [b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"connection"];

/// The ranges of secret values in a text.
pub(super) fn find(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let signs = text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'=' | b':' | b' '));
    for (sign, _) in signs {
        if found.last().is_some_and(|last| sign < last.end) {
            continue;
        }
        let place = Place { text, sign };
        found.extend(place.name().and_then(|name| place.value(&name)));
    }
    found
}

struct Place<'a> {
    text: &'a [u8],
    sign: usize,
}

struct Name {
    range: Range<usize>,
    text: String,
}

/// A value, and where it stands.
struct Value {
    range: Range<usize>,
    /// The quotes around it.
    quote: Option<u8>,
    /// It stands in a list of variables, where only a blank ends it.
    to_blank: bool,
}

impl Place<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// The telling name before the sign. Before a blank only an option's (`--token`) counts.
    fn name(&self) -> Option<Name> {
        let mut end = self.sign;
        let blank = self.byte(end) == Some(b' ');
        let mut back = |allowed: &[u8], most: usize| {
            let start = end;
            while end > 0 && start - end < most && allowed.contains(&self.byte(end - 1).unwrap_or(0)) {
                end -= 1;
            }
        };
        if !blank {
            back(b" ", BLANKS);
            back(b"\"'`\\", 2);
        }
        let before = self.text.get(end.saturating_sub(LONGEST_NAME)..end).unwrap_or_default();
        let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = before.iter().rev().take_while(in_name).count();
        let name = before.get(before.len() - length..).unwrap_or_default();
        if (blank && !name.starts_with(b"--")) || !has_hint(name) {
            return None;
        }
        let text = String::from_utf8_lossy(name).into_owned();
        is_telling(&text).then_some(Name { range: end - length..end, text })
    }

    fn value(&self, name: &Name) -> Option<Range<usize>> {
        let start = self.after_sign()?;
        let tight = start == self.sign + 1 && name.range.end == self.sign;
        let env = tight && is_env(&name.text) && name.text != "AUTH" && self.byte(self.sign) == Some(b'=');
        let before = name.range.start.checked_sub(1).and_then(|before| self.byte(before));
        let value = self.value_at(start, env && matches!(before, None | Some(b'\n' | b' ')))?;
        if self.text.get(self.sign..self.sign + 2) == Some(b"==") && value.quote.is_none() {
            // Two names compared.
            return None;
        }
        let text = self.text.get(value.range.clone())?;
        let listed = matches!(before, Some(b'?' | b'&' | b';')) || self.byte(value.range.end) == Some(b';');
        let in_list = tight && listed && self.byte(self.sign) == Some(b'=');
        let password = is_password(&name.text);
        let loose = env || in_list || (password && value.quote.is_some() && !text.contains(&b' '));
        let secret = is_strong(text)
            || (loose && is_value(text))
            || (password && self.byte(self.sign) == Some(b'=') && is_value(text) && is_odd(text));
        if !secret {
            return None;
        }
        let rest = self.text.get(value.range.end..).unwrap_or_default();
        let more = if text.len() < WEIGHED { 0 } else { rest.iter().take_while(|byte| !value.is_end(byte)).count() };
        Some(value.range.start..value.range.end + more)
    }

    /// Where the value begins: after `=`, `:`, `==`, `:=`, `=>` and blanks; nowhere after `::`.
    fn after_sign(&self) -> Option<usize> {
        let next = self.sign + 1;
        let mut start = match (self.byte(self.sign)?, self.byte(next)) {
            (b':', Some(b':' | b'/')) => return None,
            (b':', Some(b'=')) | (b'=', Some(b'=' | b'>')) => next + 1,
            _ => next,
        };
        let limit = start + BLANKS;
        while start < limit && self.byte(start) == Some(b' ') {
            start += 1;
        }
        Some(start)
    }

    fn value_at(&self, start: usize, to_blank: bool) -> Option<Value> {
        let rest = self.text.get(start..)?;
        // `Some("…")`, `Secret('…')`.
        let wrapper = rest.iter().take(20).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let inner = match rest.get(wrapper..) {
            Some([b'(', b'"' | b'\'', ..]) => wrapper + 1,
            _ => 0,
        };
        let (open, quote) = match rest.get(inner..)? {
            [b'\\', quote @ (b'"' | b'\''), ..] => (inner + 2, Some(*quote)),
            [quote @ (b'"' | b'\'' | b'`'), ..] => (inner + 1, Some(*quote)),
            _ => (0, None),
        };
        let body = rest.get(open..)?;
        let mut value = Value { range: start + open..start + open, quote, to_blank };
        let mut length = body.iter().take(WEIGHED).take_while(|byte| !value.is_end(byte)).count();
        let escaped = open == inner + 2 && length > 0 && body.get(length - 1) == Some(&b'\\');
        length -= usize::from(escaped);
        value.range.end += length;
        (length > 0).then_some(value)
    }
}

impl Value {
    /// Whether the value can't go on with this byte.
    fn is_end(&self, byte: &u8) -> bool {
        match (self.quote, byte) {
            (_, b'\n' | b'\r') => true,
            (Some(quote), byte) => *byte == quote,
            (None, b' ' | b'\t' | b'"' | b'\'') => true,
            (None, b',' | b';' | b')' | b'}' | b']' | b'<' | b'>' | b'|' | b'&' | b'`') => !self.to_blank,
            (None, _) => false,
        }
    }
}

fn has_hint(name: &[u8]) -> bool {
    HINTS.iter().any(|hint| name.windows(hint.len()).any(|window| window.eq_ignore_ascii_case(hint)))
}

/// `NAME_IN_CAPITALS`.
fn is_env(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Anything but a stand-in, a path, or a small number.
fn is_value(text: &[u8]) -> bool {
    let number = text.iter().all(u8::is_ascii_digit);
    let shortest = if number { 8 } else { 4 };
    text.len() >= shortest && !is_placeholder(text) && !is_path(text)
}

/// Six characters with a digit or a sign among them, and no piece of program: no call, no field of something.
fn is_odd(text: &[u8]) -> bool {
    let is_sign = |byte: &u8| !byte.is_ascii_alphabetic() && !b"_-.:".contains(byte);
    let program = |byte: &u8| matches!(byte, b'(' | b'[' | b'{' | b' ');
    let field = text.contains(&b'.') && is_words(text);
    text.len() >= 6 && text.iter().any(is_sign) && !text.iter().any(program) && !field
}
