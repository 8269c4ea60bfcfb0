//! A place in a text that moves forward only, so every reader built on it takes linear time.

/// The place.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0, line: 1 }
    }

    /// The offset, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The line, from 1.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// What is ahead.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character `n` places ahead; 0 is the next one.
    pub(super) fn ahead(&self, n: usize) -> Option<char> {
        self.rest().chars().nth(n)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        if next == '\n' {
            self.line += 1;
        }
        Some(next)
    }

    /// Steps over `word` when it is next; `word` holds no line end.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    /// Steps over a line end.
    pub(super) fn eat_line_end(&mut self) {
        if self.peek() == Some('\n') {
            self.bump();
        }
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        self.since(start)
    }

    /// The text from an earlier offset to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Steps to the end of the line, which stays ahead.
    pub(super) fn skip_line(&mut self) {
        self.take_while(|c| c != '\n');
    }

    /// Steps behind `end`, or to the end of the text.
    pub(super) fn skip_past(&mut self, end: &str) {
        while self.peek().is_some() && !self.eat(end) {
            self.bump();
        }
    }

    /// A name, when one begins here.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.peek().filter(|c| c.is_alphabetic() || matches!(c, '_' | '$'))?;
        Some(self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$')))
    }

    /// What follows a first digit: digits, letters, `_` and, where a digit follows it, a point.
    pub(super) fn number(&mut self) {
        loop {
            self.take_while(|c| c.is_alphanumeric() || c == '_');
            if self.peek() == Some('.') && self.ahead(1).is_some_and(|c| c.is_ascii_digit()) {
                self.bump();
            } else {
                return;
            }
        }
    }
}
