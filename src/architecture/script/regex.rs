//! Regular expression literals: where one may begin, and where it ends.

use super::tokens::{Spot, Token};
use crate::architecture::cursor::Cursor;

/// Names behind which a `/` begins an expression and does not divide.
const BEFORE_AN_EXPRESSION: &[&str] = &[
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
    "yield",
    "await",
    "instanceof",
    "default",
    "extends",
];

/// Whether a `/` behind this token may begin a regular expression. In doubt it does not: a wrong guess would hide code.
pub(super) fn may_begin(before: Option<&Spot<'_>>) -> bool {
    match before.map(|spot| &spot.token) {
        None => true,
        Some(Token::Name(name)) => BEFORE_AN_EXPRESSION.contains(name),
        Some(Token::Mark(mark)) => !matches!(mark, ')' | ']' | '}' | '<' | '.'),
        Some(Token::Text(_) | Token::Other) => false,
    }
}

/// Steps over regular expressions.
#[derive(Default)]
pub(super) struct Reader {
    /// Up to here no expression ends, so none has to be looked for again.
    endless_to: usize,
}

impl Reader {
    /// Steps over the expression that begins here; `false`, and no step, when none ends on this line.
    pub(super) fn step_over(&mut self, cursor: &mut Cursor<'_>) -> bool {
        if cursor.at() < self.endless_to {
            return false;
        }
        let Some(length) = length(cursor.rest()) else {
            let line = cursor.rest().split('\n').next().unwrap_or_default();
            self.endless_to = cursor.at() + line.len();
            return false;
        };
        let end = cursor.at() + length;
        while cursor.at() < end && cursor.bump().is_some() {}
        true
    }
}

/// How long the expression at the beginning of a text is, flags not counted.
fn length(text: &str) -> Option<usize> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}
