//! Decoding an object member by member: every key must be asked for, or the object is refused.

use super::Value;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::near::or_near;
use std::collections::BTreeMap;

/// The members of one object that nobody has asked for yet.
pub struct Fields {
    members: BTreeMap<String, Value>,
    known: Vec<&'static str>,
    code: Code,
    what: &'static str,
}

impl Fields {
    /// Opens an object; `what` names it in messages, `code` is the code of its faults.
    pub fn of(value: Value, code: Code, what: &'static str) -> Result<Fields> {
        match value {
            Value::Object(members) => Ok(Fields { members, known: Vec::new(), code, what }),
            _ => Err(code.because(format!("{what} is not an object"))),
        }
    }

    /// A fault of this object.
    pub fn fault(&self, message: impl std::fmt::Display) -> Diagnostic {
        self.code.because(format!("{}: {message}", self.what))
    }

    /// A member that must be there.
    pub fn required(&mut self, key: &'static str) -> Result<Value> {
        self.known.push(key);
        self.members.remove(key).ok_or_else(|| self.fault(format_args!("'{key}' is missing")))
    }

    /// A member that may be left out.
    pub fn optional(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.members.remove(key)
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Result<String> {
        match self.required(key)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.fault(format_args!("'{key}' must be a text"))),
        }
    }

    /// A text or null.
    pub fn text_or_null(&mut self, key: &'static str) -> Result<Option<String>> {
        match self.required(key)? {
            Value::Text(text) => Ok(Some(text)),
            Value::Null => Ok(None),
            _ => Err(self.fault(format_args!("'{key}' must be a text or null"))),
        }
    }

    /// A text that may be left out.
    pub fn optional_text(&mut self, key: &'static str) -> Result<Option<String>> {
        match self.optional(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.fault(format_args!("'{key}' must be a text"))),
        }
    }

    /// A whole number of at least `least`.
    pub fn number(&mut self, key: &'static str, least: i64) -> Result<i64> {
        match self.required(key)? {
            Value::Int(number) if number >= least => Ok(number),
            Value::Int(_) => Err(self.fault(format_args!("'{key}' must be at least {least}"))),
            _ => Err(self.fault(format_args!("'{key}' must be a whole number"))),
        }
    }

    /// A whole number that may be left out.
    pub fn optional_number(&mut self, key: &'static str, least: i64) -> Result<Option<i64>> {
        match self.members.contains_key(key) {
            true => self.number(key, least).map(Some),
            false => {
                self.known.push(key);
                Ok(None)
            }
        }
    }

    /// An ordinal (1, 2, 3 …).
    pub fn ordinal(&mut self, key: &'static str) -> Result<u32> {
        let number = self.number(key, 1)?;
        u32::try_from(number).map_err(|_| self.fault(format_args!("'{key}' is too large")))
    }

    /// A truth value.
    pub fn flag(&mut self, key: &'static str) -> Result<bool> {
        match self.required(key)? {
            Value::Bool(flag) => Ok(flag),
            _ => Err(self.fault(format_args!("'{key}' must be true or false"))),
        }
    }

    /// A marker that is either left out or `true`.
    pub fn marker(&mut self, key: &'static str) -> Result<bool> {
        match self.optional(key) {
            None => Ok(false),
            Some(Value::Bool(true)) => Ok(true),
            Some(_) => Err(self.fault(format_args!("'{key}' must be true or left out"))),
        }
    }

    /// A list.
    pub fn list(&mut self, key: &'static str) -> Result<Vec<Value>> {
        match self.required(key)? {
            Value::List(items) => Ok(items),
            _ => Err(self.fault(format_args!("'{key}' must be a list"))),
        }
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Result<Vec<String>> {
        let items = self.list(key)?;
        let texts = items.into_iter().map(|item| match item {
            Value::Text(text) => Ok(text),
            _ => Err(self.fault(format_args!("'{key}' must hold texts only"))),
        });
        texts.collect()
    }

    /// A list of texts that may be left out.
    pub fn optional_texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>> {
        match self.members.contains_key(key) {
            true => self.texts(key).map(Some),
            false => {
                self.known.push(key);
                Ok(None)
            }
        }
    }

    /// The schema version, which must be 1.
    pub fn version(&mut self) -> Result<()> {
        match self.required("schema_version")? {
            Value::Int(1) => Ok(()),
            other => Err(self.fault(format_args!("schema_version {} is not known", other.canonical()))),
        }
    }

    /// Refuses what nobody asked for, and says what it may have been meant to be.
    pub fn end(self) -> Result<()> {
        let Some(key) = self.members.keys().next() else { return Ok(()) };
        let fault = self.fault(format_args!("unknown key '{key}'"));
        let part = self.known.iter().find(|known| known.starts_with(key.as_str()) || known.ends_with(key.as_str()));
        Err(match part {
            Some(part) => fault.hint(format!("did you mean '{part}'?")),
            None => or_near(fault, key, &self.known, format!("known here: {}", self.known.join(", "))),
        })
    }
}
