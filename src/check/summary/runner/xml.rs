//! A reader of XML tags over the lines of an output: elements and attributes, comments and CDATA skipped.
//!
//! Not a validating parser. Document types and processing instructions other than the declaration end the reading, and
//! entities are not expanded: no decision rests on text.

use super::Lines;

/// A tag.
#[derive(Debug)]
pub(super) enum Tag {
    /// `<name key="value">`.
    Open {
        /// The element.
        name: String,
        /// Its attributes.
        attributes: Vec<(String, String)>,
        /// Whether it ends right here: `<name/>`.
        closed: bool,
    },
    /// `</name>`.
    Close {
        /// The element.
        name: String,
    },
}

/// A position in the lines.
pub(super) struct Reader<'l, 't> {
    lines: &'l Lines<'t>,
    at: usize,
    rest: &'t str,
}

impl<'l, 't> Reader<'l, 't> {
    /// A reader at the first `<` of a line.
    pub(super) fn new(lines: &'l Lines<'t>, first: usize) -> Self {
        Reader { lines, at: first, rest: lines.get(first).copied().unwrap_or_default() }
    }

    /// The line being read.
    pub(super) fn line(&self) -> usize {
        self.at.min(self.lines.len().saturating_sub(1))
    }

    fn next_line(&mut self) -> Option<()> {
        self.at = self.at.saturating_add(1);
        self.rest = self.lines.get(self.at)?;
        Some(())
    }

    /// Moves behind the next occurrence of `mark`.
    fn skip_past(&mut self, mark: &str) -> Option<()> {
        loop {
            if let Some((_, after)) = self.rest.split_once(mark) {
                self.rest = after;
                return Some(());
            }
            self.next_line()?;
        }
    }

    /// The next tag; `None` at the end or where the text is no XML.
    pub(super) fn next_tag(&mut self) -> Option<Tag> {
        loop {
            self.skip_past("<")?;
            if let Some(rest) = self.rest.strip_prefix("?xml") {
                self.rest = rest;
                self.skip_past("?>")?;
            } else if let Some(rest) = self.rest.strip_prefix("!--") {
                self.rest = rest;
                self.skip_past("-->")?;
            } else if let Some(rest) = self.rest.strip_prefix("![CDATA[") {
                self.rest = rest;
                self.skip_past("]]>")?;
            } else if let Some(rest) = self.rest.strip_prefix('/') {
                let (name, after) = rest.split_once('>')?;
                self.rest = after;
                return Some(Tag::Close { name: name.trim().to_owned() });
            } else {
                return self.open();
            }
        }
    }

    fn open(&mut self) -> Option<Tag> {
        let name = self.word()?;
        let mut attributes = Vec::new();
        loop {
            self.blanks()?;
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                return Some(Tag::Open { name, attributes, closed: true });
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return Some(Tag::Open { name, attributes, closed: false });
            }
            let key = self.word()?;
            self.blanks()?;
            self.rest = self.rest.strip_prefix('=')?;
            self.blanks()?;
            let value = self.quoted()?;
            attributes.push((key, value));
        }
    }

    /// Skips blanks, over line ends too.
    fn blanks(&mut self) -> Option<()> {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.is_empty() {
                return Some(());
            }
            self.next_line()?;
        }
    }

    fn word(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')));
        let (word, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn quoted(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        self.rest = self.rest.strip_prefix(quote)?;
        let mut value = String::new();
        loop {
            if let Some((end, after)) = self.rest.split_once(quote) {
                value.push_str(end);
                self.rest = after;
                return Some(value);
            }
            value.push_str(self.rest);
            value.push('\n');
            self.next_line()?;
        }
    }
}
