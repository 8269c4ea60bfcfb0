//! The part of an output that is read for its summary, collected while the command runs.
//!
//! Not here: what is kept of the output (`capture`) and what the summary means (`summary`). An output longer than [`READ`] is
//! read beside the command as soon as no more of it will be, so that nobody waits for the reading afterwards.

use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};

use super::summary::Found;

/// As much of an output as is read for its summary, in bytes; beyond it the summary does not count, since what was not read may
/// hold a failure. A report that the command writes (`--junit`) has no such bound.
pub const READ: usize = 16 << 20;

/// From here on, in bytes, an output is taken for a long one.
const LONG: usize = 1 << 20;

/// As many lines of it are read: millions of empty ones take more memory than the output itself.
const LINES: usize = 1 << 20;

/// The part of an output that is read: its first [`READ`] bytes, and of these its first million lines.
pub fn readable(output: &[u8]) -> &[u8] {
    let most = output.get(..READ).unwrap_or(output);
    most.get(..end_of_lines(most, LINES)).unwrap_or(most)
}

/// Where the line of this number ends, or all of it.
fn end_of_lines(bytes: &[u8], lines: usize) -> usize {
    if count_lines(bytes) <= lines {
        return bytes.len();
    }
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| ends_line(**byte)).map(|(at, _)| at + 1);
    lines.checked_sub(1).map_or(0, |before| ends.nth(before).unwrap_or(bytes.len()))
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| ends_line(**byte)).count()
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// An output that still grows.
pub struct Reading<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    command: &'scope [String],
    output: Arc<Vec<u8>>,
    /// How many lines it has.
    lines: usize,
    /// Reads the output already, which does not grow any more.
    ahead: Option<ScopedJoinHandle<'scope, Found>>,
    cut: bool,
}

/// What was read.
pub struct Read {
    /// What is [`readable`] of the output.
    pub output: Arc<Vec<u8>>,
    /// Whether there was more.
    pub cut: bool,
    /// What stands in it.
    pub found: Found,
}

impl<'scope, 'env> Reading<'scope, 'env> {
    /// Nothing yet, of this command.
    pub fn new(scope: &'scope Scope<'scope, 'env>, command: &'scope [String]) -> Self {
        Reading { scope, command, output: Arc::default(), lines: 0, ahead: None, cut: false }
    }

    /// The next piece.
    pub fn push(&mut self, piece: &[u8]) {
        if self.cut {
            return;
        }
        // Nobody else has it before it is cut.
        let Some(output) = Arc::get_mut(&mut self.output) else { return };
        let room = READ.saturating_sub(output.len());
        let kept = piece.get(..room).unwrap_or(piece);
        let kept = kept.get(..end_of_lines(kept, LINES - self.lines)).unwrap_or(kept);
        self.lines += count_lines(kept);
        if output.len() < LONG && output.len() + kept.len() >= LONG {
            // Room for all that will be read, of which only what is written is ever taken: a buffer that grows is there twice in between.
            output.reserve_exact(READ);
        }
        output.extend_from_slice(kept);
        if piece.len() > kept.len() {
            self.cut = true;
            let (output, command) = (Arc::clone(&self.output), self.command);
            let reader = std::thread::Builder::new().name("summary".to_owned());
            // Where no thread can be had it is read at the end.
            self.ahead = reader.spawn_scoped(self.scope, move || Found::read(&output, command)).ok();
        }
    }

    /// The output is over.
    pub fn finish(self) -> Read {
        let found = self.ahead.and_then(|reader| reader.join().ok());
        let found = found.unwrap_or_else(|| Found::read(&self.output, self.command));
        Read { output: self.output, cut: self.cut, found }
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, READ, Reading, readable};
    use crate::check::summary::{Input, Summary, recognise};

    fn read(output: &[u8], piece: usize) -> (Summary, usize, bool) {
        let command = ["pytest".to_owned()];
        let read = std::thread::scope(|scope| {
            let mut reading = Reading::new(scope, &command);
            output.chunks(piece).for_each(|piece| reading.push(piece));
            reading.finish()
        });
        let input = Input { output: &read.output, exit_code: 0, command: &command, truncated: read.cut };
        (read.found.conclude(&input), read.output.len(), read.cut)
    }

    #[test]
    fn reading_ahead_reads_the_same() {
        let mut output =
            b"FAILED tests/a.py::test_x - assert 1 == 2\n===== 1 failed, 2 passed in 0.10s =====\n".to_vec();
        let short = output.len();
        let whole = |output: &[u8]| {
            let command = ["pytest".to_owned()];
            let kept = readable(output);
            recognise(&Input { output: kept, exit_code: 0, command: &command, truncated: kept.len() < output.len() })
        };
        assert_eq!(read(&output, 7), (whole(&output), short, false));
        output.resize(READ, b' ');
        assert_eq!(read(&output, 65_536), (whole(&output), READ, false), "the last byte that is read");
        output.push(b' ');
        assert_eq!(read(&output, 65_536), (whole(&output), READ, true), "one more");
        output.resize(READ + 300_000, b'\n');
        assert_eq!(read(&output, 65_537), (whole(&output), READ, true));
    }

    #[test]
    fn a_million_lines_are_read() {
        let mut output = vec![b'\n'; LINES];
        assert_eq!((readable(&output).len(), read(&output, 65_537).1), (LINES, LINES));
        output.extend_from_slice(b"1 passed\n");
        assert_eq!((readable(&output).len(), read(&output, 65_537).1), (LINES, LINES));
        assert!(read(&output, 65_537).2, "there was more");
    }
}
