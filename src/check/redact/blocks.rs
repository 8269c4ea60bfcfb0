//! Private keys in text form: PEM, OpenSSH, PGP and PuTTY, whole or cut off at either end.
//!
//! Not here: public keys and certificates, which are meant to be seen. A mere mention of the first line, without a key
//! after it, is left alone. The marks are collected in one pass and then paired, so that text full of first lines costs
//! no more than any other.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

/// The longest block that is taken whole because it has both marks; an RSA key of 16,384 bits has 13 KiB.
const LONGEST: usize = 32 * 1024;
/// The shortest run that is taken for a line of a key.
const LINE: usize = 16;

const MARKS: &str =
    r"-{4,5} ?(?:(BEGIN)|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|(Private-Lines: ?[0-9]{1,4})";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Begin,
    End,
    Putty,
}

/// The ranges of private keys in a text.
pub(super) fn find(text: &[u8]) -> Vec<Range<usize>> {
    let marks = marks(text);
    let closing = closing(&marks);
    // The last line before which there is no key, so that not every first line before it is looked at again.
    let mut barren = None;
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some((mark, range)) = marks.get(at) {
        let end = closing.get(at).and_then(Option::as_ref);
        at += 1;
        let floor = found.last().map_or(0, |last| last.end);
        if range.start < floor {
            continue;
        }
        let whole = match (mark, end) {
            (Mark::Begin, Some(end)) if barren != Some(end.start) && end.start - range.end <= LONGEST => {
                let whole = closed(text, range.start..end.end, range.end..end.start);
                barren = whole.is_none().then_some(end.start);
                whole
            }
            _ => None,
        };
        found.extend(whole.or_else(|| match mark {
            Mark::Begin | Mark::Putty => forward(text, range),
            Mark::End => backward(text, range, floor),
        }));
    }
    found
}

fn marks(text: &[u8]) -> Vec<(Mark, Range<usize>)> {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let Some(pattern) = PATTERN.get_or_init(|| RegexBuilder::new(MARKS).unicode(false).build().ok()) else {
        return Vec::new();
    };
    let mark = |found: regex::bytes::Captures<'_>| {
        let range = found.get(0)?.range();
        Some(match (found.get(1), found.get(2)) {
            (Some(_), _) => (Mark::Begin, range),
            (_, Some(_)) => (Mark::Putty, range),
            _ => (Mark::End, range),
        })
    };
    pattern.captures_iter(text).filter_map(mark).collect()
}

/// For each mark, the next last line at or after it. Whatever first lines stand in between, the nearest last line is
/// taken: text about keys may stand before a key.
fn closing(marks: &[(Mark, Range<usize>)]) -> Vec<Option<Range<usize>>> {
    let mut next = None;
    let mut closing: Vec<_> = marks
        .iter()
        .rev()
        .map(|(mark, range)| {
            next = if *mark == Mark::End { Some(range.clone()) } else { next.clone() };
            next.clone()
        })
        .collect();
    closing.reverse();
    closing
}

/// A block with both marks and something like a key in between, whatever stands before its lines.
fn closed(text: &[u8], whole: Range<usize>, body: Range<usize>) -> Option<Range<usize>> {
    let body = text.get(body)?;
    let longest = body.split(|byte| !is_key(byte)).map(<[u8]>::len).max().unwrap_or(0);
    (longest >= LINE).then_some(whole)
}

/// A block without its end: as far as there are lines of a key.
fn forward(text: &[u8], mark: &Range<usize>) -> Option<Range<usize>> {
    let mut end = mark.end;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let gap = gap(rest);
        let rest = rest.get(gap..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| is_key(byte)).count();
        let header = header(rest);
        match (run >= LINE, header) {
            (true, _) => end += gap + run,
            (false, Some(length)) => end += gap + length,
            (false, None) => break,
        }
    }
    (end > mark.end).then_some(mark.start..end)
}

/// A block without its beginning: the lines of a key before its last mark.
fn backward(text: &[u8], mark: &Range<usize>, floor: usize) -> Option<Range<usize>> {
    let before = text.get(floor..mark.start).unwrap_or_default();
    let mut start = mark.start;
    let mut long = false;
    for (nth, line) in before.rsplit(|byte| *byte == b'\n').enumerate() {
        let body = line.trim_ascii();
        // What stands before the mark on its own line is empty; the line above may be short, being the key's last.
        let fits = body.iter().all(is_key) && (body.len() >= LINE || nth <= 1 || (nth == 2 && !long));
        if !fits || (nth > 0 && body.is_empty()) {
            break;
        }
        long |= body.len() >= LINE;
        start = start.saturating_sub(line.len() + usize::from(nth > 0));
    }
    long.then_some(start..mark.end)
}

/// What stands between the lines of a key: blanks, quotes, `\n` written out, the `+` and `,` of a program's text.
fn gap(rest: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += match rest.get(length..) {
            Some([b'\\', b'n' | b'r' | b't', ..]) => 2,
            Some([b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b',' | b'\\', ..]) => 1,
            _ => return length,
        };
    }
}

/// `Proc-Type: 4,ENCRYPTED`, `DEK-Info: …`, `Comment: …`, `Version: …`.
fn header(rest: &[u8]) -> Option<usize> {
    const NAMES: [&[u8]; 5] = [b"Proc-Type:", b"DEK-Info:", b"Comment:", b"Version:", b"Private-MAC:"];
    NAMES
        .iter()
        .any(|name| rest.starts_with(name))
        .then(|| rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\\')).count())
}

fn is_key(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
