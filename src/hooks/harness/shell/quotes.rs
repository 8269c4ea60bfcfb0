//! What stands inside a word: double quotes, variables, substitutions.
//!
//! Not where words end or what they are to a command (the parent), and not what a variable will hold at run time: only what
//! the same text gave it.

use super::expand::{printed, unescaped};
use super::{Expects, Reader, TooDeep, assignment, read};

impl Reader<'_> {
    pub(super) fn double_quoted(&mut self) -> Result<(), TooDeep> {
        self.word.get_or_insert_default();
        self.quoted = true;
        while let Some(c) = self.next() {
            match c {
                '"' => break,
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(c @ ('"' | '\\' | '$' | '`')) => self.push(c),
                    Some(c) => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                '$' => self.dollar(true)?,
                '`' => self.backquoted(true)?,
                c => self.push(c),
            }
        }
        Ok(())
    }

    pub(super) fn backquoted(&mut self, quoted: bool) -> Result<(), TooDeep> {
        let inner = self.until('`');
        self.inner(&inner, quoted)
    }

    /// What a variable or a substitution stands for: unquoted, blanks in it part words.
    fn stands_for(&mut self, text: &str, quoted: bool) {
        let assigns = self.now.words.is_empty() && self.word.as_deref().is_some_and(|word| assignment(word).is_some());
        if quoted || assigns || self.expects != Expects::Word {
            return self.push_text(text);
        }
        // A shell takes the one or the other; here what it may take counts.
        let also = self.variables.get("IFS").cloned().unwrap_or_default();
        for (at, part) in text.split(|c: char| c.is_ascii_whitespace() || also.contains(c)).enumerate() {
            if at > 0 {
                self.end_word();
            }
            if !part.is_empty() {
                self.push_text(part);
            }
        }
    }

    fn variable(&mut self, name: &str, quoted: bool) {
        match self.variables.get(name).cloned() {
            Some(value) => self.stands_for(&value, quoted),
            None if name == "IFS" => self.stands_for(" ", quoted),
            None => self.push_text(&format!("${name}")),
        }
    }

    pub(super) fn dollar(&mut self, quoted: bool) -> Result<(), TooDeep> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.balanced();
                self.inner(&inner, quoted)?;
            }
            Some('{') => {
                self.at += 1;
                let inner = self.until('}');
                let name: String = inner.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let rest = inner.get(name.len()..).unwrap_or_default();
                // `${X:-text}` stands for the text where X is not set, and the text is what is of interest.
                let default = rest.trim_start_matches(':').strip_prefix(['-', '=', '+']);
                match default {
                    Some(text) if !self.variables.contains_key(&name) => self.stands_for(text, quoted),
                    Some(_) => self.variable(&name, quoted),
                    None if rest.is_empty() => self.variable(&name, quoted),
                    // Cut, replaced, or looked up by another name: not known.
                    None => self.push_text(&format!("${name}")),
                }
            }
            Some('\'') => {
                self.at += 1;
                let raw = self.until_unescaped();
                self.quoted = true;
                self.push_text(&raw);
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.peek().filter(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                    self.at += 1;
                }
                self.variable(&name, quoted);
            }
            _ => self.push('$'),
        }
        Ok(())
    }

    /// `$'…'` with its escapes.
    fn until_unescaped(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.next().filter(|c| *c != '\'') {
            text.push(c);
            if c == '\\' {
                text.extend(self.next());
            }
        }
        unescaped(&text)
    }

    /// The text up to the parenthesis that closes one just read; quotes are respected.
    pub(super) fn balanced(&mut self) -> String {
        let mut text = String::new();
        let mut depth = 1_usize;
        let mut quote = None;
        while let Some(c) = self.next() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None | Some('"'), '\\') => {
                    text.push(c);
                    text.extend(self.next());
                    continue;
                }
                (None, '(') => depth += 1,
                (None, ')') => {
                    depth -= 1;
                    if depth == 0 {
                        return text;
                    }
                }
                _ => {}
            }
            text.push(c);
        }
        text
    }

    /// A substitution: its commands are run too. What it stands for is not known, unless it only prints.
    fn inner(&mut self, text: &str, quoted: bool) -> Result<(), TooDeep> {
        let commands = read(text, self.variables, self.depth + 1)?;
        let printed = match commands.as_slice() {
            [only] => printed(only),
            _ => None,
        };
        self.done.extend(commands);
        match printed {
            Some(text) => self.stands_for(&text, quoted),
            None => self.push_text("$()"),
        }
        Ok(())
    }
}
