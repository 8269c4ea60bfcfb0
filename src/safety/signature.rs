//! Error signatures: the same failure, seen again, has the same name, wherever and whenever it happened.
//!
//! What differs between two runs of the same failure is folded: colours, places of files, numbers, hexadecimal ids,
//! pointers, times, durations. Names and error codes (`E0308`) are kept: they tell failures apart.

use std::fmt;

/// How much of a text is looked at: its end, where the failure is.
const MOST_BYTES: usize = 64 * 1024;

/// Characters that end a word besides white space.
const BREAKS: &[char] = &['"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', '=', '|'];

/// A short name of a failure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(String);

impl Signature {
    /// The signature of a failure's text.
    pub fn of(text: &str) -> Signature {
        let digest = sha1_smol::Sha1::from(normalise(text)).hexdigest();
        Signature(digest.chars().take(12).collect())
    }

    /// One that was written down before.
    pub fn parse(text: &str) -> Option<Signature> {
        let good = text.len() == 12 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        good.then(|| Signature(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text with everything folded that may differ; lower case, single spaces.
pub fn normalise(text: &str) -> String {
    let text = plain(tail(text));
    let mut out = String::with_capacity(text.len());
    for word in text.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        let mut folded = String::with_capacity(word.len());
        for piece in word.split_inclusive(BREAKS) {
            let (body, mark) = match piece.chars().next_back() {
                Some(last) if BREAKS.contains(&last) => (piece.strip_suffix(last).unwrap_or(piece), Some(last)),
                _ => (piece, None),
            };
            piece_into(body, &mut folded);
            folded.extend(mark);
        }
        let folded = joined_numbers(&folded);
        // A unit that stands alone behind a number belongs to it.
        if out.ends_with('#') && is_unit(&folded) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&folded);
    }
    out.to_lowercase()
}

fn tail(text: &str) -> &str {
    let mut at = text.len().saturating_sub(MOST_BYTES);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    text.get(at..).unwrap_or(text)
}

/// Without the sequences that terminals eat.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                Some('[') => while chars.next().is_some_and(|c| !matches!(c, '\u{40}'..='\u{7e}')) {},
                Some(']') => {
                    while let Some(c) = chars.next() {
                        if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                            break;
                        }
                    }
                }
                _ => {}
            },
            c if c.is_control() && !c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn piece_into(piece: &str, out: &mut String) {
    for (index, part) in piece.split(':').enumerate() {
        if index > 0 {
            out.push(':');
        }
        match part.rfind(['/', '\\']) {
            Some(_) => {
                let name = part.rsplit(['/', '\\']).next().unwrap_or_default();
                out.push_str("<path>");
                // A file keeps its name; a folder may be anywhere.
                if name.trim_start_matches('.').contains('.') {
                    out.push('/');
                    runs_into(name, out);
                }
            }
            None => runs_into(part, out),
        }
    }
}

fn runs_into(part: &str, out: &mut String) {
    if is_uuid(part) {
        out.push('#');
        return;
    }
    let mut run = String::new();
    for c in part.chars().chain(std::iter::once('\0')) {
        if c.is_alphanumeric() {
            run.push(c);
            continue;
        }
        match is_number(&run) {
            true => out.push('#'),
            false => out.push_str(&run),
        }
        run.clear();
        if c != '\0' {
            out.push(c);
        }
    }
}

/// Numbers, with a unit or not, hexadecimal ids, pointers, the day and hour of a time stamp.
fn is_number(run: &str) -> bool {
    let bytes = run.as_bytes();
    let Some(first) = bytes.first() else { return false };
    let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if run.strip_prefix("0x").or_else(|| run.strip_prefix("0X")).is_some_and(hex) {
        return true;
    }
    if bytes.len() >= 7 && hex(run) && bytes.iter().any(u8::is_ascii_digit) {
        return true;
    }
    if !first.is_ascii_digit() {
        return false;
    }
    run.split(|c: char| c.is_ascii_digit())
        .filter(|letters| !letters.is_empty())
        .all(|letters| is_unit(letters) || matches!(letters, "T" | "Z" | "t" | "z"))
}

fn is_unit(letters: &str) -> bool {
    const UNITS: &[&str] = &[
        "ns", "us", "µs", "μs", "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes",
        "h", "hour", "hours", "d", "day", "days", "b", "kb", "mb", "gb", "kib", "mib", "gib",
    ];
    let letters = letters.trim_end_matches(['.', ':', '%']).to_lowercase();
    UNITS.contains(&letters.as_str())
}

fn is_uuid(part: &str) -> bool {
    let lengths = part.split('-').map(str::len);
    part.len() == 36
        && lengths.eq([8, 4, 4, 4, 12])
        && part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// `#-#-#` and `#:#.#` are one number.
fn joined_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, '-' | ':' | '.' | ',' | '_' | '+') && out.ends_with('#') && chars.peek() == Some(&'#') {
            chars.next();
            continue;
        }
        out.push(c);
    }
    out
}
