//! What several documents have in common, as a JSON Schema; and whether a document fits one.
//!
//! Only the words of JSON Schema that are written here are understood: `type`, `properties`, `required`,
//! `additionalProperties`, `items`.

use git_rapid::domain::json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Objects whose keys are names of other things (paths, gates, parts), so that each value is of one shape.
const BY_NAME: &[&str] = &["definition", "withheld_because", "of", "kept", "aside", "workspace_by_risk", "strikes"];

/// The shape of a value.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    types: BTreeSet<&'static str>,
    /// Members, and whether each was always there.
    members: BTreeMap<String, (Shape, bool)>,
    items: Option<Box<Shape>>,
    /// Of an object with names as keys.
    values: Option<Box<Shape>>,
}

impl Shape {
    /// Of one value.
    pub fn of(value: &Value) -> Shape {
        Shape::below("", value)
    }

    fn below(key: &str, value: &Value) -> Shape {
        let mut shape = Shape { types: BTreeSet::from([type_of(value)]), ..Shape::default() };
        match value {
            Value::Object(members) if BY_NAME.contains(&key) => {
                let values = members.values().map(Shape::of).reduce(Shape::or).unwrap_or_default();
                shape.values = Some(Box::new(values));
            }
            Value::Object(members) => {
                let each = members.iter().map(|(key, value)| (key.clone(), (Shape::below(key, value), true)));
                shape.members = each.collect();
            }
            Value::List(items) => {
                shape.items = items.iter().map(Shape::of).reduce(Shape::or).map(Box::new);
            }
            _ => {}
        }
        shape
    }

    /// What a schema of ours says, so that it can be widened.
    pub fn read(schema: &Value) -> Shape {
        let types = types(schema).into_iter().filter_map(|name| TYPES.iter().find(|known| **known == name).copied());
        let mut shape = Shape { types: types.collect(), ..Shape::default() };
        shape.items = schema.get("items").map(|items| Box::new(Shape::read(items)));
        match (schema.get("properties"), schema.get("additionalProperties")) {
            (Some(Value::Object(members)), _) => {
                let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
                let is_required = |key: &str| required.iter().any(|name| name.as_text() == Some(key));
                let each = members.iter().map(|(key, below)| (key.clone(), (Shape::read(below), is_required(key))));
                shape.members = each.collect();
            }
            (_, Some(values @ Value::Object(_))) => shape.values = Some(Box::new(Shape::read(values))),
            _ => {}
        }
        shape
    }

    /// Either.
    pub fn or(mut self, other: Shape) -> Shape {
        let both = self.types.contains("object") && other.types.contains("object");
        let mut others = other.members;
        for (key, (shape, always)) in &mut self.members {
            match others.remove(key) {
                Some((more, everywhere)) => {
                    *shape = std::mem::take(shape).or(more);
                    *always &= everywhere;
                }
                None => *always &= !both,
            }
        }
        self.members.extend(others.into_iter().map(|(key, (shape, always))| (key, (shape, always && !both))));
        self.types.extend(other.types);
        self.items = either(self.items, other.items);
        self.values = either(self.values, other.values);
        self
    }

    /// As a schema document, with an example where there is one.
    pub fn schema(&self, name: &str, example: Option<&Value>) -> String {
        let top = self
            .value()
            .with("$schema", Value::from("https://json-schema.org/draft/2020-12/schema"))
            .with("title", Value::from(name))
            .with_some("examples", example.map(|example| Value::list([example.clone()])));
        pretty(&top, 0) + "\n"
    }

    fn value(&self) -> Value {
        let types: Vec<Value> = self.types.iter().map(|name| Value::from(*name)).collect();
        let mut members: Vec<(&str, Value)> = match types.as_slice() {
            [] => Vec::new(),
            [one] => vec![("type", one.clone())],
            _ => vec![("type", Value::List(types))],
        };
        if let Some(items) = &self.items {
            members.push(("items", items.value()));
        }
        if let Some(values) = &self.values {
            members.push(("additionalProperties", values.value()));
        } else if self.types.contains("object") {
            let properties = self.members.iter().map(|(key, (shape, _))| (key.as_str(), shape.value()));
            members.push(("properties", object(properties)));
            let required =
                self.members.iter().filter(|(_, (_, always))| *always).map(|(key, _)| Value::from(key.as_str()));
            members.push(("required", Value::List(required.collect())));
            members.push(("additionalProperties", Value::Bool(false)));
        }
        object(members.into_iter())
    }
}

fn object<'a>(members: impl Iterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(members.map(|(key, value)| (key.to_owned(), value)).collect())
}

fn either(one: Option<Box<Shape>>, other: Option<Box<Shape>>) -> Option<Box<Shape>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Box::new(one.or(*other))),
        (one, other) => one.or(other),
    }
}

/// The types of JSON, as schemas name them.
const TYPES: [&str; 6] = ["null", "boolean", "integer", "string", "array", "object"];

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::Text(one)) => vec![one],
        Some(Value::List(some)) => some.iter().filter_map(Value::as_text).collect(),
        _ => Vec::new(),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What of a document does not fit a schema.
pub fn faults(value: &Value, schema: &Value, at: &str) -> Vec<String> {
    let types = types(schema);
    if types.is_empty() {
        return Vec::new();
    }
    if !types.contains(&type_of(value)) {
        return vec![format!("{at}: is of type {}, the schema says {types:?}", type_of(value))];
    }
    let mut all = Vec::new();
    match value {
        Value::List(items) => {
            for (nth, item) in items.iter().enumerate() {
                all.extend(
                    schema.get("items").into_iter().flat_map(|schema| faults(item, schema, &format!("{at}/{nth}"))),
                );
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let at = format!("{at}/{key}");
                match schema.get("properties").and_then(|all| all.get(key)).or(schema.get("additionalProperties")) {
                    Some(Value::Bool(false)) => all.push(format!("{at}: is not in the schema")),
                    Some(schema) => all.extend(faults(member, schema, &at)),
                    None => {}
                }
            }
            let required = schema.get("required").and_then(Value::as_list).unwrap_or_default();
            let absent = required.iter().filter_map(Value::as_text).filter(|key| !members.contains_key(*key));
            all.extend(absent.map(|key| format!("{at}/{key}: is missing")));
        }
        _ => {}
    }
    all
}

/// Indented, the keys in the order of schemas: what it is first.
fn pretty(value: &Value, depth: usize) -> String {
    let inner = "  ".repeat(depth + 1);
    let outer = "  ".repeat(depth);
    match value {
        Value::Object(members) if !members.is_empty() => {
            let order =
                ["$schema", "title", "examples", "type", "items", "properties", "required", "additionalProperties"];
            let rank = |key: &String| order.iter().position(|own| own == key).unwrap_or(order.len());
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_by_key(|key| (rank(key), (*key).clone()));
            let lines = keys.iter().map(|key| {
                format!("{inner}{}: {}", Value::from(key.as_str()).canonical(), pretty(&members[*key], depth + 1))
            });
            format!("{{\n{}\n{outer}}}", lines.collect::<Vec<_>>().join(",\n"))
        }
        _ => value.canonical(),
    }
}
