//! Whether text speaks of what is a person's, in whatever spelling: taken apart by quotes and operators, put into code, or
//! encoded. Text in, answer out.
//!
//! Not here: whether such text is run. Prose says the same words, so this is only asked where a command cannot be read.

use super::is_mark;

/// What unreadable text speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// A decision of a person.
    Decision,
    /// Something that is protected.
    Protected(&'static str),
}

impl Topic {
    pub(super) fn words(self) -> &'static str {
        match self {
            Topic::Decision => "a decision that is a person's",
            Topic::Protected(name) => name,
        }
    }
}

/// How decisions are written when everything but letters and `/ . _` is struck out.
const DECISIONS: [&str; 12] = [
    "approve",
    "waive",
    "abort",
    "rungate",
    "runstatus",
    "evidenceadd",
    "expunge",
    "acceptte",
    "harnessinstall",
    "harnessuninstall",
    "hooksinstall",
    "hooksuninstall",
];

/// The sentences that a person types.
const SENTENCES: [&str; 3] = ["approvegate.", "waivegate.", "rejectgate."];

const PROTECTED: [&str; 7] =
    [".rapid/", ".git/rapid", "refs/rapid", "rapid/ledger", ".git/config", ".git/hooks", ".claude/settings"];

/// What a text speaks of.
pub(super) fn topic(text: &str) -> Option<Topic> {
    let bare = squeezed(text);
    let decides = bare.contains("rapid") && DECISIONS.iter().any(|verb| bare.contains(verb));
    if decides || types_a_sentence(&bare) {
        return Some(Topic::Decision);
    }
    // A path is often put together from its parts.
    let alone = ["'.rapid'", "\".rapid\"", "`.rapid`"].iter().any(|name| text.contains(name));
    let named = PROTECTED.into_iter().find(|name| bare.contains(name)).or(alone.then_some(".rapid/"));
    named.map(Topic::Protected)
}

/// What a text speaks of, or what is encoded in it where something in the same text decodes.
pub(super) fn topic_in_code(text: &str) -> Option<Topic> {
    topic(text).or_else(|| decodes(text).then(|| decoded(text, 2)).flatten())
}

/// Whether it holds one of the sentences that a person types.
pub(super) fn types_a_sentence(text: &str) -> bool {
    let bare = squeezed(text);
    SENTENCES.iter().any(|sentence| bare.contains(sentence))
}

fn squeezed(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether something in a text undoes an encoding.
fn decodes(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["base64", "b64", "atob", "xxd", "unhex", "fromhex", "from_hex", "hex", "openssl", "rev", "reverse", "[::-1]"]
        .iter()
        .any(|word| lower.contains(word))
}

/// What its encoded words speak of.
fn decoded(text: &str, rounds: usize) -> Option<Topic> {
    let backwards: String = text.chars().rev().collect();
    let words =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c))).filter(|word| word.len() >= 8);
    let inner = words.flat_map(|word| [of_base64(word), of_hex(word)]).flatten();
    std::iter::once(backwards).chain(inner).find_map(|text| {
        topic(&text).or_else(|| (rounds > 0 && text.len() >= 8).then(|| decoded_words(&text, rounds - 1)).flatten())
    })
}

fn decoded_words(text: &str, rounds: usize) -> Option<Topic> {
    let words =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c))).filter(|word| word.len() >= 8);
    words
        .flat_map(|word| [of_base64(word), of_hex(word)])
        .flatten()
        .find_map(|text| topic(&text).or_else(|| (rounds > 0).then(|| decoded_words(&text, rounds - 1)).flatten()))
}

fn of_base64(word: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for c in word.trim_end_matches('=').bytes() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

fn of_hex(word: &str) -> Option<String> {
    let digits: Option<Vec<u32>> = word.chars().map(|c| c.to_digit(16)).collect();
    let bytes: Option<Vec<u8>> = digits?
        .chunks_exact(2)
        .map(|pair| u8::try_from(pair.iter().fold(0, |byte, digit| byte * 16 + digit)).ok())
        .collect();
    String::from_utf8(bytes?).ok()
}

/// The mark of an agent that code would take away or change.
pub(super) fn unmarks(code: &str) -> Option<&str> {
    const TAKES: [&str; 9] = ["pop", "del", "unset", "clear", "putenv", "env=", "environ[", "ENV[", "%ENV"];
    let name = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).find(|word| is_mark(word))?;
    (TAKES.iter().any(|word| code.contains(word)) || code.contains("env.")).then_some(name)
}

/// What stands in for a terminal in a piece of code.
pub(super) fn terminal_in_code(code: &str) -> Option<&'static str> {
    const MODULES: [&str; 10] =
        ["pty", "openpty", "forkpty", "posix_openpt", "pexpect", "ptyprocess", "ptmx", "TIOCSTI", "PTY", "Pty"];
    code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .find_map(|word| MODULES.into_iter().find(|module| *module == word))
}
