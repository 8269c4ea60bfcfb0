//! The lines of a text with their places, and which of them stand inside a code fence.

/// One line.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// Where it begins.
    pub start: usize,
    /// Where the next one begins.
    pub end: usize,
    /// The text without the line end.
    pub text: &'a str,
    /// Inside a code fence, or one of its two ends.
    pub fenced: bool,
}

/// Goes over the lines once.
pub(super) struct Lines<'a> {
    rest: std::str::SplitInclusive<'a, char>,
    at: usize,
    number: u32,
    fence: Option<Fence>,
}

#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        Lines { rest: text.split_inclusive('\n'), at: 0, number: 0, fence: None }
    }

    /// The line of a fence that is still open.
    pub(super) fn open_fence(&self) -> Option<u32> {
        self.fence.map(|fence| fence.line)
    }

    fn step(&mut self, text: &str) -> bool {
        let body = text.trim_start();
        let Some(mark) = body.bytes().next().filter(|mark| matches!(mark, b'`' | b'~')) else {
            return self.fence.is_some();
        };
        let length = body.bytes().take_while(|byte| *byte == mark).count();
        match self.fence {
            Some(open) => {
                let closes =
                    mark == open.mark && length >= open.length && body.trim_end().bytes().all(|byte| byte == mark);
                if closes {
                    self.fence = None;
                }
                true
            }
            // A line like ```x``` is code in a line, not a fence.
            None if length >= 3 && !(mark == b'`' && body.bytes().skip(length).any(|byte| byte == b'`')) => {
                self.fence = Some(Fence { mark, length, line: self.number });
                true
            }
            None => false,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let whole = self.rest.next()?;
        let start = self.at;
        self.at += whole.len();
        self.number += 1;
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let fenced = self.step(text);
        Some(Line { number: self.number, start, end: self.at, text, fenced })
    }
}
