//! What names another module: `import … from "x"`, `import "x"`, `export … from "x"`, `import("x")`, `require("x")`.

use super::tokens::{Spot, Token, tokens};

/// One named module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The line of its name.
    pub(crate) line: u32,
    /// Its name as it is written.
    pub(crate) specifier: String,
}

/// Reads the imports of a file.
pub(crate) fn read(text: &str) -> Vec<Import> {
    let reader = Reader { tokens: tokens(text) };
    let mut found = Vec::new();
    for (at, spot) in reader.tokens.iter().enumerate() {
        let specifier = match spot.token {
            Token::Name("import") => reader.import(at),
            Token::Name("export") if reader.begins(at) => reader.export(at),
            Token::Name("require") if reader.is_plain(at) => reader.called(at + 1),
            _ => None,
        };
        if let Some(Spot { line, token: Token::Text(specifier), .. }) = specifier {
            found.push(Import { line: *line, specifier: specifier.clone() });
        }
    }
    found
}

struct Reader<'a> {
    tokens: Vec<Spot<'a>>,
}

impl<'a> Reader<'a> {
    fn token(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at).map(|spot| &spot.token)
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.token(at) == Some(&Token::Mark(mark))
    }

    fn text(&self, at: usize) -> Option<&Spot<'a>> {
        self.tokens.get(at).filter(|spot| matches!(spot.token, Token::Text(_)))
    }

    fn before(&self, at: usize, back: usize) -> Option<&Token<'a>> {
        self.token(at.checked_sub(back)?)
    }

    /// Whether a statement may begin here.
    fn begins(&self, at: usize) -> bool {
        let first = self.tokens.get(at).is_some_and(|spot| spot.first);
        let before = self.before(at, 1);
        (first || matches!(before, None | Some(Token::Mark(';' | '{' | '}')))) && before != Some(&Token::Mark('.'))
    }

    /// Whether a name stands for itself: no member of something, not what a function is called.
    fn is_plain(&self, at: usize) -> bool {
        let spread = self.before(at, 2) == Some(&Token::Mark('.'));
        match self.before(at, 1) {
            Some(Token::Mark('.')) => spread || self.before(at, 2) == Some(&Token::Name("module")),
            Some(Token::Name("function")) => false,
            _ => true,
        }
    }

    /// The text that is handed to the call at `at`, when it is written out.
    fn called(&self, at: usize) -> Option<&Spot<'a>> {
        let ends = matches!(self.token(at + 2), Some(Token::Mark(')' | ',')));
        self.text(at + 1).filter(|_| ends && self.is_mark(at, '('))
    }

    fn import(&self, at: usize) -> Option<&Spot<'a>> {
        match self.token(at + 1)? {
            Token::Mark('(') if self.is_plain(at) => self.called(at + 1),
            // `import.defer("x")` and `import.source("x")` load a module; `import.meta` does not.
            Token::Mark('.') => match self.token(at + 2)? {
                Token::Name("defer" | "source") => self.called(at + 3),
                _ => None,
            },
            Token::Text(_) if self.begins(at) => self.text(at + 1),
            Token::Name(_) | Token::Mark('{' | '*') if self.begins(at) => self.clause(at + 1),
            _ => None,
        }
    }

    fn export(&self, at: usize) -> Option<&Spot<'a>> {
        let at = at + 1 + usize::from(self.token(at + 1) == Some(&Token::Name("type")));
        match self.token(at)? {
            Token::Mark('{' | '*') => self.clause(at),
            _ => None,
        }
    }

    /// The specifier behind the names that are taken. A clause has one pair of braces at most, and outside of it no statement
    /// begins; so each token is looked at by few clauses.
    fn clause(&self, start: usize) -> Option<&Spot<'a>> {
        let mut in_braces = false;
        let mut braces = 0;
        for at in start.. {
            match self.token(at)? {
                Token::Name("from") if !in_braces && self.text(at + 1).is_some() => return self.text(at + 1),
                Token::Name("import" | "export") if !in_braces && at > start => return None,
                Token::Mark('{') if braces == 0 => (in_braces, braces) = (true, 1),
                Token::Mark('}') if in_braces => in_braces = false,
                Token::Name(_) | Token::Mark(',') => {}
                Token::Mark('*') if !in_braces => {}
                Token::Text(_) if in_braces => {}
                _ => return None,
            }
        }
        None
    }
}
