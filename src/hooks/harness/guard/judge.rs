//! Shell commands judged one after another, each where the text has gone by then.
//!
//! Not here: what a single program means (`programs`, `git`, `rapid`).

use super::ground::Ground;
use super::programs::{self, Unread};
use super::wrappers::{self, Unwrapped};
use super::{ASK, Denied, LEAVE, PLAIN, UNSURE, git, is_unresolved, sets, spelling, text_of, unsets};
use crate::hooks::harness::shell::{Simple, printed};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most words of one command that are looked at as the head of another.
const MOST_HEADS: usize = 48;

/// Where a text stands while it is read.
#[derive(Clone)]
pub(super) struct Judge<'g> {
    pub(super) ground: &'g Ground,
    /// Where the text has gone by now.
    pub(super) cwd: PathBuf,
    pub(super) depth: usize,
    /// Where it has been; what is in a subshell or behind `||` is still there.
    been: Vec<PathBuf>,
    straight: bool,
    /// Everything that the tool was given, for what cannot be read by itself.
    whole: &'g str,
    aliases: BTreeMap<String, String>,
    /// Files that the text itself writes.
    written: Vec<String>,
    /// Variables that take their values from what is protected, in a loop.
    tainted: Vec<String>,
    /// Whether the words of a command are looked at as the heads of others.
    searches: bool,
}

/// What a command gets on its standard input.
#[derive(Clone, Copy, Default)]
struct Feed<'c> {
    input: &'c str,
    /// Files that it is redirected from.
    files: &'c [String],
    from: Option<&'c Simple>,
}

