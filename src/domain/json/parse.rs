//! Strict reading of JSON. Anything a careful writer would not have written is refused, with the byte where it stands.

use super::Value;
use std::collections::BTreeMap;

/// How deep lists and objects may nest; records need five.
const MAX_DEPTH: usize = 32;

/// Why bytes are not the JSON of a record, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Offset of the first byte that could not be understood.
    pub offset: usize,
    /// What was wrong there.
    pub why: &'static str,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.why, self.offset)
    }
}

/// Reads exactly one value with nothing but white space around it.
pub fn parse(bytes: &[u8]) -> Result<Value, Malformed> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse_text(text),
        Err(error) => Err(Malformed { offset: error.valid_up_to(), why: "not UTF-8" }),
    }
}

/// Like [`parse`], for text.
pub fn parse_text(text: &str) -> Result<Value, Malformed> {
    let mut reader = Reader { bytes: text.as_bytes(), text, at: 0 };
    reader.skip_blanks();
    let value = reader.value(0)?;
    reader.skip_blanks();
    if reader.at < reader.bytes.len() { Err(reader.error("more than one value")) } else { Ok(value) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, why: &'static str) -> Malformed {
        Malformed { offset: self.at, why }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, why: &'static str) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.error(why))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Malformed> {
        if depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
            None => Err(self.error("a value is missing")),
        }
    }

    fn word(&mut self) -> Result<Value, Malformed> {
        for (word, value) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))] {
            if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("not a JSON value"))
    }

    fn number(&mut self) -> Result<Value, Malformed> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let digits = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        let leading_zero = self.bytes.get(digits) == Some(&b'0') && self.at > digits + 1;
        let negative_zero = start < digits && self.bytes.get(digits) == Some(&b'0');
        if self.at == digits || leading_zero || negative_zero {
            return Err(Malformed { offset: start, why: "not a canonical whole number" });
        }
        if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Err(Malformed { offset: start, why: "only whole numbers are allowed" });
        }
        let number = self.text.get(start..self.at).and_then(|digits| digits.parse().ok());
        number.map(Value::Int).ok_or(Malformed { offset: start, why: "the number is too large" })
    }

    fn list(&mut self, depth: usize) -> Result<Value, Malformed> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            self.skip_blanks();
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(items));
                }
                _ => return Err(self.error("a list needs ',' or ']' here")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Malformed> {
        self.at += 1;
        let mut members = BTreeMap::new();
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_blanks();
            let key_at = self.at;
            let key = self.string()?;
            self.skip_blanks();
            self.expect(b':', "a member needs ':' here")?;
            self.skip_blanks();
            let value = self.value(depth + 1)?;
            if members.insert(key, value).is_some() {
                return Err(Malformed { offset: key_at, why: "the key is there twice" });
            }
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                _ => return Err(self.error("an object needs ',' or '}' here")),
            }
        }
    }

    fn string(&mut self) -> Result<String, Malformed> {
        self.expect(b'"', "a string is missing")?;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            out.push_str(self.text.get(start..self.at).ok_or(self.error("not UTF-8"))?);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.error("a control character stands bare in a string")),
                None => return Err(self.error("a string does not end")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        self.at += 1;
        let letter = self.peek().ok_or(self.error("an escape does not end"))?;
        self.at += 1;
        Ok(match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => return Err(Malformed { offset: self.at - 1, why: "no such escape" }),
        })
    }

    fn unicode(&mut self) -> Result<char, Malformed> {
        let first = self.four_digits()?;
        if !(0xd800..0xe000).contains(&first) {
            return char::from_u32(first).ok_or(self.error("no such character"));
        }
        let low = if first < 0xdc00 && self.bytes.get(self.at..self.at + 2) == Some(b"\\u") {
            self.at += 2;
            self.four_digits()?
        } else {
            0
        };
        if !(0xdc00..0xe000).contains(&low) {
            return Err(self.error("half a surrogate pair"));
        }
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)).ok_or(self.error("no such character"))
    }

    fn four_digits(&mut self) -> Result<u32, Malformed> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let number = number.ok_or(self.error("four hexadecimal digits are missing"))?;
        self.at += 4;
        Ok(number)
    }
}
