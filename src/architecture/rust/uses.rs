//! The tree of a `use`: each leaf is one path, with the name that it gets.

use super::{
    read::{DEEPEST, Form, Reader},
    tokens::Token,
};

/// Reads the tree behind `use`, to its `;` or to what cannot belong to it. Without recursion: a tree may nest as it likes.
pub(super) fn read(reader: &mut Reader<'_, '_>) {
    let mut tree = Tree::default();
    while let Some((line, token)) = reader.peek(0) {
        match token {
            Token::Name("as") => {
                tree.alias = alias(reader);
                continue;
            }
            Token::Name(name) => tree.push(line, name),
            Token::Sep if tree.path.is_empty() => tree.path.push(String::new()),
            Token::Sep | Token::Mark('$') => {}
            Token::Mark('*') => {
                let line = if tree.has_leaf { tree.line } else { line };
                reader.named(line, tree.path.clone(), Form::Glob);
                tree.has_leaf = false;
            }
            Token::Mark('{') => {
                tree.groups.push(tree.path.len());
                tree.has_leaf = false;
            }
            Token::Mark(',') if !tree.groups.is_empty() => {
                tree.end_leaf(reader);
                tree.rewind();
            }
            Token::Mark('}') if !tree.groups.is_empty() => {
                tree.end_leaf(reader);
                tree.rewind();
                tree.groups.pop();
            }
            Token::Mark(';') => {
                tree.end_leaf(reader);
                reader.skip(1);
                return;
            }
            _ => return,
        }
        reader.skip(1);
    }
}

/// `as name`: the name, or nothing for `_`. `None` when there is no `as`.
pub(super) fn alias(reader: &mut Reader<'_, '_>) -> Option<Option<String>> {
    match (reader.token(0), reader.token(1)) {
        (Some(Token::Name("as")), Some(Token::Name(name))) => {
            reader.skip(2);
            Some((name != "_").then(|| name.to_owned()))
        }
        (Some(Token::Name("as")), _) => {
            reader.skip(1);
            None
        }
        _ => None,
    }
}

#[derive(Default)]
struct Tree {
    /// The names up to here.
    path: Vec<String>,
    /// How long the path was at each open brace.
    groups: Vec<usize>,
    /// Whether names stand here that no leaf has taken yet, and the line of the first of them.
    has_leaf: bool,
    line: u32,
    alias: Option<Option<String>>,
}

impl Tree {
    fn push(&mut self, line: u32, name: &str) {
        if !self.has_leaf {
            (self.has_leaf, self.line) = (true, line);
        }
        if self.path.len() < DEEPEST {
            self.path.push(name.to_owned());
        }
    }

    fn end_leaf(&mut self, reader: &mut Reader<'_, '_>) {
        let alias = self.alias.take();
        if !self.has_leaf {
            return;
        }
        self.has_leaf = false;
        let mut path = self.path.clone();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = alias.unwrap_or_else(|| path.last().cloned());
        reader.named(self.line, path, Form::Use(name));
    }

    /// Back to where the group began.
    fn rewind(&mut self) {
        self.path.truncate(self.groups.last().copied().unwrap_or_default());
    }
}
