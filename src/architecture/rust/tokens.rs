//! Rust's tokens, as far as paths need them. Comments, strings (raw ones too), characters and lifetimes are stepped over.

use crate::architecture::cursor::Cursor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name; raw ones without their `r#`.
    Name(&'a str),
    /// `::`
    Sep,
    Mark(char),
    /// A string's text, escapes unread.
    Text(&'a str),
    /// A number, a character, a lifetime.
    Other,
}

/// A token and its line.
pub(super) type Spot<'a> = (u32, Token<'a>);

pub(super) fn tokens(text: &str) -> Vec<Spot<'_>> {
    let mut cursor = Cursor::new(text);
    let mut found = Vec::new();
    while let Some(next) = cursor.peek() {
        let line = cursor.line();
        if next.is_whitespace() {
            cursor.bump();
        } else if cursor.eat("//") {
            cursor.skip_line();
        } else if cursor.eat("/*") {
            comment(&mut cursor);
        } else {
            found.push((line, token(&mut cursor, next)));
        }
    }
    found
}

/// Steps behind a block comment; comments nest.
fn comment(cursor: &mut Cursor<'_>) {
    let mut depth = 1_usize;
    while depth > 0 && cursor.peek().is_some() {
        if cursor.eat("/*") {
            depth += 1;
        } else if cursor.eat("*/") {
            depth -= 1;
        } else {
            cursor.bump();
        }
    }
}

fn token<'a>(cursor: &mut Cursor<'a>, next: char) -> Token<'a> {
    if next.is_ascii_digit() {
        cursor.number();
        return Token::Other;
    }
    let start = cursor.at();
    if next != '$'
        && let Some(name) = cursor.name()
    {
        return match (name, cursor.peek()) {
            ("r" | "br" | "cr", Some('"' | '#')) => raw(cursor, start),
            ("b" | "c", Some('"')) => string(cursor),
            ("b", Some('\'')) => character(cursor),
            _ => Token::Name(name),
        };
    }
    match next {
        '"' => string(cursor),
        '\'' => character(cursor),
        ':' if cursor.eat("::") => Token::Sep,
        _ => {
            cursor.bump();
            Token::Mark(next)
        }
    }
}

/// Behind `r`: a raw string, or a raw name.
fn raw<'a>(cursor: &mut Cursor<'a>, start: usize) -> Token<'a> {
    let hashes = cursor.take_while(|c| c == '#');
    if cursor.peek() != Some('"') {
        return match (hashes, cursor.name()) {
            // What the prefix makes a name must not be read as the word that it spells.
            ("#", Some("use" | "mod" | "extern" | "as")) => Token::Name(cursor.since(start)),
            ("#", Some(name)) => Token::Name(name),
            _ => Token::Other,
        };
    }
    cursor.bump();
    let start = cursor.at();
    while cursor.peek().is_some() {
        let text = cursor.since(start);
        if cursor.eat("\"") {
            let closing = cursor.rest().chars().take(hashes.len()).take_while(|c| *c == '#').count();
            if closing == hashes.len() {
                cursor.eat(hashes);
                return Token::Text(text);
            }
        } else {
            cursor.bump();
        }
    }
    Token::Other
}

fn string<'a>(cursor: &mut Cursor<'a>) -> Token<'a> {
    cursor.bump();
    let start = cursor.at();
    while let Some(next) = cursor.peek() {
        if next == '"' {
            let text = cursor.since(start);
            cursor.bump();
            return Token::Text(text);
        }
        cursor.bump();
        if next == '\\' {
            cursor.bump();
        }
    }
    Token::Other
}

/// A character, or the quote of a lifetime.
fn character<'a>(cursor: &mut Cursor<'a>) -> Token<'a> {
    cursor.bump();
    match (cursor.peek(), cursor.ahead(1)) {
        (Some('\\'), _) => {
            cursor.bump();
            cursor.bump();
            cursor.take_while(|c| c != '\'' && c != '\n');
            cursor.eat("'");
        }
        (Some(_), Some('\'')) => {
            cursor.bump();
            cursor.bump();
        }
        _ => drop(cursor.name()),
    }
    Token::Other
}
