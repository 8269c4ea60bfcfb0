//! A running command's output on a terminal: its colours pass, what would move the cursor or talk to the terminal does not,
//! and while it runs one line below says for how long.
//!
//! Not here: what is recorded of the output. Where the output goes to a file or a pipe nothing is taken out of it.

use super::harmless;
use super::span;
use crate::os::clock::Stopwatch;
use crate::os::terminal::{self, Stream};
use std::time::Duration;

/// How long a command runs before its line appears, and how often the line changes.
const PATIENCE: Duration = Duration::from_millis(500);
const PACE: Duration = Duration::from_millis(200);
/// A silence worth saying.
const QUIET: Duration = Duration::from_secs(5);
/// The longest sequence that is waited for: a colour is far shorter.
const LONGEST: usize = 64;
/// Goes to the start of the line and empties it.
const ERASE: &str = "\r\u{1b}[2K";
const COLUMNS: usize = 80;

/// What may reach a terminal of a command's output: its text and its colours.
#[derive(Default)]
pub(super) struct Filter {
    /// The beginning of a character or of a sequence whose rest has not come yet.
    held: Vec<u8>,
}

impl Filter {
    /// The next piece, made harmless.
    pub(super) fn pass(&mut self, piece: &[u8]) -> String {
        let mut bytes = std::mem::take(&mut self.held);
        bytes.extend_from_slice(piece);
        let whole = bytes.len() - unfinished(&bytes);
        self.held = bytes.split_off(whole);
        let text = String::from_utf8_lossy(&bytes);
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = rest.find('\u{1b}') {
            let (plain, sequence) = rest.split_at(at);
            out.push_str(&shown(plain));
            let length = colour(sequence.as_bytes()).unwrap_or(0);
            let (kept, after) = sequence.split_at(length.max(1));
            out.push_str(&if length > 0 { kept.to_owned() } else { harmless(kept) });
            rest = after;
        }
        out.push_str(&shown(rest));
        out
    }
}

/// Text without sequences. A carriage return alone would overwrite what stands there, so a new line begins instead.
fn shown(text: &str) -> String {
    harmless(&text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The length of the colour sequence that these bytes begin with: `ESC [ numbers m`.
fn colour(bytes: &[u8]) -> Option<usize> {
    let inside = bytes.strip_prefix(b"\x1b[")?;
    let length = inside.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'))?;
    (inside.get(length) == Some(&b'm')).then_some(length + 3)
}

/// How many of the last bytes may only be the beginning of something.
fn unfinished(bytes: &[u8]) -> usize {
    let last = bytes.len().min(LONGEST);
    let tail = bytes.get(bytes.len() - last..).unwrap_or_default();
    if let Some(at) = tail.iter().rposition(|byte| *byte == 0x1b) {
        let open = tail.get(at..).unwrap_or_default();
        let parameters = open.get(2..).unwrap_or_default();
        if open.get(1).is_none_or(|byte| *byte == b'[')
            && parameters.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))
        {
            return open.len();
        }
    }
    if tail.last() == Some(&b'\r') {
        return 1;
    }
    // A character of two to four bytes whose first byte is there and whose last is not.
    let lead = tail.iter().rev().take(3).position(|byte| byte & 0b1100_0000 != 0b1000_0000);
    match lead.and_then(|back| tail.get(tail.len() - 1 - back).map(|byte| (back, *byte))) {
        Some((back, 0xc0..=0xdf)) if back < 1 => back + 1,
        Some((back, 0xe0..=0xef)) if back < 2 => back + 1,
        Some((back, 0xf0..=0xf7)) if back < 3 => back + 1,
        _ => 0,
    }
}

/// The line that says that a command still runs. It is there only while the cursor stands at the beginning of a line.
pub(super) struct Progress {
    started: Stopwatch,
    printed: Stopwatch,
    drawn: Option<Stopwatch>,
    /// Whether the output is shown on the same screen; where it is not, its last line is worth showing here.
    beside: bool,
    at_start: bool,
    last: Vec<u8>,
    unended: Vec<u8>,
}

