//! Standard output and standard error, and the promise of `--json`: one document on standard output and nothing else.

use super::harmless;
use super::live::{Filter, Progress};
use super::screen::Screen;
use crate::diagnostics::{Class, Diagnostic};
use crate::domain::{harmless::harmless_json, json::Value};
use crate::os::{
    environment::Environment,
    pager::Pager,
    terminal::{self, Stream},
};
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use std::io::{BufWriter, IsTerminal, Stderr, Stdout, Write};

/// How many lines stand below a screen, the one of the cursor among them.
const LINES_BELOW: usize = 3;

/// Where a command speaks.
pub struct Ui {
    json: bool,
    out: BufWriter<Stdout>,
    err: Stderr,
    colour_out: bool,
    colour_err: bool,
    broken: Option<std::io::Error>,
    said: bool,
    beside: Option<(&'static str, Value)>,
    running: Option<Running>,
    screen: Option<Screen>,
    pager: Option<Pager>,
}

/// A command whose output is shown while it runs.
struct Running {
    /// Where the output goes is a terminal.
    filter: Option<Filter>,
    progress: Option<Progress>,
}

impl Ui {
    /// A command's voice.
    pub fn new(json: bool, color: ColorChoice) -> Ui {
        let coloured = |terminal: bool| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                !set("NO_COLOR") && (terminal || std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0"))
            }
        };
        Ui {
            json,
            colour_out: coloured(std::io::stdout().is_terminal()),
            colour_err: coloured(std::io::stderr().is_terminal()),
            out: BufWriter::new(std::io::stdout()),
            err: std::io::stderr(),
            broken: None,
            said: false,
            beside: None,
            running: None,
            screen: None,
            pager: None,
        }
    }

    /// What is said from now on is read in this program, when it is said to a person at a terminal.
    pub fn page(&mut self, command: impl FnOnce() -> Option<String>, environment: &Environment) {
        if !self.json && !self.said && std::io::stdout().is_terminal() && self.pager.is_none() {
            self.show_now();
            self.pager = command().and_then(|command| Pager::start(&command, environment));
        }
    }

    fn close_pager(&mut self) {
        if let Some(pager) = self.pager.take() {
            let ended = pager.end();
            self.broken = self.broken.take().or(ended.err());
        }
    }

    /// From now on standard output is for [`Ui::raw`] alone: it holds a document of another form.
    pub fn keep_output_for_raw(&mut self) {
        self.json = true;
        self.said = true;
    }

    /// A line for people on standard output; nothing under `--json`.
    pub fn line(&mut self, text: impl AsRef<str>) {
        if !self.json {
            self.said_line(&format!("{}\n", harmless(text.as_ref())));
        }
    }

    fn said_line(&mut self, line: &str) {
        let fitting = self.screen.as_mut().map(|screen| screen.fitting(line));
        self.raw(fitting.as_deref().unwrap_or(line).as_bytes());
    }

    /// A line with a word in front that stands out.
    pub fn marked(&mut self, mark: &str, colour: AnsiColor, text: impl AsRef<str>) {
        if self.json {
            return;
        }
        let style = Style::new().bold().fg_color(Some(colour.into()));
        let (start, end) = if self.colour_out {
            (style.render().to_string(), style.render_reset().to_string())
        } else {
            Default::default()
        };
        let line = format!("{start}{}{end} {}", harmless(mark), harmless(text.as_ref()));
        self.said_line(&format!("{}\n", line.trim_end_matches(' ')));
    }

    /// The document, under `--json`; nothing otherwise.
    pub fn document(&mut self, value: &Value) {
        if self.json && !self.said {
            self.said = true;
            let value =
                self.beside.take().into_iter().fold(value.clone(), |value, (key, beside)| value.with(key, beside));
            self.raw(harmless_json(&value.pretty()).as_bytes());
        }
    }

    /// One document of many, on a line of its own.
    pub fn document_line(&mut self, value: &Value) {
        self.raw(format!("{}\n", harmless_json(&value.canonical())).as_bytes());
    }

    /// A member that the document gets beside its own.
    pub fn beside(&mut self, key: &'static str, value: Value) {
        self.beside = Some((key, value));
    }

