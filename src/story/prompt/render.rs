//! Putting values into the places of a text.

use std::collections::BTreeMap;

/// Fills a template. A place that nobody has a value for stays empty.
pub fn render(template: &str, values: &BTreeMap<&'static str, String>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut left_out: Option<&str> = None;
    for (text, mark) in pieces(template) {
        if left_out.is_none() {
            out.push_str(text);
        }
        let Some(mark) = mark else { continue };
        let value = |name: &str| values.get(name).map_or("", String::as_str);
        match (mark.strip_prefix('#'), mark.strip_prefix('/'), left_out) {
            (Some(name), _, None) if value(name).is_empty() => left_out = Some(name),
            (_, Some(name), Some(open)) if name == open => left_out = None,
            (None, None, None) => out.push_str(value(mark)),
            _ => {}
        }
    }
    out
}

/// The places that a template names.
pub fn placeholders(template: &str) -> Vec<&str> {
    pieces(template).into_iter().filter_map(|(_, mark)| mark).map(|mark| mark.trim_start_matches(['#', '/'])).collect()
}

/// A text in a fence that is longer than any inside it.
pub fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end())
}

/// A text cut into what stands before each mark and the mark's inside; the last piece has none. A line that holds only the
/// beginning or the end of an optional part disappears with it.
fn pieces(template: &str) -> Vec<(&str, Option<&str>)> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((mark, behind)) = after.split_once("}}") else { break };
        pieces.push((before, Some(mark.trim())));
        let alone = mark.starts_with(['#', '/']) && (before.is_empty() || before.ends_with('\n'));
        rest = if alone { behind.strip_prefix('\n').unwrap_or(behind) } else { behind };
    }
    pieces.push((rest, None));
    pieces
}