impl Progress {
    /// Of a command that starts now; nothing where standard error is no terminal that can take back a line, or where the output
    /// goes through a pipe: whoever reads it may write to the same screen.
    pub(super) fn begin(beside: bool, piped: bool) -> Option<Progress> {
        let able =
            !piped && terminal::is_terminal(Stream::Err) && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb");
        able.then(|| Progress {
            started: Stopwatch::start(),
            printed: Stopwatch::start(),
            drawn: None,
            beside,
            at_start: true,
            last: Vec::new(),
            unended: Vec::new(),
        })
    }

    /// A piece of output came; an empty one says that none did.
    pub(super) fn saw(&mut self, piece: &[u8]) {
        let Some(end) = piece.last() else { return };
        self.printed = Stopwatch::start();
        self.at_start = !self.beside || *end == b'\n';
        if !self.beside {
            for part in piece.split_inclusive(|byte| *byte == b'\n') {
                let room = 4 * COLUMNS - self.unended.len().min(4 * COLUMNS);
                self.unended.extend(part.iter().filter(|byte| **byte != b'\n').take(room));
                if part.ends_with(b"\n") {
                    let line = std::mem::take(&mut self.unended);
                    if !line.trim_ascii().is_empty() {
                        self.last = line;
                    }
                }
            }
        }
    }

    /// What takes the line away; empty when it is not there.
    pub(super) fn erased(&mut self) -> &'static str {
        if self.drawn.take().is_some() { ERASE } else { "" }
    }

    /// The line, when it is time for it.
    pub(super) fn line(&mut self) -> Option<String> {
        let due = self.drawn.is_none_or(|since| since.elapsed() >= PACE);
        if !self.at_start || !due || self.started.elapsed() < PATIENCE {
            return None;
        }
        self.drawn = Some(Stopwatch::start());
        let mut text = format!("running for {}", span(self.started.elapsed()));
        if self.printed.elapsed() >= QUIET {
            text.push_str(&format!(", silent for {}", span(self.printed.elapsed())));
        }
        if !self.beside {
            let last = String::from_utf8_lossy(&self.last);
            text.push_str(&format!(": {}", harmless(&last.replace(['\r', '\t'], " "))));
        }
        let width = terminal::width(Stream::Err).unwrap_or(COLUMNS).saturating_sub(1);
        Some(format!("{ERASE}{}", text.chars().take(width).collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    fn whole(text: &[u8]) -> String {
        let mut filter = Filter::default();
        filter.pass(text)
    }

    #[test]
    fn colours_pass_and_nothing_else_is_obeyed() {
        assert_eq!(whole(b"\x1b[1;32mok\x1b[0m \x1b[38:5:9mx\x1b[m\r\n"), "\x1b[1;32mok\x1b[0m \x1b[38:5:9mx\x1b[m\n");
        for hostile in
            ["\x1b]52;c;AAAA\x07", "\x1b[2J", "\x1b[1A", "\x1bc", "\u{9b}2J", "\u{202e}x", "\x08", "\x1b[?25l"]
        {
            let shown = whole(format!("{hostile}.").as_bytes());
            assert!(shown.contains("\\u{") && !shown.contains('\x1b'), "{shown:?}");
        }
        assert_eq!(whole(b"10%\r20%\r\n"), "10%\n20%\n", "nothing is overwritten");
    }

    #[test]
    fn pieces_make_no_difference() {
        let text = "ñandú \x1b[31mrojo\x1b[0m 漢字 🦀\r\nnext \x1b[2Jend\r\n".as_bytes();
        let expected = whole(text);
        for size in 1..text.len() {
            let mut filter = Filter::default();
            let shown: String = text.chunks(size).map(|piece| filter.pass(piece)).collect();
            assert_eq!(shown, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn what_never_ends_is_not_held_back_for_ever() {
        let mut filter = Filter::default();
        let shown = filter.pass(format!("\x1b[{}", "1;".repeat(100)).as_bytes());
        assert!(shown.contains("1;1;"), "{shown:?}");
        assert_eq!(filter.pass(b"\xf0\x9f"), "");
        assert_eq!(filter.pass(b"x"), "\u{fffd}x");
    }
}
