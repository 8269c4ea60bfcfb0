//! Texts with rules: portable text, relative paths, producers (§1.5). Parsed once, then trusted.

use super::{ids::HarnessId, json::Value};
use crate::diagnostics::{Code, Result};

/// The longest text a record may hold, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

/// Trimmed, non-empty text without NUL, backslash, absolute path, drive prefix or `..` segment.
pub fn portable_text(text: &str, code: Code, what: &str) -> Result<String> {
    let fault = |why: &str| Err(code.because(format!("{what} {why}")));
    let drive = text.get(1..2) == Some(":") && text.starts_with(|c: char| c.is_ascii_alphabetic());
    match text {
        "" => fault("is empty"),
        _ if text.len() > MAX_TEXT => fault("is too long"),
        _ if text.trim() != text => fault("has blanks at an end"),
        _ if text.contains('\0') => fault("holds a NUL"),
        _ if text.contains('\\') => fault("holds a backslash"),
        _ if text.starts_with('/') || drive => fault("starts like an absolute path"),
        _ if text.split('/').any(|part| part == "..") => fault("holds a '..' segment"),
        _ => Ok(text.to_owned()),
    }
}

/// Whether a character changes how text is shown without being seen itself: it hides, joins or reorders its neighbours.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Portable text without any `/` (producers, reviewers, tools, targets).
pub fn portable_name(text: &str, code: Code, what: &str) -> Result<String> {
    match text.contains('/') {
        true => Err(code.because(format!("{what} holds a '/'"))),
        false => portable_text(text, code, what),
    }
}

/// Any text of a spec: no NUL, not longer than a record may hold.
pub fn plain_text(text: &str, code: Code, what: &str) -> Result<String> {
    match text {
        _ if text.contains('\0') => Err(code.because(format!("{what} holds a NUL"))),
        _ if text.len() > MAX_TEXT => Err(code.because(format!("{what} is too long"))),
        _ => Ok(text.to_owned()),
    }
}

/// A path below some top, with `/` between its parts: no empty, `.` or `..` part, nothing absolute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

impl RelativePath {
    /// Reads it; a fault has the code of the object that holds it.
    pub fn parse(text: &str, code: Code) -> Result<RelativePath> {
        let drive = text.get(1..2) == Some(":") && text.starts_with(|c: char| c.is_ascii_alphabetic());
        let bad = text.trim() != text
            || text.contains('\\')
            || text.contains('\0')
            || text.len() > 4096
            || drive
            || text.split('/').any(|part| matches!(part, "" | "." | ".."));
        match bad {
            true => Err(code.because(format!("'{}' is not a relative path", text.escape_debug()))),
            false => Ok(RelativePath(text.to_owned())),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RelativePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&RelativePath> for Value {
    fn from(path: &RelativePath) -> Value {
        Value::Text(path.0.clone())
    }
}

/// Who made a piece of evidence (§1.5, §2.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Producer {
    /// One of our own verbs.
    Rapid(Verb),
    /// A person, through `approve` or `finish --accept-test-command`.
    User,
    /// An agent's harness; it must be the contract's.
    Harness(HarnessId),
    /// Anything else (`ci:…`, `external:…`, a tool).
    Other(String),
}

/// The verbs that write evidence under their own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `git rapid attach`.
    Attach,
    /// `git rapid check`, `task done` and the baseline of `start`.
    Check,
    /// `git rapid finish`.
    Finish,
    /// `git rapid start`.
    Start,
    /// `git rapid verify --rerun`: what another party saw of a run that is over. It moves no verdict.
    Verify,
}

impl Producer {
    /// Reads it. `rapid:` and a word that is not one of our verbs is refused, so that no later meaning can be claimed early.
    pub fn parse(text: &str) -> Result<Producer> {
        let text = portable_name(text, Code::Rapid1202, "the producer")?;
        if text.contains(char::is_whitespace) {
            return Err(Code::Rapid1202.because("the producer holds a blank"));
        }
        Ok(match text.as_str() {
            "rapid:attach" => Producer::Rapid(Verb::Attach),
            "rapid:check" => Producer::Rapid(Verb::Check),
            "rapid:finish" => Producer::Rapid(Verb::Finish),
            "rapid:start" => Producer::Rapid(Verb::Start),
            "rapid:verify" => Producer::Rapid(Verb::Verify),
            "user" => Producer::User,
            _ if text.starts_with("rapid:") => {
                return Err(Code::Rapid1202.because(format!("'{text}' is not a producer")));
            }
            _ => match text.strip_prefix("harness:") {
                Some(id) => Producer::Harness(HarnessId::parse(id)?),
                None => Producer::Other(text),
            },
        })
    }
}

impl std::fmt::Display for Producer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Producer::Rapid(Verb::Attach) => f.write_str("rapid:attach"),
            Producer::Rapid(Verb::Check) => f.write_str("rapid:check"),
            Producer::Rapid(Verb::Finish) => f.write_str("rapid:finish"),
            Producer::Rapid(Verb::Start) => f.write_str("rapid:start"),
            Producer::Rapid(Verb::Verify) => f.write_str("rapid:verify"),
            Producer::User => f.write_str("user"),
            Producer::Harness(id) => write!(f, "harness:{id}"),
            Producer::Other(name) => f.write_str(name),
        }
    }
}
