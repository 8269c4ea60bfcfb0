//! A piece of ours put into a text that is a person's, and taken out again: JSON with its comments, order and blanks kept,
//! TOML between two marks. Text to text.
//!
//! Not here: the disk. What is taken out is told by our own command words, so it works in a clone that never saw the
//! installation.

use super::catalogue::HOOK;
use super::install::State;
use super::part::{Content, Entry};
use super::shortcut::MARK;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::json::Value;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

const BEGIN: &str = "# >>> git-rapid >>>\n";
const END: &str = "# <<< git-rapid <<<\n";

/// The text with our content in it; `base` is the file as it is without us, none when there is none.
pub(super) fn put_in(base: Option<&str>, content: &Content) -> Result<String> {
    match content {
        Content::Whole(text) => Ok(text.clone()),
        Content::Toml(block) => put_toml(base.unwrap_or_default(), block),
        Content::Json(entries) => put_json(base, entries),
    }
}

/// The text without what is ours; none when nothing but ours was in it.
pub(super) fn take_out(text: &str, content: &Content) -> Result<Option<String>> {
    match content {
        Content::Whole(_) => Ok(None),
        Content::Toml(_) => Ok(Some(take_toml(text)).filter(|rest| !rest.trim().is_empty())),
        Content::Json(entries) => take_json(text, entries),
    }
}

/// How a text stands to what we want of it.
pub(super) fn stands(text: &str, content: &Content) -> State {
    match content {
        Content::Whole(wanted) if wanted == text => State::Current,
        // Somebody else's file in our place is no part of us.
        Content::Whole(_) if !text.contains(MARK) => State::Missing,
        Content::Whole(_) => State::Differs,
        Content::Toml(block) if text.contains(&format!("{BEGIN}{block}{END}")) => State::Current,
        Content::Toml(_) if text.contains(BEGIN) => State::Differs,
        Content::Toml(_) => State::Missing,
        Content::Json(entries) => {
            let Ok((_, top)) = parse(text) else {
                return if text.contains(HOOK) { State::Differs } else { State::Missing };
            };
            match () {
                () if entries.iter().all(|entry| holds(&top, entry)) => State::Current,
                () if entries.iter().any(|entry| holds_ours(&top, entry)) => State::Differs,
                () => State::Missing,
            }
        }
    }
}

fn holds(top: &CstObject, entry: &Entry) -> bool {
    match entry {
        Entry::Needed { key, .. } => top.get(key).is_some(),
        Entry::Member { at, key, .. } => walk(top, at).is_some_and(|object| object.get(key).is_some()),
        Entry::Element { at, value } => {
            let list = at.split_last().and_then(|(name, above)| walk(top, above)?.array_value(name));
            // Compared as values: blanks, commas, comments and order are the person's.
            list.is_some_and(|list| list.elements().iter().any(|element| value_of(element).as_ref() == Some(value)))
        }
    }
}

/// Whether something of ours is where an entry goes, of whatever version. What the format asks for is anybody's.
fn holds_ours(top: &CstObject, entry: &Entry) -> bool {
    let hooks =
        |list: &CstArray| list.elements().iter().any(|hook| hook.as_object().is_some_and(|hook| is_ours(&hook)));
    match entry {
        Entry::Needed { .. } => false,
        Entry::Member { at, key, .. } => {
            walk(top, at).and_then(|object| object.get(key)).is_some_and(|member| names_us(&member))
        }
        Entry::Element { at, .. } => {
            let list = at.split_last().and_then(|(name, above)| walk(top, above)?.array_value(name));
            list.is_some_and(|list| {
                let groups = list.elements().into_iter().filter_map(|group| group.as_object()?.array_value("hooks"));
                hooks(&list) || groups.into_iter().any(|group| hooks(&group))
            })
        }
    }
}

fn names_us(member: &CstObjectProp) -> bool {
    member.value().is_some_and(|value| value.to_string().contains("git-rapid"))
}

/// A node as a value; none where it is no JSON.
fn value_of(node: &CstNode) -> Option<Value> {
    if let Some(object) = node.as_object() {
        let member = |member: &CstObjectProp| Some((member.decoded_name()?, value_of(&member.value()?)?));
        return object.properties().iter().map(member).collect::<Option<_>>().map(Value::Object);
    }
    if let Some(list) = node.as_array() {
        return list.elements().iter().map(value_of).collect::<Option<_>>().map(Value::List);
    }
    if let Some(text) = node.as_string_lit() {
        return text.decoded_value().ok().map(Value::Text);
    }
    if let Some(flag) = node.as_boolean_lit() {
        return Some(Value::Bool(flag.value()));
    }
    match node.as_number_lit() {
        Some(number) => number.to_string().parse().ok().map(Value::Int),
        None => node.as_null_keyword().map(|_| Value::Null),
    }
}

fn put_toml(base: &str, block: &str) -> Result<String> {
    let rest = take_toml(base);
    let gap = match rest.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let whole = format!("{rest}{gap}{BEGIN}{block}{END}");
    match whole.parse::<toml::Table>() {
        Ok(_) => Ok(whole),
        Err(error) => Err(Code::Rapid1632.because(format!("it would not be TOML any more: {}", error.message()))),
    }
}