    /// Bytes as they are, on standard output.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.settle();
        self.put(bytes);
    }

    /// An empty screen of this size, where there is one; what does not fit is left out until it is closed.
    pub fn new_screen(&mut self, size: Option<terminal::Size>) {
        if std::io::stdout().is_terminal() {
            self.raw(b"\x1b[H\x1b[2J");
            self.screen = size.map(|size| Screen::of(size, LINES_BELOW));
        }
    }

    /// What stands below the screen: a word, after how much did not fit.
    pub fn close_screen(&mut self, word: &str) {
        let left_out = self.screen.take().map_or(0, |screen| screen.left_out());
        let more = if left_out > 0 { format!("… {left_out} more lines; ") } else { String::new() };
        self.line("");
        self.line(format!("{more}{word}"));
        self.show_now();
    }

    /// Sends out what was said so far.
    pub fn show_now(&mut self) {
        if self.broken.is_none() {
            self.broken = self.out.flush().err();
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.broken.is_none() {
            let written = match &mut self.pager {
                Some(pager) => pager.write_all(bytes),
                None => self.out.write_all(bytes),
            };
            self.broken = written.err();
        }
    }

    /// Bytes that somebody else wrote: made harmless for a terminal, as they are for anything else; nothing under `--json`.
    pub fn foreign(&mut self, bytes: &[u8]) {
        match std::io::stdout().is_terminal() {
            _ if self.json => {}
            true => self.raw(harmless(&String::from_utf8_lossy(bytes)).as_bytes()),
            false => self.raw(bytes),
        }
    }

    /// The same for what somebody else goes on writing: under `--json`, whose document says nothing of it, on standard error.
    pub fn followed(&mut self, bytes: &[u8]) {
        match (self.json, self.err.is_terminal()) {
            (false, _) => self.foreign(bytes),
            (true, true) => self.at_once(harmless(&String::from_utf8_lossy(bytes)).as_bytes()),
            (true, false) => self.at_once(bytes),
        }
    }

    /// Whether there is still somebody who reads what is said.
    pub fn goes_on(&self) -> bool {
        self.broken.is_none()
    }

    /// What was said so far is out, and there is still somebody who reads it.
    pub fn is_read(&mut self) -> bool {
        if self.broken.is_none() {
            self.broken = self.out.flush().err();
        }
        self.broken.is_none()
    }

    /// Output of a running command, at once: on standard output, or on standard error under `--json`. An empty piece says that
    /// time went by. On a terminal a line below says for how long the command runs, until something else is said.
    pub fn live(&mut self, bytes: &[u8]) {
        let shown = if self.json { self.err.is_terminal() } else { std::io::stdout().is_terminal() };
        let mut running = self.running.take().unwrap_or_else(|| Running {
            filter: shown.then(Filter::default),
            progress: Progress::begin(shown, !self.json && terminal::is_pipe(Stream::Out)),
        });
        if !bytes.is_empty() {
            if let Some(progress) = &mut running.progress {
                let _ = self.err.write_all(progress.erased().as_bytes());
                progress.saw(bytes);
            }
            match &mut running.filter {
                Some(filter) => self.at_once(filter.pass(bytes).as_bytes()),
                None => self.at_once(bytes),
            }
        }
        if let Some(line) = running.progress.as_mut().and_then(Progress::line) {
            let _ = self.err.write_all(line.as_bytes()).and_then(|()| self.err.flush());
        }
        self.running = Some(running);
    }

    fn at_once(&mut self, bytes: &[u8]) {
        if self.json {
            let _ = self.err.write_all(bytes).and_then(|()| self.err.flush());
        } else {
            self.put(bytes);
            if self.broken.is_none() {
                self.broken = self.out.flush().err();
            }
        }
    }

    /// Takes the line of a command that ran away before something else is said.
    fn settle(&mut self) {
        if let Some(mut progress) = self.running.take().and_then(|running| running.progress) {
            let _ = self.err.write_all(progress.erased().as_bytes());
        }
    }

    /// A remark on standard error.
    pub fn note(&mut self, text: &str) {
        self.settle();
        self.close_pager();
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{}", harmless(text).trim_end());
    }

    /// A diagnostic for people on standard error.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.settle();
        self.close_pager();
        let _ = self.out.flush();
        let (word, colour) = match diagnostic.code.class() {
            Class::Info => ("note", AnsiColor::Blue),
            Class::Warning => ("warning", AnsiColor::Yellow),
            Class::Refusal | Class::Error => ("error", AnsiColor::Red),
        };
        let style = Style::new().bold().fg_color(Some(colour.into()));
        let (start, end) = if self.colour_err {
            (style.render().to_string(), style.render_reset().to_string())
        } else {
            Default::default()
        };
        let place = diagnostic.path.as_ref().filter(|path| !diagnostic.message.contains(path.as_str()));
        let place = place.map_or_else(String::new, |path| format!(" ({path})"));
        let _ = writeln!(
            self.err,
            "{start}{word}[{}]{end}: {}{}",
            diagnostic.code,
            harmless(&diagnostic.message),
            harmless(&place)
        );
        for hint in &diagnostic.hints {
            let _ = writeln!(self.err, "hint: {}", harmless(hint));
        }
    }

    /// A command failed: said on standard error, and as a document under `--json`.
    pub fn failure(&mut self, diagnostic: &Diagnostic) {
        let diagnostic = with_next_step(diagnostic);
        self.document(&Value::object([("schema_version", 1.into()), ("error", error_value(&diagnostic))]));
        self.diagnostic(&diagnostic);
    }

    /// Sends everything out; an error when standard output could not take it.
    pub fn end(&mut self) -> std::io::Result<()> {
        self.close_pager();
        match self.broken.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

/// A diagnostic as the `error` of a document.
pub fn error_value(diagnostic: &Diagnostic) -> Value {
    let diagnostic = with_next_step(diagnostic);
    Value::object([
        ("code", diagnostic.code.as_str().into()),
        ("message", (&diagnostic.message).into()),
        ("hint", diagnostic.hints.join("\n").into()),
    ])
    .with_some("path", diagnostic.path.as_ref())
}

/// There is a next step after every refusal: at the least, its page.
fn with_next_step(diagnostic: &Diagnostic) -> Diagnostic {
    let diagnostic = diagnostic.clone();
    let code = diagnostic.code;
    if diagnostic.hints.is_empty() { diagnostic.hint(format!("git rapid explain {code}")) } else { diagnostic }
}
