//! Reading JSON that test runners print: enough to find a few members, strict enough not to be fooled by half a value.
//!
//! Not the JSON of records (that refuses fractions and writes canonically). Depth is bounded; of two members with one
//! name the last one counts, as it does for the tools that read such output.

use std::collections::BTreeMap;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

/// How deep values may nest.
const DEPTH: usize = 64;

impl Json {
    /// A member of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.get(key),
            _ => None,
        }
    }

    /// The text, when it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, when it is a list.
    pub(super) fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// A member that is a whole number of at least 0.
    pub(super) fn count(&self, key: &str) -> Option<u64> {
        match self.get(key)? {
            Json::Number(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().unwrap_or(u64::MAX))
            }
            _ => None,
        }
    }

    /// A member that is text.
    pub(super) fn word(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// A member that is `true` or `false`.
    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)? {
            Json::Bool(flag) => Some(*flag),
            _ => None,
        }
    }
}

/// The one value this text holds.
pub(super) fn parse(text: &str) -> Option<Json> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.blanks();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn eat(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEPTH {
            return None;
        }
        self.blanks();
        match self.rest.chars().next()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' => self.string().map(Json::Text),
            't' => self.eat("true").map(|()| Json::Bool(true)),
            'f' => self.eat("false").map(|()| Json::Bool(false)),
            'n' => self.eat("null").map(|()| Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.eat("{")?;
        let mut members = BTreeMap::new();
        self.blanks();
        if self.eat("}").is_some() {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.blanks();
            self.eat(":")?;
            members.insert(key, self.value(depth + 1)?);
            self.blanks();
            if self.eat("}").is_some() {
                return Some(Json::Object(members));
            }
            self.eat(",")?;
        }
    }

    fn array(&mut self, depth: usize) -> Option<Json> {
        self.eat("[")?;
        let mut items = Vec::new();
        self.blanks();
        if self.eat("]").is_some() {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.eat("]").is_some() {
                return Some(Json::List(items));
            }
            self.eat(",")?;
        }
    }

    fn number(&mut self) -> Option<Json> {
        let allowed = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let end = self.rest.find(|c| !allowed(c)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end)?;
        digits.parse::<f64>().ok()?;
        self.rest = rest;
        Some(Json::Number(digits.to_owned()))
    }

    fn string(&mut self) -> Option<String> {
        self.eat("\"")?;
        let mut text = String::new();
        loop {
            let stop = self.rest.find(['"', '\\'])?;
            let (plain, rest) = self.rest.split_at_checked(stop)?;
            text.push_str(plain);
            self.rest = rest;
            if self.eat("\"").is_some() {
                return Some(text);
            }
            self.eat("\\")?;
            let escape = self.rest.chars().next()?;
            self.rest = self.rest.get(escape.len_utf8()..)?;
            match escape {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                '"' | '\\' | '/' => text.push(escape),
                'u' => text.push(self.code_unit()?),
                _ => return None,
            }
        }
    }

    /// The character of a `\uXXXX` escape; halves of a pair become U+FFFD, as no decision rests on them.
    fn code_unit(&mut self) -> Option<char> {
        let digits = self.rest.get(..4)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.rest = self.rest.get(4..)?;
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}
