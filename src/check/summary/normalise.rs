//! Turns raw terminal bytes into plain lines: escape sequences removed, line ends unified, trailing blanks dropped.
//!
//! Not a terminal: nothing is redrawn or overwritten. A lone carriage return starts a new line, so that text a terminal
//! would have hidden stays visible to the runners' patterns.

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// The text without escape sequences, with `\n` as the only line end. Bytes that are no UTF-8 become U+FFFD.
pub(super) fn clean(raw: &[u8]) -> String {
    let mut kept = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.iter().position(|byte| matches!(*byte, ESCAPE | b'\r')) {
        let (plain, special) = rest.split_at(at);
        kept.extend_from_slice(plain);
        let after = special.get(1..).unwrap_or_default();
        rest = match special.first() {
            Some(&ESCAPE) => after_escape(after),
            _ => {
                if after.first() != Some(&b'\n') {
                    kept.push(b'\n');
                }
                after
            }
        };
    }
    kept.extend_from_slice(rest);
    String::from_utf8(kept).unwrap_or_else(|error| replaced(error.as_bytes()))
}

/// What is no UTF-8 replaced, in as much room as that takes.
fn replaced(bytes: &[u8]) -> String {
    const MARK: char = char::REPLACEMENT_CHARACTER;
    let room = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.valid().len() + if chunk.invalid().is_empty() { 0 } else { MARK.len_utf8() }
    };
    let mut text = String::with_capacity(bytes.utf8_chunks().map(room).sum());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(MARK);
        }
    }
    text
}

/// The lines of cleaned text without their trailing blanks.
pub(super) fn lines(clean: &str) -> Vec<&str> {
    // As many as there are: a list of a million that grows is there twice in between.
    let mut lines = Vec::with_capacity(clean.bytes().filter(|byte| *byte == b'\n').count() + 1);
    lines.extend(clean.split('\n').map(|line| line.trim_end_matches([' ', '\t'])));
    lines
}

/// What follows the escape sequence whose ESC has just been read. A sequence that is not complete within its line loses
/// only its first bytes: no escape can make a following line disappear.
fn after_escape(rest: &[u8]) -> &[u8] {
    match rest.split_first() {
        Some((b']', tail)) => after_title(tail),
        Some((b'[', tail)) => after_control(tail),
        Some((b'(' | b')' | b'*' | b'+', tail)) => match tail.split_first() {
            Some((0x20..=0x7e, after)) => after,
            _ => tail,
        },
        Some((0x20..=0x7e, tail)) => tail,
        _ => rest,
    }
}

/// After an operating system command (`ESC ] … BEL` or `ESC ] … ESC \`), or right here when it does not end on this line.
fn after_title(text: &[u8]) -> &[u8] {
    let Some(end) = text.iter().position(|byte| matches!(*byte, BELL | ESCAPE | b'\n' | b'\r')) else {
        return text;
    };
    match text.get(end..) {
        Some([BELL, after @ ..] | [ESCAPE, b'\\', after @ ..]) => after,
        _ => text,
    }
}

/// After a control sequence (`ESC [ parameters final`), or right here when its final byte is missing. Of sequences with
/// bytes between parameters and final byte only `ESC [ n SP q` is one: an unfinished sequence must not swallow the
/// number and the blank that begin the next tool's summary.
fn after_control(text: &[u8]) -> &[u8] {
    let parameters = text.iter().position(|byte| !matches!(*byte, 0x30..=0x3f));
    match parameters.and_then(|end| text.get(end..)) {
        Some([0x40..=0x7e, after @ ..] | [b' ', b'q', after @ ..]) => after,
        _ => text,
    }
}
