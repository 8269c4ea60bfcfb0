//! Python's tokens, as far as import statements need them: names, marks, the ends of logical lines. Strings and comments are
//! stepped over, and a line that goes on (in brackets, behind a backslash) does not end.

use crate::architecture::cursor::Cursor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Mark(char),
    /// A string or a number.
    Literal,
    /// The end of a logical line.
    End,
}

/// A token and its line.
pub(super) type Spot<'a> = (u32, Token<'a>);

pub(super) fn tokens(text: &str) -> Vec<Spot<'_>> {
    let mut cursor = Cursor::new(text);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    while let Some(next) = cursor.peek() {
        let line = cursor.line();
        let token = match next {
            '#' => {
                cursor.skip_line();
                continue;
            }
            '\n' => {
                cursor.bump();
                if depth > 0 {
                    continue;
                }
                Token::End
            }
            '\\' => {
                cursor.bump();
                cursor.eat("\r");
                cursor.eat_line_end();
                continue;
            }
            '"' | '\'' => {
                string(&mut cursor);
                Token::Literal
            }
            c if c.is_whitespace() || c == '\u{feff}' => {
                cursor.bump();
                continue;
            }
            c if c.is_ascii_digit() => {
                cursor.number();
                Token::Literal
            }
            _ => match cursor.name() {
                Some(name) if is_prefix(name) && matches!(cursor.peek(), Some('"' | '\'')) => {
                    string(&mut cursor);
                    Token::Literal
                }
                Some(name) => Token::Name(name),
                None => {
                    cursor.bump();
                    match next {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    // Inside brackets a colon or semicolon begins no statement.
                    if depth > 0 && matches!(next, ':' | ';') { Token::Literal } else { Token::Mark(next) }
                }
            },
        };
        found.push((line, token));
    }
    found
}

fn is_prefix(name: &str) -> bool {
    name.len() <= 2 && name.chars().all(|c| matches!(c.to_ascii_lowercase(), 'r' | 'b' | 'u' | 'f' | 't'))
}

/// Steps over a string: to its closing quotes, or to the end of the line where a short one has none.
fn string(cursor: &mut Cursor<'_>) {
    let quote = if cursor.peek() == Some('"') { '"' } else { '\'' };
    let three = if quote == '"' { "\"\"\"" } else { "'''" };
    let long = cursor.eat(three);
    if !long {
        cursor.bump();
    }
    loop {
        match cursor.peek() {
            None => return,
            Some('\\') => {
                cursor.bump();
                cursor.eat("\r");
                cursor.bump();
            }
            Some('\n') if !long => return,
            Some(c) if c == quote => {
                if !long || cursor.eat(three) {
                    if !long {
                        cursor.bump();
                    }
                    return;
                }
                cursor.bump();
            }
            Some(_) => drop(cursor.bump()),
        }
    }
}
