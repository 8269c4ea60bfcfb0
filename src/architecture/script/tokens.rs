//! The tokens of TypeScript and JavaScript, as far as imports need them. Comments, regular expressions and the text of templates
//! are stepped over; what stands in a template's `${…}` is code again.

use super::regex;
use crate::architecture::{cursor::Cursor, escape::unescape};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Mark(char),
    /// A string, or a template without `${…}`.
    Text(String),
    /// A number, a regular expression, or a template with code in it.
    Other,
}

/// A token, where it stands, and whether it is the first of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub(super) line: u32,
    pub(super) first: bool,
    pub(super) token: Token<'a>,
}

pub(super) fn tokens(text: &str) -> Vec<Spot<'_>> {
    let mut lexer =
        Lexer { cursor: Cursor::new(text), found: Vec::new(), open: Vec::new(), regexes: regex::Reader::default() };
    lexer.cursor.eat("\u{feff}");
    if lexer.cursor.eat("#!") {
        lexer.cursor.skip_line();
    }
    let mut last = 0;
    while let Some((line, token)) = lexer.next() {
        lexer.found.push(Spot { line, first: line > last, token });
        last = lexer.cursor.line().max(line);
    }
    lexer.found
}

/// What a closing brace ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    Template,
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    found: Vec<Spot<'a>>,
    open: Vec<Open>,
    regexes: regex::Reader,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Option<(u32, Token<'a>)> {
        loop {
            self.cursor.take_while(char::is_whitespace);
            let line = self.cursor.line();
            if self.cursor.eat("//") {
                self.cursor.skip_line();
            } else if self.cursor.eat("/*") {
                self.cursor.skip_past("*/");
            } else {
                return self.token().map(|token| (line, token));
            }
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        let next = self.cursor.peek()?;
        if next.is_ascii_digit() {
            self.cursor.number();
            return Some(Token::Other);
        }
        if let Some(name) = self.cursor.name() {
            return Some(Token::Name(name));
        }
        let regex = next == '/' && regex::may_begin(self.found.last()) && self.regexes.step_over(&mut self.cursor);
        if regex {
            return Some(Token::Other);
        }
        self.cursor.bump();
        Some(match next {
            '"' | '\'' => Token::Text(unescape(self.string(next))),
            '`' => self.template(),
            '{' => {
                self.open.push(Open::Brace);
                Token::Mark(next)
            }
            '}' if self.open.pop() == Some(Open::Template) => {
                self.template();
                Token::Other
            }
            _ => Token::Mark(next),
        })
    }

    /// What stands up to the closing quote, or to the end of the line where there is none.
    fn string(&mut self, quote: char) -> &'a str {
        let start = self.cursor.at();
        loop {
            match self.cursor.peek() {
                Some('\\') => {
                    self.cursor.bump();
                    self.cursor.eat("\r");
                    self.cursor.bump();
                }
                Some(c) if c != quote && c != '\n' => drop(self.cursor.bump()),
                _ => break,
            }
        }
        let text = self.cursor.since(start);
        if self.cursor.peek() == Some(quote) {
            self.cursor.bump();
        }
        text
    }

    /// The text of a template up to its end, or up to code in it.
    fn template(&mut self) -> Token<'a> {
        let start = self.cursor.at();
        loop {
            let so_far = self.cursor.since(start);
            if self.cursor.eat("`") {
                return Token::Text(unescape(so_far));
            }
            if self.cursor.eat("${") {
                self.open.push(Open::Template);
                return Token::Other;
            }
            if self.cursor.peek() == Some('\\') {
                self.cursor.bump();
            }
            if self.cursor.bump().is_none() {
                return Token::Other;
            }
        }
    }
}
