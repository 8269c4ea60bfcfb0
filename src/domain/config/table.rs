//! One table of the configuration: every key must be asked for, or it is unknown.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A key that nothing reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The key, with the tables above it.
    pub key: String,
    /// The nearest key that is read.
    pub near: Option<String>,
}

/// A table and the keys that were asked for.
pub struct Table {
    name: String,
    members: BTreeMap<String, Value>,
    known: BTreeSet<String>,
}

impl Table {
    /// Reads a whole file.
    pub fn parse(text: &str) -> Result<Table> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let place = error.span().map_or(String::new(), |span| {
                let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
                format!(" in line {line}")
            });
            Code::Rapid1600.because(format!("the configuration is not TOML{place}: {}", error.message()))
        })?;
        match value(toml::Value::Table(table))? {
            Value::Object(members) => Ok(Table { name: String::new(), members, known: BTreeSet::new() }),
            _ => Err(Code::Rapid1600.because("the configuration is not a table")),
        }
    }

    /// A table inside another.
    pub fn of(name: &str, value: Value) -> Result<Table> {
        match value {
            Value::Object(members) => Ok(Table { name: name.to_owned(), members, known: BTreeSet::new() }),
            _ => Err(Code::Rapid1600.because(format!("'{name}' in the configuration must be a table"))),
        }
    }

    /// All of it, as it stands.
    pub fn into_value(self) -> Value {
        Value::Object(self.members)
    }

    /// True or false.
    pub fn flag(&mut self, key: &str) -> Result<Option<bool>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    /// A value of any type.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        self.known.insert(key.to_owned());
        self.members.remove(key)
    }

    /// A text.
    pub fn text(&mut self, key: &str) -> Result<Option<String>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(key, "a text")),
        }
    }

    /// A whole number.
    pub fn number(&mut self, key: &str) -> Result<Option<i64>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Int(number)) => Ok(Some(number)),
            Some(_) => Err(self.wrong(key, "a whole number")),
        }
    }

    /// A list of texts; empty when it is not there.
    pub fn texts(&mut self, key: &str) -> Result<Vec<String>> {
        let value = self.take(key);
        self.texts_of(key, value)
    }

    /// The list of texts that a value taken from `key` is.
    pub fn texts_of(&self, key: &str, value: Option<Value>) -> Result<Vec<String>> {
        match value {
            None => Ok(Vec::new()),
            Some(Value::List(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::Text(text) => Ok(text),
                    _ => Err(self.wrong(key, "a list of texts")),
                })
                .collect(),
            Some(_) => Err(self.wrong(key, "a list of texts")),
        }
    }

    /// A table; an empty one when it is not there.
    pub fn table(&mut self, key: &str) -> Result<Table> {
        match self.take(key) {
            None => Ok(Table { name: self.full(key), members: BTreeMap::new(), known: BTreeSet::new() }),
            Some(Value::Object(members)) => Ok(Table { name: self.full(key), members, known: BTreeSet::new() }),
            Some(_) => Err(self.wrong(key, "a table")),
        }
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, key: &str) -> Result<Option<u64>> {
        let number = self.number(key)?.map(u64::try_from).transpose();
        number.map_err(|_| self.wrong(key, "a whole number from 0 on"))
    }

    /// Every key that is there.
    pub fn keys(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }

    /// Refuses what nobody asked for, naming the nearest key that is known.
    pub fn end(self) -> Result<()> {
        let Some(unread) = self.unread().into_iter().next() else { return Ok(()) };
        let fault = Code::Rapid1601.because(format!("the configuration has the unknown key '{}'", unread.key));
        Err(match unread.near {
            Some(near) => fault.hint(format!("did you mean '{near}'?")),
            None => {
                let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
                fault.hint(format!("known here: {}", known.join(", ")))
            }
        })
    }

    /// What nobody asked for.
    pub fn unread(&self) -> Vec<Unread> {
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        let near = |key: &str| similar::get_close_matches(key, &known, 1, 0.6).first().map(|near| self.full(near));
        self.members.keys().map(|key| Unread { key: self.full(key), near: near(key) }).collect()
    }

    fn full(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// The fault of a value of another type.
    pub fn wrong(&self, key: &str, what: &str) -> Diagnostic {
        Code::Rapid1600.because(format!("'{}' in the configuration must be {what}", self.full(key)))
    }
}

fn value(value: toml::Value) -> Result<Value> {
    use toml::Value as Toml;
    Ok(match value {
        Toml::String(text) => Value::Text(text),
        Toml::Integer(number) => Value::Int(number),
        Toml::Boolean(flag) => Value::Bool(flag),
        Toml::Array(items) => Value::List(items.into_iter().map(self::value).collect::<Result<_>>()?),
        Toml::Table(members) => {
            let members = members.into_iter().map(|(key, member)| Ok((key, self::value(member)?)));
            Value::Object(members.collect::<Result<_>>()?)
        }
        Toml::Float(_) | Toml::Datetime(_) => {
            return Err(Code::Rapid1600.because("the configuration holds a fraction or a date, which no key takes"));
        }
    })
}
