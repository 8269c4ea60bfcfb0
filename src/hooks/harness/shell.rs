//! Shell text read as the commands in it: quotes undone, variables of the same text put in, substitutions and here-documents
//! opened. Text in, commands out.
//!
//! Not a shell: it follows no loop and runs nothing, so what is put together at run time stays hidden (`effect` looks at
//! what came of it). Linear in the text but for nesting, which is bounded.

mod expand;
mod quotes;

pub(super) use expand::printed;

use std::collections::BTreeMap;

/// How deep substitutions are followed.
const DEEPEST: usize = 12;

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// `NAME=value` before the command.
    pub(super) assignments: Vec<(String, String)>,
    /// The command and its arguments.
    pub(super) words: Vec<String>,
    /// What it writes to by redirection.
    pub(super) writes: Vec<String>,
    /// What it reads from by redirection.
    pub(super) reads: Vec<String>,
    /// The text of its here-documents and here-strings.
    pub(super) input: String,
    /// Whether its output goes to the next command.
    pub(super) pipes: bool,
}

/// Text that cannot be read as a shell would: nested too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep;

/// The commands of a text, those in substitutions before the one that holds them.
pub(super) fn commands(text: &str) -> Result<Vec<Simple>, TooDeep> {
    let mut variables = BTreeMap::new();
    read(text, &mut variables, 0)
}

fn read(text: &str, variables: &mut BTreeMap<String, String>, depth: usize) -> Result<Vec<Simple>, TooDeep> {
    if depth > DEEPEST {
        return Err(TooDeep);
    }
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        word: None,
        quoted: false,
        braces: false,
        now: Simple::default(),
        done: Vec::new(),
        variables,
        depth,
        expects: Expects::Word,
        pending: Vec::new(),
    };
    reader.run()?;
    Ok(reader.done)
}

/// What the next word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    Word,
    Target { writes: bool },
    Delimiter { tabs: bool },
    HereString,
}

struct Reader<'v> {
    chars: Vec<char>,
    at: usize,
    word: Option<String>,
    /// Whether part of the word was quoted, and whether a brace in it was not.
    quoted: bool,
    braces: bool,
    now: Simple,
    done: Vec<Simple>,
    variables: &'v mut BTreeMap<String, String>,
    depth: usize,
    expects: Expects,
    /// Here-documents that begin at the next line.
    pending: Vec<Pending>,
}