fn take_toml(text: &str) -> String {
    let Some((before, rest)) = text.split_once(BEGIN) else { return text.to_owned() };
    let Some((_, after)) = rest.split_once(END) else { return text.to_owned() };
    // The blank line above the block came with it.
    let before = before.strip_suffix('\n').filter(|rest| rest.is_empty() || rest.ends_with('\n')).unwrap_or(before);
    format!("{before}{after}")
}

/// What harnesses read is JSON with comments at most.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn parse(text: &str) -> Result<(CstRootNode, CstObject)> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    let root = CstRootNode::parse(text, &options()).map_err(|error| malformed(format!("it is not JSON: {error}")))?;
    let top = root.object_value().ok_or_else(|| malformed("it holds no object"))?;
    Ok((root, top))
}

fn malformed(why: impl std::fmt::Display) -> Diagnostic {
    Code::Rapid1632.because(why.to_string()).hint("mend the file, then install again; nothing was changed")
}

fn put_json(base: Option<&str>, entries: &[Entry]) -> Result<String> {
    let (root, top) = parse(base.unwrap_or("{}\n"))?;
    for entry in entries {
        match entry {
            Entry::Needed { key, value } => {
                if top.get(key).is_none() {
                    top.insert(0, key, input(value));
                }
            }
            Entry::Element { at, value } => {
                let Some((list, above)) = at.split_last() else { continue };
                let list = object_at(&top, above)?.array_value_or_create(list);
                list.ok_or_else(|| malformed(format!("'{}' in it is no list", at.join("."))))?.append(input(value));
            }
            Entry::Member { at, key, value } => {
                let object = object_at(&top, at)?;
                if object.get(key).is_some() {
                    return Err(malformed(format!("'{}.{key}' is in it already, and not by git-rapid", at.join("."))));
                }
                object.append(key, input(value));
            }
        }
    }
    Ok(root.to_string())
}

fn object_at(top: &CstObject, keys: &[&str]) -> Result<CstObject> {
    let mut object = top.clone();
    for key in keys {
        let inner = object.object_value_or_create(key);
        object = inner.ok_or_else(|| malformed(format!("'{key}' in it is no object")))?;
    }
    Ok(object)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Int(number) => CstInputValue::Number(number.to_string()),
        Value::Text(text) => CstInputValue::String(text.clone()),
        Value::List(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn take_json(text: &str, entries: &[Entry]) -> Result<Option<String>> {
    let (root, top) = parse(text)?;
    for entry in entries {
        match entry {
            Entry::Needed { .. } => {}
            Entry::Element { at, .. } => take_elements(&top, at),
            Entry::Member { at, key, .. } => {
                if let Some(object) = walk(&top, at)
                    && let Some(member) = object.get(key)
                    && names_us(&member)
                {
                    member.remove();
                    prune(&top, at);
                }
            }
        }
    }
    let needed = |name: &str| entries.iter().any(|entry| matches!(entry, Entry::Needed { key, .. } if *key == name));
    let only_needed = top.properties().iter().all(|member| member.decoded_name().is_some_and(|name| needed(&name)));
    Ok((!only_needed).then(|| root.to_string()))
}

/// Removes our hooks from a list of them, or of groups of them, and what is left empty by that.
fn take_elements(top: &CstObject, at: &[&str]) {
    let Some((name, above)) = at.split_last() else { return };
    let Some(list) = walk(top, above).and_then(|object| object.array_value(name)) else { return };
    let mut took = false;
    for element in list.elements() {
        let Some(object) = element.as_object() else { continue };
        if is_ours(&object) {
            element.remove();
            took = true;
        } else if let Some(inner) = object.array_value("hooks")
            && take_inner(&inner)
        {
            took = true;
            if inner.elements().is_empty() {
                element.remove();
            }
        }
    }
    if took {
        prune(top, at);
    }
}

fn take_inner(list: &CstArray) -> bool {
    let ours: Vec<CstNode> =
        list.elements().into_iter().filter(|hook| hook.as_object().is_some_and(|hook| is_ours(&hook))).collect();
    let took = !ours.is_empty();
    ours.into_iter().for_each(CstNode::remove);
    took
}

fn is_ours(hook: &CstObject) -> bool {
    let command = hook.get("command").and_then(|member| member.value()).and_then(|value| value.as_string_lit());
    command.and_then(|text| text.decoded_value().ok()).is_some_and(|text| text.starts_with(HOOK))
}

fn walk(top: &CstObject, keys: &[&str]) -> Option<CstObject> {
    keys.iter().try_fold(top.clone(), |object, key| object.object_value(key))
}

/// Removes the containers along a path that are empty now, from the inside out.
fn prune(top: &CstObject, at: &[&str]) {
    for depth in (1..=at.len()).rev() {
        let Some((name, above)) = at.get(..depth).and_then(<[_]>::split_last) else { return };
        let Some(member) = walk(top, above).and_then(|object| object.get(name)) else { continue };
        let empty = match member.value() {
            Some(CstNode::Container(container)) => match (container.as_object(), container.as_array()) {
                (Some(object), _) => object.properties().is_empty(),
                (_, Some(list)) => list.elements().is_empty(),
                _ => false,
            },
            _ => false,
        };
        match empty {
            true => member.remove(),
            false => return,
        }
    }
}
