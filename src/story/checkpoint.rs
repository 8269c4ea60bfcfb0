//! The checkpoint that people and older tools read: a projection of the state, never its source.

use super::state::State;
use std::fmt::Write;

/// The text of `state.toml`.
pub fn state_toml(state: &State) -> String {
    let mut text = format!("iteration = {}\n", state.iteration);
    let stories = || state.stories().iter();
    table(&mut text, "reject_cycles", stories().filter(|story| story.memory.rejects > 0), |story| {
        story.memory.rejects.to_string()
    });
    table(&mut text, "story_iterations", stories().filter(|story| story.memory.turns > 0), |story| {
        story.memory.turns.to_string()
    });
    table(&mut text, "story_errors", stories().filter(|story| story.memory.reason.is_some()), |story| {
        quoted(story.memory.reason.as_deref().unwrap_or_default())
    });
    text
}

fn table<'a>(
    text: &mut String,
    name: &str,
    stories: impl Iterator<Item = &'a super::state::Story>,
    value: impl Fn(&super::state::Story) -> String,
) {
    let _ = write!(text, "\n[{name}]\n");
    for story in stories {
        let _ = writeln!(text, "{} = {}", quoted(story.id.as_str()), value(story));
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
