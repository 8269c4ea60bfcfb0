//! Import statements: `import a.b as c, d` and `from ..a import (b, c)`, wherever a statement may begin.

use super::tokens::{Spot, Token, tokens};

/// One imported module, or one name imported from a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The line of the module's name.
    pub(crate) line: u32,
    /// How many dots stand in front; 0: an absolute name.
    pub(crate) dots: usize,
    /// The module's name.
    pub(crate) module: String,
    /// The name that is taken from it, with its own line; `*` for everything.
    pub(crate) name: Option<(u32, String)>,
}

/// Names longer than this are cut: no module is called so.
const LONGEST: usize = 1024;

/// Reads the imports of a file.
pub(crate) fn read(text: &str) -> Vec<Import> {
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, found: Vec::new() };
    let mut begins = true;
    while let Some((_, token)) = reader.peek() {
        reader.at += 1;
        match token {
            Token::Name("import") if begins => reader.import(),
            Token::Name("from") if begins => reader.from(),
            // A statement may say that it is lazy.
            Token::Name("lazy") if begins => {
                begins = matches!(reader.peek(), Some((_, Token::Name("import" | "from"))));
                continue;
            }
            _ => {}
        }
        begins = matches!(token, Token::End | Token::Mark(':' | ';'));
    }
    reader.found
}

struct Reader<'t, 'a> {
    tokens: &'t [Spot<'a>],
    at: usize,
    found: Vec<Import>,
}

impl<'a> Reader<'_, 'a> {
    fn peek(&self) -> Option<Spot<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn eat(&mut self, wanted: Token<'_>) -> bool {
        let there = self.peek().is_some_and(|(_, token)| token == wanted);
        self.at += usize::from(there);
        there
    }

    fn name(&mut self) -> Option<(u32, &'a str)> {
        match self.peek() {
            Some((line, Token::Name(name))) => {
                self.at += 1;
                Some((line, name))
            }
            _ => None,
        }
    }

    /// `a.b.c`, with the line that it begins on.
    fn dotted(&mut self) -> Option<(u32, String)> {
        let (line, first) = self.name()?;
        let mut whole = first.to_owned();
        while self.eat(Token::Mark('.')) {
            let Some((_, part)) = self.name() else { break };
            if whole.len() + part.len() < LONGEST {
                whole.push('.');
                whole.push_str(part);
            }
        }
        Some((line, whole))
    }

    fn alias(&mut self) {
        if self.eat(Token::Name("as")) {
            self.name();
        }
    }

    fn import(&mut self) {
        while let Some((line, module)) = self.dotted() {
            self.found.push(Import { line, dots: 0, module, name: None });
            self.alias();
            if !self.eat(Token::Mark(',')) {
                return;
            }
        }
    }

    fn from(&mut self) {
        let mut line = self.peek().map_or(0, |(line, _)| line);
        let mut dots = 0;
        while self.eat(Token::Mark('.')) {
            dots += 1;
        }
        let mut module = String::new();
        if let Some((_, Token::Name(word))) = self.peek()
            && (dots == 0 || word != "import")
            && let Some((at, name)) = self.dotted()
        {
            (line, module) = (at, name);
        }
        if !self.eat(Token::Name("import")) {
            return;
        }
        if self.eat(Token::Mark('*')) {
            self.found.push(Import { line, dots, module, name: Some((line, "*".to_owned())) });
            return;
        }
        self.eat(Token::Mark('('));
        while let Some((at, name)) = self.name() {
            self.found.push(Import { line, dots, module: module.clone(), name: Some((at, name.to_owned())) });
            self.alias();
            if !self.eat(Token::Mark(',')) {
                return;
            }
        }
    }
}