/// A here-document that was announced.
struct Pending {
    delimiter: String,
    /// Whether tabs before its lines are taken away.
    tabs: bool,
    /// Whether it is text as it stands; else what is substituted in it is run.
    literal: bool,
    /// Where its command stands among those that are done; none while it is still being read.
    command: Option<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn take(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(wanted);
        self.at += usize::from(is);
        is
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn push_text(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn run(&mut self) -> Result<(), TooDeep> {
        while let Some(c) = self.next() {
            match c {
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(c) => {
                        self.quoted = true;
                        self.push(c);
                    }
                },
                '\'' => {
                    let text = self.until('\'');
                    self.quoted = true;
                    self.push_text(&text);
                }
                '"' => self.double_quoted()?,
                '$' => self.dollar(false)?,
                '`' => self.backquoted(false)?,
                '{' => {
                    self.braces = true;
                    self.push(c);
                }
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1
                    }
                }
                '\n' => {
                    self.end_word();
                    self.end_command(false);
                    self.here_documents()?;
                }
                ' ' | '\t' | '\r' => self.end_word(),
                '&' if self.peek() == Some('>') => {
                    self.at += 1;
                    self.redirection('>')?;
                }
                ';' | '&' | '(' | ')' => {
                    self.end_word();
                    self.end_command(false);
                }
                '|' => {
                    self.end_word();
                    let pipe = !self.take('|');
                    self.take('&');
                    self.end_command(pipe);
                }
                '<' | '>' => self.redirection(c)?,
                c => self.push(c),
            }
        }
        self.end_word();
        self.end_command(false);
        Ok(())
    }

    fn until(&mut self, end: char) -> String {
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == end {
                break;
            }
            text.push(c);
        }
        text
    }

    fn redirection(&mut self, first: char) -> Result<(), TooDeep> {
        // `2>`: the number is no word.
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        if self.take('(') {
            let inner = self.balanced();
            let commands = read(&inner, self.variables, self.depth + 1)?;
            self.done.extend(commands);
            self.push_text("$()");
            return Ok(());
        }
        self.expects = match first {
            '<' if self.take('<') => match () {
                () if self.take('<') => Expects::HereString,
                () => Expects::Delimiter { tabs: self.take('-') },
            },
            '<' => Expects::Target { writes: self.take('>') },
            _ => {
                let _ = self.take('>') || self.take('|') || self.take('&');
                Expects::Target { writes: true }
            }
        };
        Ok(())
    }

    fn end_word(&mut self) {
        let (quoted, braces) = (std::mem::take(&mut self.quoted), std::mem::take(&mut self.braces));
        let Some(word) = self.word.take() else { return };
        match std::mem::replace(&mut self.expects, Expects::Word) {
            Expects::Target { writes: true } => self.now.writes.push(word),
            Expects::Target { writes: false } => self.now.reads.push(word),
            Expects::Delimiter { tabs } => {
                self.pending.push(Pending { delimiter: word, tabs, literal: quoted, command: None });
            }
            Expects::HereString => self.now.input.push_str(&word),
            Expects::Word if braces => {
                for word in expand::braces(&word) {
                    self.plain_word(word);
                }
            }
            Expects::Word => self.plain_word(word),
        }
    }

    fn plain_word(&mut self, word: String) {
        let declares = || self.now.words.first().is_some_and(|first| DECLARING.contains(&first.as_str()));
        match assignment(&word).filter(|_| self.now.words.is_empty() || declares()) {
            Some((name, value)) => {
                let before = self.variables.get(&name).filter(|_| word.starts_with(&format!("{name}+=")));
                let whole = format!("{}{value}", before.map(String::as_str).unwrap_or_default());
                self.variables.insert(name.clone(), whole);
                match self.now.words.is_empty() {
                    true => self.now.assignments.push((name, value)),
                    false => self.now.words.push(word),
                }
            }
            None if self.now.words.is_empty() && RESERVED.contains(&word.as_str()) => {}
            None => self.now.words.push(word),
        }
    }

    fn here_documents(&mut self) -> Result<(), TooDeep> {
        for pending in std::mem::take(&mut self.pending) {
            let mut text = String::new();
            while self.at < self.chars.len() {
                let line = self.until('\n');
                let bare = if pending.tabs { line.trim_start_matches('\t') } else { &line };
                if bare == pending.delimiter {
                    break;
                }
                text.push_str(bare);
                text.push('\n');
            }
            let command = match pending.command {
                Some(at) => self.done.get_mut(at),
                None => Some(&mut self.now),
            };
            if let Some(command) = command {
                command.input.push_str(&text);
            }
            if !pending.literal {
                for inner in expand::substitutions(&text) {
                    let commands = read(&inner, self.variables, self.depth + 1)?;
                    self.done.extend(commands);
                }
            }
        }
        Ok(())
    }

    fn end_command(&mut self, pipes: bool) {
        self.expects = Expects::Word;
        let mut command = std::mem::take(&mut self.now);
        command.pipes = pipes;
        if command != (Simple { pipes, ..Simple::default() }) {
            for pending in self.pending.iter_mut().filter(|pending| pending.command.is_none()) {
                pending.command = Some(self.done.len());
            }
            self.done.push(command);
        }
    }
}

/// Words whose arguments are assignments.
const DECLARING: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

/// Words that a shell reads before a command.
const RESERVED: &[&str] =
    &["{", "}", "!", "if", "then", "elif", "else", "fi", "do", "done", "while", "until", "time", "esac", "coproc"];

fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let starts = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let is_name = starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests;
