//! Text as a person reads it, with the way back to the bytes: without colour codes and other invisible sequences, and,
//! joined, without the ends of lines.
//!
//! Not here: searching. A view is made of pieces of the original, each remembered by where it starts in both, so that its
//! size is that of the text, however it is coloured.

use std::ops::Range;

/// A reading of some bytes.
#[derive(Debug)]
pub(super) struct View {
    /// What is read.
    pub(super) text: Vec<u8>,
    /// Where each piece starts: in `text`, and in the original.
    pieces: Vec<(usize, usize)>,
    /// Where in `text` the end of a line was left out.
    pub(super) joins: Vec<usize>,
}

/// The longest sequence that is taken for a terminal's; a longer one is text.
const LONGEST_SEQUENCE: usize = 4096;

impl View {
    /// The bytes as they are.
    pub(super) fn raw(bytes: &[u8]) -> View {
        View { text: bytes.to_vec(), pieces: vec![(0, 0)], joins: Vec::new() }
    }

    /// Without invisible sequences.
    pub(super) fn clean(bytes: &[u8]) -> View {
        View::read(bytes, |rest, _| invisible(rest), |_| false)
    }

    /// Without invisible sequences and without ends of lines, together with the indentation after them and a backslash
    /// before.
    pub(super) fn joined(bytes: &[u8]) -> View {
        View::read(
            bytes,
            |rest, after_break| match (invisible(rest), line_break(rest)) {
                (0, 0) if after_break => blanks(rest),
                (0, length) => length,
                (length, _) => length,
            },
            |skipped| skipped.iter().any(|byte| matches!(byte, b'\n' | b'\r')),
        )
    }

    /// Leaves out what `skip` measures at each place (it also learns whether the end of a line was just left out), and
    /// notes the places where `is_break` says so of what was left out.
    fn read(bytes: &[u8], skip: impl Fn(&[u8], bool) -> usize, is_break: impl Fn(&[u8]) -> bool) -> View {
        let mut view = View { text: Vec::with_capacity(bytes.len()), pieces: Vec::new(), joins: Vec::new() };
        let (mut at, mut piece, mut after_break) = (0, true, false);
        while let Some((byte, _)) = bytes.get(at..).and_then(<[u8]>::split_first) {
            let skipped = skip(bytes.get(at..).unwrap_or_default(), after_break);
            if skipped > 0 {
                if is_break(bytes.get(at..at + skipped).unwrap_or_default()) {
                    after_break = true;
                    if view.joins.last() != Some(&view.text.len()) {
                        view.joins.push(view.text.len());
                    }
                }
                at += skipped;
                piece = true;
                continue;
            }
            if piece {
                view.pieces.push((view.text.len(), at));
            }
            (piece, after_break) = (false, false);
            view.text.push(*byte);
            at += 1;
        }
        view
    }

    /// What of the original a range of `text` was read from, with all that was left out in between.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.at(range.start);
        let last = self.at(range.end.saturating_sub(1).max(range.start));
        first..last + usize::from(range.end > range.start)
    }

    fn at(&self, place: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, _)| *start <= place).checked_sub(1);
        let (start, original) = piece.and_then(|piece| self.pieces.get(piece)).copied().unwrap_or((0, 0));
        original + (place - start)
    }

    /// The text of a range.
    pub(super) fn get(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The places in a range, edges excluded, where the end of a line was left out.
    pub(super) fn joins_in(&self, range: &Range<usize>) -> &[usize] {
        let first = self.joins.partition_point(|join| *join <= range.start);
        let end = self.joins.partition_point(|join| *join < range.end);
        self.joins.get(first..end).unwrap_or_default()
    }

    /// Whether a line ends here.
    pub(super) fn ends_line(&self, place: usize) -> bool {
        place >= self.text.len() || self.joins.binary_search(&place).is_ok()
    }

    /// Whether a word begins here.
    pub(super) fn begins_word(&self, place: usize) -> bool {
        let before = place.checked_sub(1).and_then(|before| self.text.get(before));
        let in_word = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        !in_word || self.joins.binary_search(&place).is_ok()
    }
}

/// The length of what a terminal doesn't show at the beginning of `rest`; 0 when it shows something.
pub(super) fn invisible(rest: &[u8]) -> usize {
    match rest {
        [0x1b, b'[', tail @ ..] => 2 + control_sequence(tail),
        // Commands with a text of their own: titles, links. They end with BEL or ESC \.
        [0x1b, b']' | b'P' | b'X' | b'^' | b'_', tail @ ..] => command(tail).map_or(1, |length| 2 + length),
        // Character sets, and the few others of three bytes that exist: a stray ESC and a blank before a secret are none.
        [0x1b, b'(' | b')' | b'*' | b'+' | b'-' | b'.' | b'/', b'0'..=b'~', ..]
        | [0x1b, b'#', b'3'..=b'8', ..]
        | [0x1b, b'%', b'@' | b'G', ..] => 3,
        [0x1b, b'0'..=b'~', ..] => 2,
        [0x1b, ..] => 1,
        // Soft hyphen, zero-width space, joiners, word joiner, byte order mark.
        [0xc2, 0xad, ..] => 2,
        [0xe2, 0x80, 0x8b..=0x8d, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// The rest of `ESC [`: parameters and one final byte. Of sequences with something between them only `ESC [ n SP q` and
/// `ESC [ ! p` are known; of what is none of these only `ESC [` itself is left out, as it must not take the beginning of a
/// secret with it.
fn control_sequence(tail: &[u8]) -> usize {
    let length = tail.iter().take(LONGEST_SEQUENCE).take_while(|byte| matches!(byte, b'0'..=b'?')).count();
    match tail.get(length..) {
        Some([b'@'..=b'~', ..]) => length + 1,
        Some([b' ', b'q', ..] | [b'!', b'p', ..]) => length + 2,
        _ => 0,
    }
}

/// The rest of a command with a text; none when it doesn't end on its line.
fn command(tail: &[u8]) -> Option<usize> {
    let end = tail.iter().take(LONGEST_SEQUENCE).position(|byte| matches!(byte, 0x07 | 0x1b | b'\n'))?;
    match tail.get(end..) {
        Some([0x07, ..]) => Some(end + 1),
        Some([0x1b, b'\\', ..]) => Some(end + 2),
        _ => None,
    }
}

fn line_break(rest: &[u8]) -> usize {
    match rest {
        [b'\\', b'\r', b'\n', ..] => 3,
        [b'\\', b'\n', ..] | [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

fn blanks(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