impl<'g> Judge<'g> {
    pub(super) fn new(ground: &'g Ground, cwd: PathBuf, whole: &'g str) -> Judge<'g> {
        Judge {
            ground,
            cwd,
            depth: 0,
            been: Vec::new(),
            straight: true,
            whole,
            aliases: BTreeMap::new(),
            written: Vec::new(),
            tainted: Vec::new(),
            searches: true,
        }
    }

    /// Looks over a text before its commands are judged.
    pub(super) fn begin(&mut self, text: &str, commands: &[Simple]) {
        self.straight &= !text.replace("&&", ";").contains(['(', '|', '&']);
        for command in commands {
            let tee = command.words.first().is_some_and(|word| programs::name(word) == "tee");
            let targets = command.writes.iter().chain(command.words.iter().skip(1).filter(|_| tee));
            self.written.extend(targets.map(|target| bare(target).to_owned()));
        }
    }

    /// The same elsewhere.
    pub(super) fn at(&self, cwd: PathBuf) -> Judge<'g> {
        Judge { cwd, ..self.clone() }
    }

    /// Text within the text.
    pub(super) fn text(&self, text: &str) -> Result<(), Denied> {
        text_of(text, Judge { depth: self.depth + 1, ..self.clone() })
    }

    /// Words that are run as they are.
    pub(super) fn words(&self, words: &[String]) -> Result<(), Denied> {
        let mut inner = Judge { depth: self.depth + 1, ..self.clone() };
        match inner.depth > super::DEEPEST {
            true => Err(Denied::new("the command is nested too deeply to be read", PLAIN)),
            false => inner.run(words, Feed::default()),
        }
    }

    /// Refuses what cannot be read, where the whole speaks of git-rapid.
    pub(super) fn unsure(&self, why: &str) -> Result<(), Denied> {
        match spelling::topic_in_code(self.whole) {
            Some(topic) => Err(Denied::new(format!("{why}, and the command speaks of {}", topic.words()), UNSURE)),
            None => Ok(()),
        }
    }

    /// What is protected and named by a word of the whole.
    fn names(&self) -> Option<&str> {
        let words = self.whole.split(|c: char| c.is_whitespace() || "'\"`();|&<>={}".contains(c));
        // Looking at a path costs more than looking at a word.
        let likely = |word: &&str| {
            ["rapid", "git", "settings", ".json", ".toml", "*", "?"].iter().any(|part| word.contains(part))
        };
        words.filter(likely).find_map(|word| self.ground.protects(&self.cwd, word))
    }

    /// Refuses a write to what is protected.
    pub(super) fn writes(&self, target: &str, by: &str) -> Result<(), Denied> {
        if self.tainted.iter().any(|name| target.contains(name)) {
            return Err(Denied::new(
                format!("'{by}' would write what '{target}' stands for, which is protected"),
                LEAVE,
            ));
        }
        let before = self.been.iter().filter(|_| !self.straight);
        let hit = std::iter::once(&self.cwd).chain(before).find_map(|cwd| self.ground.protects(cwd, target));
        match hit {
            Some(name) => Err(Denied::new(format!("'{by}' would write {name}"), LEAVE)),
            None => Ok(()),
        }
    }

    pub(super) fn command(&mut self, command: &Simple, from: Option<&Simple>) -> Result<(), Denied> {
        for target in &command.writes {
            self.writes(target, "a redirection")?;
        }
        for (name, value) in &command.assignments {
            sets(name, value)?;
            if programs::runs_variable(name) && spelling::topic(value).is_some() {
                self.text(value)?;
                return Err(Denied::new(format!("{name} would make a program run what speaks of git-rapid"), UNSURE));
            }
        }
        self.run(&command.words, Feed { input: &command.input, files: &command.reads, from })
    }

    fn run(&mut self, words: &[String], feed: Feed<'_>) -> Result<(), Denied> {
        let mut words = match wrappers::unwrap(words)? {
            Unwrapped::Words(unwrapped) => {
                let hands_over = words.first().is_some_and(|first| wrappers::hands_over(&programs::name(first)));
                let unwrapped = match feed.from.and_then(printed).filter(|_| hands_over) {
                    Some(text) => unwrapped.into_iter().chain(text.split_whitespace().map(str::to_owned)).collect(),
                    None => unwrapped,
                };
                if hands_over && programs::is_open(&unwrapped) {
                    self.unsure("what is handed over cannot be read")?;
                }
                let writes = unwrapped
                    .split_first()
                    .is_some_and(|(program, arguments)| !programs::only_reads(&programs::name(program), arguments));
                if hands_over
                    && writes
                    && let Some(name) = self.names()
                {
                    return Err(Denied::new(
                        format!("names are handed over to be written, and {name} is among them"),
                        LEAVE,
                    ));
                }
                unwrapped
            }
            Unwrapped::Text(text) => return self.text(&text),
        };
        if words.is_empty() {
            return Ok(());
        }
        let first = words.remove(0);
        let arguments = words;
        if let Some(text) = self.aliases.get(&first) {
            return self.text(&format!("{text} {}", arguments.join(" ")));
        }
        if is_unresolved(&first) {
            self.unsure(&format!("what '{first}' stands for cannot be read"))?;
        }
        if self.written.iter().any(|target| target == bare(&first)) {
            self.unsure(&format!("'{first}' is written by the same command"))?;
        }
        let program = programs::name(&first);
        if self.of_the_shell(&program, &arguments)? {
            return Ok(());
        }
        if ["git", "git-rapid"].contains(&program.as_str()) {
            git::judge(self, &program, &arguments)?;
        }
        self.terminal(&program, &arguments)?;
        self.interpreted(&program, &arguments, feed)?;
        if programs::runs_words(&program, &arguments) {
            self.heads(&program, &arguments)?;
            self.told(&program, &arguments)?;
        }
        if let Some(topic) =
            spelling::topic(feed.input).filter(|topic| programs::takes_in(&program, &arguments, *topic))
        {
            return Err(Denied::new(format!("'{program}' is handed what speaks of {}", topic.words()), UNSURE));
        }
        self.written_by(&program, &arguments)
    }

    /// What the shell does itself; whether that was all.
    fn of_the_shell(&mut self, program: &str, arguments: &[String]) -> Result<bool, Denied> {
        match program {
            "cd" | "pushd" => {
                if let Some(to) = arguments.iter().find(|word| !word.starts_with('-')) {
                    let there = self.cwd.join(to);
                    self.been.push(std::mem::replace(&mut self.cwd, there));
                }
            }
            "unset" => {
                arguments.iter().try_for_each(|name| unsets(name))?;
                if let Some(name) = arguments.iter().find(|name| is_unresolved(name)) {
                    return Err(Denied::new(format!("which variable '{name}' stands for cannot be read"), PLAIN));
                }
            }
            "read" | "mapfile" | "readarray" | "getopts" => {
                arguments.iter().try_for_each(|name| unsets(name))?;
                if self.names().is_some() {
                    self.tainted.extend(arguments.iter().map(|name| format!("${name}")));
                }
            }
            "for" | "select" => {
                if let Some((name, items)) = arguments.split_first() {
                    // The name that it counts with is set.
                    unsets(name)?;
                    if items.iter().any(|item| self.ground.protects(&self.cwd, item).is_some()) {
                        self.tainted.push(format!("${name}"));
                    }
                }
            }
            "printf" if arguments.first().is_some_and(|word| word == "-v") => {
                arguments.get(1).map_or(Ok(()), |name| unsets(name))?;
            }
            "export" | "declare" | "typeset" | "local" | "readonly" | "set" => {
                let unsetting = arguments.iter().any(|word| word == "-n" || word == "+x");
                for word in arguments {
                    match word.split_once('=') {
                        Some((name, value)) => sets(name, value)?,
                        None if unsetting => unsets(word)?,
                        None => {}
                    }
                }
            }
            "alias" => {
                for (name, text) in arguments.iter().filter_map(|word| word.split_once('=')) {
                    self.text(text)?;
                    self.aliases.insert(name.to_owned(), text.to_owned());
                }
            }
            "eval" | "trap" => match program {
                "eval" => self.text(&arguments.join(" "))?,
                _ => arguments.first().map_or(Ok(()), |text| self.text(text))?,
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn terminal(&self, program: &str, arguments: &[String]) -> Result<(), Denied> {
        if let Some(faker) = programs::fakes_a_terminal(program, arguments) {
            return Err(Denied::new(format!("'{faker}' would stand in for a person's terminal"), ASK));
        }
        let typed = arguments.join(" ");
        let decides = ["approve", "waive", "reject"].iter().any(|verb| typed.contains(verb)) && typed.contains("gate");
        match programs::keeps_a_terminal(program) && decides {
            true => Err(Denied::new(format!("'{program}' would type a person's decision"), ASK)),
            false => Ok(()),
        }
    }

    /// Shells and interpreters: what they are told to run, and what they are fed.
    fn interpreted(&self, program: &str, arguments: &[String], feed: Feed<'_>) -> Result<(), Denied> {
        let shell = programs::is_shell(program);
        let interpreter = programs::is_interpreter(program);
        let runs_file = shell || interpreter || ["source", "."].contains(&program);
        let hidden = |word: &String| word.contains("$(") || self.written.iter().any(|target| target == bare(word));
        let commands = programs::reads_input(program, arguments) == Unread::Commands;
        if (runs_file && arguments.iter().any(hidden)) || (commands && feed.files.iter().any(hidden)) {
            self.unsure(&format!("what '{program}' would run cannot be read"))?;
        }
        if interpreter {
            for code in programs::code_of(program, arguments) {
                self.code(program, code)?;
            }
        }
        if let Some(text) = programs::text_of_shell(arguments).filter(|_| shell) {
            self.text(text)?;
        }
        let fed = match (feed.from, feed.from.and_then(printed)) {
            (_, Some(text)) => text,
            (Some(_), None) if commands => {
                self.unsure(&format!("what is fed to '{program}' cannot be read"))?;
                String::new()
            }
            _ => String::new(),
        };
        for text in [feed.input, &fed].into_iter().filter(|text| !text.is_empty()) {
            match () {
                () if interpreter => self.code(program, text)?,
                () if programs::runs_its_input(program) => self.text(text)?,
                () => {}
            }
        }
        Ok(())
    }

    /// Code for an interpreter: looked at as words, since it is no shell's.
    fn code(&self, program: &str, code: &str) -> Result<(), Denied> {
        if let Some(word) = spelling::terminal_in_code(code) {
            return Err(Denied::new(format!("'{word}' in {program} would stand in for a person's terminal"), ASK));
        }
        if let Some(name) = spelling::unmarks(code) {
            return Err(Denied::new(
                format!("{program} code would change {name}, which says that an agent is at work"),
                PLAIN,
            ));
        }
        match spelling::topic_in_code(code) {
            Some(topic) => Err(Denied::new(format!("{program} code speaks of {}", topic.words()), UNSURE)),
            None => Ok(()),
        }
    }

    /// Words that are the head of another command: behind `-exec`, in a multiplexer, a runner.
    fn heads(&self, program: &str, arguments: &[String]) -> Result<(), Denied> {
        if !self.searches {
            return Ok(());
        }
        let heads = arguments.iter().enumerate().filter(|(_, word)| programs::heads_a_command(word, program));
        for (count, (at, _)) in heads.enumerate() {
            if count >= MOST_HEADS {
                return self.unsure("it holds too many commands to be read");
            }
            let inner = Judge { searches: false, ..self.clone() };
            inner.words(arguments.get(at..).unwrap_or_default())?;
        }
        Ok(())
    }

    /// Words that hold a text for another shell, or for something that cannot be read.
    fn told(&self, program: &str, arguments: &[String]) -> Result<(), Denied> {
        let before = std::iter::once("").chain(arguments.iter().map(String::as_str));
        for (word, option) in arguments.iter().zip(before) {
            if !word.contains(|c: char| c.is_whitespace() || c == ';') || !programs::is_told(program, option) {
                continue;
            }
            if let Some(topic) = spelling::topic(word) {
                self.text(word)?;
                let what =
                    format!("'{program}' is told something that cannot be read, and it speaks of {}", topic.words());
                return Err(Denied::new(what, UNSURE));
            }
        }
        Ok(())
    }

    fn written_by(&self, program: &str, arguments: &[String]) -> Result<(), Denied> {
        if programs::only_reads(program, arguments) {
            return Ok(());
        }
        let removes = programs::removes(program);
        for word in programs::targets(program, arguments) {
            for part in [word.as_str()].into_iter().chain(word.split_once('=').map(|(_, part)| part)) {
                self.writes(part, program)?;
                if removes && let Some(name) = self.ground.holds(&self.cwd, part) {
                    return Err(Denied::new(format!("'{program}' would take {name} away, or lead to it"), LEAVE));
                }
            }
        }
        Ok(())
    }
}

/// A path without the `./` before it.
fn bare(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
