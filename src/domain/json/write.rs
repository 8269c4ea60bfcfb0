//! Canonical writing: the bytes that digests are taken of (§2.0: canonical-UTF8 and canonical-ASCII), and an indented form
//! for people.

use super::Value;
use std::fmt::Write;

impl Value {
    /// Canonical-UTF8: keys by code point, no blanks, only what must be escaped is escaped.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        write(self, &mut out, false, None);
        out
    }

    /// Canonical-ASCII: the same with every character outside U+0020..U+007E escaped. Only spec revisions use it.
    pub fn canonical_ascii(&self) -> String {
        let mut out = String::new();
        write(self, &mut out, true, None);
        out
    }

    /// The bytes of a record: canonical-UTF8 and a newline.
    pub fn record_bytes(&self) -> Vec<u8> {
        let mut out = self.canonical();
        out.push('\n');
        out.into_bytes()
    }

    /// Indented by two blanks, for people; never digested.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        write(self, &mut out, false, Some(0));
        out.push('\n');
        out
    }
}

fn write(value: &Value, out: &mut String, ascii: bool, indent: Option<usize>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(number) => drop(write!(out, "{number}")),
        Value::Text(text) => write_text(text, out, ascii),
        Value::List(items) => {
            enclosed(out, ('[', ']'), indent, items.iter(), |item, out, inner| write(item, out, ascii, inner));
        }
        Value::Object(members) => {
            enclosed(out, ('{', '}'), indent, members.iter(), |(key, value), out, inner| {
                write_text(key, out, ascii);
                out.push_str(if inner.is_some() { ": " } else { ":" });
                write(value, out, ascii, inner);
            });
        }
    }
}

fn enclosed<T>(
    out: &mut String,
    (open, close): (char, char),
    indent: Option<usize>,
    items: impl ExactSizeIterator<Item = T>,
    mut each: impl FnMut(T, &mut String, Option<usize>),
) {
    let empty = items.len() == 0;
    let inner = indent.map(|depth| depth + 1);
    out.push(open);
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        new_line(out, inner);
        each(item, out, inner);
    }
    if !empty {
        new_line(out, indent);
    }
    out.push(close);
}

fn new_line(out: &mut String, indent: Option<usize>) {
    if let Some(depth) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

fn write_text(text: &str, out: &mut String, ascii: bool) {
    out.push('"');
    let stays = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\' && !(ascii && byte > b'~');
    let mut rest = text;
    loop {
        // What stands for itself goes in one piece; each other character in a form of its own.
        let plain = rest.bytes().position(|byte| !stays(byte)).unwrap_or(rest.len());
        let (own, other) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        out.push_str(own);
        let mut characters = other.chars();
        let Some(c) = characters.next() else { break };
        escape(c, out);
        rest = characters.as_str();
    }
    out.push('"');
}

fn escape(c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}
