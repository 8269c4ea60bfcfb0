//! The form of a plan, member by member: what is missing, of another type, too long or not known is said where it stands, and the
//! reading goes on. What the members mean is `read`'s.

use super::problem::{Problem, ProblemKind};
use crate::domain::json::Value;
use std::collections::BTreeMap;

/// The longest text of a list or a word, in bytes.
pub(super) const LINE: usize = 1_000;

/// Everything that is wrong so far.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    pub(super) fn say(&mut self, kind: ProblemKind, pointer: &str, message: impl Into<String>) {
        self.problems.push(Problem { kind, pointer: pointer.to_owned(), message: message.into() });
    }

    pub(super) fn members(&mut self, value: Value, at: &str) -> Option<BTreeMap<String, Value>> {
        match value {
            Value::Object(members) => Some(members),
            _ => {
                self.say(ProblemKind::WrongType, at, "an object is expected here");
                None
            }
        }
    }

    pub(super) fn take(&mut self, members: &mut BTreeMap<String, Value>, at: &str, key: &str) -> Option<Value> {
        let value = members.remove(key);
        if value.is_none() {
            self.say(ProblemKind::MissingKey, at, format!("'{key}' is missing"));
        }
        value
    }

    pub(super) fn text(
        &mut self,
        members: &mut BTreeMap<String, Value>,
        at: &str,
        key: &str,
        most: usize,
    ) -> Option<String> {
        match self.take(members, at, key)? {
            Value::Text(text) => {
                if text.trim().is_empty() || text.len() > most {
                    let message = format!("'{key}' has between 1 and {most} bytes");
                    self.say(ProblemKind::Limit, &format!("{at}/{key}"), message);
                }
                Some(text)
            }
            _ => {
                self.say(ProblemKind::WrongType, &format!("{at}/{key}"), format!("'{key}' must be a text"));
                None
            }
        }
    }

    pub(super) fn word<T>(
        &mut self,
        members: &mut BTreeMap<String, Value>,
        at: &str,
        key: &str,
        kind: ProblemKind,
        parse: &dyn Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(members, at, key, LINE)?;
        match parse(&text) {
            Ok(word) => Some(word),
            Err(message) => {
                self.say(kind, &format!("{at}/{key}"), message);
                None
            }
        }
    }

    pub(super) fn list(
        &mut self,
        members: &mut BTreeMap<String, Value>,
        at: &str,
        key: &str,
        most: usize,
    ) -> Option<Vec<Value>> {
        let pointer = format!("{at}/{key}");
        match self.take(members, at, key)? {
            Value::List(items) if items.len() > most => {
                self.say(ProblemKind::Limit, &pointer, format!("'{key}' has at most {most} parts"));
                None
            }
            Value::List(items) => Some(items),
            _ => {
                self.say(ProblemKind::WrongType, &pointer, format!("'{key}' must be a list"));
                None
            }
        }
    }

    pub(super) fn texts(
        &mut self,
        members: &mut BTreeMap<String, Value>,
        at: &str,
        key: &str,
        most: usize,
    ) -> Option<Vec<String>> {
        let items = self.list(members, at, key, most)?;
        let mut texts = Vec::new();
        for (n, item) in items.into_iter().enumerate() {
            match item {
                Value::Text(text) if !text.trim().is_empty() && text.len() <= LINE => texts.push(text),
                Value::Text(_) => {
                    let message = format!("a text here has between 1 and {LINE} bytes");
                    self.say(ProblemKind::Limit, &format!("{at}/{key}/{n}"), message);
                }
                _ => self.say(ProblemKind::WrongType, &format!("{at}/{key}/{n}"), "a text is expected here"),
            }
        }
        Some(texts)
    }

    pub(super) fn end(&mut self, members: BTreeMap<String, Value>, at: &str) {
        for key in members.keys() {
            let message = format!("'{}' is not known here", key.escape_debug());
            self.say(ProblemKind::UnknownKey, &format!("{at}/{}", escaped(key)), message);
        }
    }
}

/// A key as a part of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
