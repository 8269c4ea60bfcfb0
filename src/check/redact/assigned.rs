//! Values beside a name that says they are secret: `API_KEY=…`, `"password": "…"`, `--token …`, `;Password=…;`,
//! `<password>…</password>`, `name="API_TOKEN" value="…"`.
//!
//! Not here: which names (`names`) and which values (`strength`). How much it takes depends on the place: after a
//! variable's name in capitals, in a query or a connection string, and between quotes after a password's name, nearly
//! anything is secret; elsewhere only what looks drawn at random is, since programs speak of tokens all day long.

use std::ops::Range;

use super::names::{is_password, is_telling, is_telling_alone, is_telling_variable, is_token, is_variable};
use super::strength::{is_digest, is_path, is_placeholder, is_strong, is_uuid, is_words};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 80;
/// As much of a value as is weighed, in bytes; the rest of it goes with it.
const WEIGHED: usize = 256;
/// Blanks between a name, its sign and its value.
const BLANKS: usize = 4;
/// A part of each telling name; the rest of the work is for names that have one.
const HINTS: [&[u8]; 12] =
    [b"pass", b"pw", b"secret", b"token", b"key", b"cred", b"auth", b"connection", b"pat", b"cookie", b"dsn", b"jwt"];
/// How far before the word `value` the name stands that it belongs to, in bytes.
const FAR: usize = 48;

/// The ranges of secret values in a text.
pub(super) fn find(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let signs = text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'=' | b':' | b' ' | b'>'));
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
    kind: Kind,
}

/// Where a name stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Before its value.
    Plain,
    /// Before its value, and only in a list of settings it says enough.
    InList,
    /// `name="NAME" value=`
    Pair,
    /// `<name>`
    Element,
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

    /// The telling name before the sign. Before a blank only an option's (`--token`) counts, before `>` only an element's.
    fn name(&self) -> Option<Name> {
        let mut end = self.sign;
        let sign = self.byte(end)?;
        if matches!(sign, b'=' | b':') {
            end = self.back(end, b" ", BLANKS);
            // `environ['NAME']` too.
            let place = |end: usize| end.checked_sub(2).and_then(|start| self.text.get(start..end));
            let indexed = matches!(place(end), Some([b'"' | b'\'', b']']));
            end -= usize::from(indexed);
            end = self.back(end, b"\"'`\\", 2);
        }
        let name = self.word_before(end);
        let range = end - name.len()..end;
        let before = range.start.checked_sub(1).and_then(|before| self.byte(before));
        let place = match sign {
            b' ' if !name.starts_with(b"--") => return None,
            b'>' if before != Some(b'<') => return None,
            b'>' => Kind::Element,
            b' ' => Kind::Plain,
            _ if name.eq_ignore_ascii_case(b"value") => Kind::Pair,
            _ => Kind::Plain,
        };
        let name = if place == Kind::Pair { self.named_before(range.start)? } else { name };
        if !has_hint(name) {
            return None;
        }
        let text = String::from_utf8_lossy(name).into_owned();
        let kind = match is_telling(&text) || (sign == b'=' && is_telling_variable(&text)) {
            true => place,
            false if sign == b'=' && is_telling_alone(&text) => Kind::InList,
            false => return None,
        };
        Some(Name { range, text, kind })
    }

    /// The place before at most so many of these bytes.
    fn back(&self, end: usize, allowed: &[u8], most: usize) -> usize {
        let before = self.text.get(end.saturating_sub(most)..end).unwrap_or_default();
        end - before.iter().rev().take_while(|byte| allowed.contains(byte)).count()
    }

    fn word_before(&self, end: usize) -> &[u8] {
        let before = self.text.get(end.saturating_sub(LONGEST_NAME)..end).unwrap_or_default();
        let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = before.iter().rev().take_while(in_name).count();
        before.get(before.len() - length..).unwrap_or_default()
    }

    /// The name that a `value` belongs to: `"name": "NAME", "value"`, `key="NAME" value`, `- name: NAME` on the line before.
    fn named_before(&self, start: usize) -> Option<&[u8]> {
        let skip = |end: usize| self.back(end, b" \t\r\n\"',\\", FAR);
        let end = skip(start);
        let name = self.word_before(end);
        let sign = skip(end - name.len());
        let label = sign.checked_sub(1).filter(|at| matches!(self.byte(*at), Some(b':' | b'=')))?;
        let label = self.word_before(skip(label));
        ["name", "key", "id", "variable"]
            .iter()
            .any(|known| label.eq_ignore_ascii_case(known.as_bytes()))
            .then_some(name)
    }

    fn value(&self, name: &Name) -> Option<Range<usize>> {
        let start = self.after_sign()?;
        let tight = start == self.sign + 1 && name.range.end == self.sign;
        let is_set = self.byte(self.sign) == Some(b'=');
        let variable = is_variable(&name.text) && name.text != "AUTH";
        let env = tight && variable && is_set && name.kind == Kind::Plain;
        let before = name.range.start.checked_sub(1).and_then(|before| self.byte(before));
        let value = self.value_at(start, name, env && matches!(before, None | Some(b'\n' | b' ')))?;
        if self.text.get(self.sign..self.sign + 2) == Some(b"==") && value.quote.is_none() {
            // Two names compared.
            return None;
        }
        let text = self.text.get(value.range.clone())?;
        let listed = matches!(before, Some(b'?' | b'&' | b';')) || self.byte(value.range.end) == Some(b';');
        let in_list = tight && listed && is_set;
        let password = is_password(&name.text);
        let quoted = value.quote.is_some();
        let loose = env || in_list || (password && quoted && !text.contains(&b' '));
        let odd = match name.kind {
            Kind::Plain => is_set && (password || (variable && quoted)),
            Kind::InList => false,
            Kind::Pair => variable || password || quoted,
            Kind::Element => true,
        };
        let strong = name.kind != Kind::InList && is_strong(text) && !(is_token(&name.text) && is_uuid(text));
        let secret = strong || (loose && is_value(text)) || (odd && is_value(text) && is_odd(text));
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

    fn value_at(&self, start: usize, name: &Name, to_blank: bool) -> Option<Value> {
        let rest = self.text.get(start..)?;
        if name.kind == Kind::Element {
            let length = rest.iter().take(WEIGHED).take_while(|byte| !b"<\r\n".contains(byte)).count();
            let value = Value { range: start..start + length, quote: Some(b'<'), to_blank };
            let closed = length == WEIGHED || rest.get(length..length + 2) == Some(b"</");
            return (length > 0 && closed).then_some(value);
        }
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

/// Anything but a stand-in, a path, a digest that says so, or a small number.
fn is_value(text: &[u8]) -> bool {
    let number = text.iter().all(u8::is_ascii_digit);
    let shortest = if number { 8 } else { 4 };
    text.len() >= shortest && !is_placeholder(text) && !is_path(text) && !is_digest(text)
}

/// Six characters with a digit or a sign among them, and no piece of program: no call, no field of something.
fn is_odd(text: &[u8]) -> bool {
    let is_sign = |byte: &u8| !byte.is_ascii_alphabetic() && !b"_-.:".contains(byte);
    let program = |byte: &u8| matches!(byte, b'(' | b'[' | b'{' | b' ');
    let field = text.contains(&b'.') && is_words(text);
    text.len() >= 6 && text.iter().any(is_sign) && !text.iter().any(program) && !field
}
