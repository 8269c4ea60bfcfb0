//! A file's paths, each with the inline module that it stands in.

use super::{
    tokens::{Spot, Token, tokens},
    uses,
};
use crate::architecture::escape::unescape;

/// Deeper modules, and longer paths, are cut: nobody writes them, and what they cost stays bounded.
pub(super) const DEEPEST: usize = 64;

/// What a file names.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    /// The inline modules, as paths below the file's own module; the first is the file's own.
    pub(super) scopes: Vec<Vec<String>>,
    /// The paths.
    pub(super) paths: Vec<Named>,
    /// The modules whose text lies in files of their own.
    pub(super) modules: Vec<Declared>,
}

#[cfg(test)]
impl Unit {
    /// How much was found.
    pub(crate) fn size(&self) -> usize {
        self.paths.len() + self.modules.len()
    }
}

/// One path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) line: u32,
    /// The inline module, by its place in the unit's list.
    pub(super) scope: usize,
    pub(super) path: Vec<String>,
    pub(super) form: Form,
}

/// How a path is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In a `use`, which gives it a name here; `None` for `as _`.
    Use(Option<String>),
    /// `use path::*`
    Glob,
    /// `extern crate x`, which gives it a name here.
    Crate(Option<String>),
    /// Somewhere in code.
    Code,
}

/// `mod name;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) line: u32,
    pub(super) scope: usize,
    pub(super) name: String,
    /// Where its attribute says the file is.
    pub(super) place: Option<String>,
}

/// Reads what a file names.
pub(crate) fn read(text: &str) -> Unit {
    let tokens = tokens(text);
    let unit = Unit { scopes: vec![Vec::new()], ..Unit::default() };
    let mut reader = Reader { tokens: &tokens, at: 0, scope: 0, outer: Vec::new(), place: None, unit };
    while let Some((line, token)) = reader.peek(0) {
        reader.step(line, token);
    }
    reader.unit
}

pub(super) struct Reader<'t, 'a> {
    tokens: &'t [Spot<'a>],
    at: usize,
    /// The inline module that the place is in.
    scope: usize,
    /// For each open brace the inline module outside of it.
    outer: Vec<usize>,
    /// What an attribute before the next module says of its place.
    place: Option<String>,
    pub(super) unit: Unit,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn peek(&self, ahead: usize) -> Option<Spot<'a>> {
        self.tokens.get(self.at + ahead).copied()
    }

    pub(super) fn token(&self, ahead: usize) -> Option<Token<'a>> {
        self.peek(ahead).map(|(_, token)| token)
    }

    pub(super) fn skip(&mut self, tokens: usize) {
        self.at += tokens;
    }

    fn enter(&mut self, module: Option<String>) {
        self.outer.push(self.scope);
        let Some(name) = module else { return };
        let mut path = self.unit.scopes.get(self.scope).cloned().unwrap_or_default();
        if path.len() < DEEPEST {
            path.push(name);
        }
        self.scope = self.unit.scopes.len();
        self.unit.scopes.push(path);
    }

    fn leave(&mut self) {
        self.scope = self.outer.pop().unwrap_or_default();
    }

    fn step(&mut self, line: u32, token: Token<'a>) {
        match token {
            Token::Mark('{') => {
                self.place = None;
                self.enter(None);
                self.at += 1;
            }
            Token::Mark('}') => {
                self.place = None;
                self.leave();
                self.at += 1;
            }
            Token::Mark(';') => {
                self.place = None;
                self.at += 1;
            }
            Token::Name("use") if !matches!(self.token(1), Some(Token::Mark('<'))) => {
                self.at += 1;
                uses::read(self);
            }
            Token::Name("extern") if self.token(1) == Some(Token::Name("crate")) => self.extern_crate(),
            Token::Name("mod") => self.module(line),
            Token::Name("path") => self.attribute(),
            Token::Name(_) | Token::Sep => self.path(line),
            Token::Mark(_) | Token::Text(_) | Token::Other => self.at += 1,
        }
    }

    /// `path = "x"`, which matters when a module follows.
    fn attribute(&mut self) {
        match (self.token(1), self.token(2)) {
            (Some(Token::Mark('=')), Some(Token::Text(text))) => {
                self.place = Some(unescape(text));
                self.at += 3;
            }
            _ => {
                let line = self.peek(0).map_or(0, |(line, _)| line);
                self.path(line);
            }
        }
    }

    fn module(&mut self, line: u32) {
        let (name, next) = match (self.token(1), self.token(2)) {
            (Some(Token::Name(name)), Some(Token::Mark(next @ (';' | '{')))) => (name.to_owned(), next),
            _ => {
                self.at += 1;
                return;
            }
        };
        self.at += 3;
        let place = self.place.take();
        match next {
            ';' => {
                let scope = self.scope;
                self.unit.modules.push(Declared { line, scope, name, place });
            }
            _ => self.enter(Some(name)),
        }
    }

    fn extern_crate(&mut self) {
        self.at += 2;
        let Some((line, Token::Name(name))) = self.peek(0) else { return };
        self.at += 1;
        let alias = uses::alias(self);
        let given = alias.unwrap_or_else(|| Some(name.to_owned()));
        let path = vec![if name == "self" { "crate".to_owned() } else { name.to_owned() }];
        self.named(line, path, Form::Crate(given));
    }

    /// A path in code: at least two names, or it says nothing about modules.
    fn path(&mut self, line: u32) {
        let mut path = Vec::new();
        let after_value = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_member = matches!(after_value, Some((_, Token::Mark('.'))));
        if self.token(0) == Some(Token::Sep) {
            // `::name` begins at the crates; behind `>` it only goes on.
            self.at += 1;
            match after_value {
                Some((_, Token::Mark('>') | Token::Name(_))) => {}
                _ => path.push(String::new()),
            }
        }
        while let Some(Token::Name(name)) = self.token(0) {
            if path.len() < DEEPEST {
                path.push(name.to_owned());
            }
            self.at += 1;
            if self.token(0) != Some(Token::Sep) || !matches!(self.token(1), Some(Token::Name(_))) {
                break;
            }
            self.at += 1;
        }
        if path.len() > 1 && !is_member {
            self.named(line, path, Form::Code);
        }
    }

    pub(super) fn named(&mut self, line: u32, path: Vec<String>, form: Form) {
        let scope = self.scope;
        self.unit.paths.push(Named { line, scope, path, form });
    }
}
