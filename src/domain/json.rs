//! The one JSON of the records: strict reading, canonical writing, field-by-field decoding.
//!
//! Not a general JSON library: integers only, no duplicate keys, no lone surrogates, bounded depth. What a record may hold
//! is exactly what this can write, so bytes that differ from their own canonical form are found by writing them again.
//! Source: the specification's §2.0.

mod fields;
mod parse;
mod write;

pub use fields::Fields;
pub use parse::{Malformed, parse, parse_text};

use std::collections::BTreeMap;

/// A JSON value as records may hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; nothing else is ever digested.
    Int(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object; keys in code point order.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// An object of these members.
    pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
        Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// A list of what the iterator gives.
    pub fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
        Value::List(items.into_iter().map(Into::into).collect())
    }

    /// This object with one more member; any other value is returned as it is.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Value {
        if let Value::Object(members) = &mut self {
            members.insert(key.to_owned(), value.into());
        }
        self
    }

    /// Like [`Value::with`], leaving the member out when there is nothing to say.
    pub fn with_some<T: Into<Value>>(self, key: &str, value: Option<T>) -> Value {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// This object without a member.
    pub fn without(mut self, key: &str) -> Value {
        if let Value::Object(members) = &mut self {
            members.remove(key);
        }
        self
    }

    /// This value with each text in it rewritten; the names of members stay.
    pub fn rewritten(self, rewrite: &impl Fn(&str) -> String) -> Value {
        match self {
            Value::Text(text) => Value::Text(rewrite(&text)),
            Value::List(items) => Value::List(items.into_iter().map(|item| item.rewritten(rewrite)).collect()),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(key, value)| (key, value.rewritten(rewrite))).collect())
            }
            other => other,
        }
    }

    /// A member of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.get(key),
            _ => None,
        }
    }

    /// The text, when it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, when it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The items, when it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Int(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Int(value.into())
    }
}

impl From<u64> for Value {
    /// Numbers beyond what a record can hold are written as the largest it can hold.
    fn from(value: u64) -> Self {
        Value::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Value::from(value as u64)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Value::Text(value.clone())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(value: Vec<T>) -> Self {
        Value::list(value)
    }
}

#[cfg(test)]
mod tests;
