//! Makes inputs out of seeds: small damage to bytes, lines and numbers, and pieces of other seeds. The same number gives the
//! same inputs.

/// A small generator (xorshift) and what is done with it.
pub struct Mutator {
    state: u64,
}

/// What readers of terminals, XML, JSON and secrets look out for.
const TOKENS: &[&[u8]] = &[
    b"\x1b[2K",
    b"\x1b[1A",
    b"\x1b[",
    b"\x1b]0;",
    b"\x07",
    b"\r",
    b"\x08",
    b"\0",
    b"\xff\xfe",
    b"\xe2\x80\x8b",
    b"\n\n",
    b"  ",
    b"\t",
    b"0",
    b"1",
    b"99999999999999999999",
    b"-1",
    b" passed",
    b" failed",
    b", 0 failed",
    b"ok ",
    b"not ok ",
    b"1..",
    b"# SKIP",
    b"PASS",
    b"FAIL",
    b"<failure/>",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"&amp;",
    b"<!DOCTYPE x>",
    b"</testsuite>",
    b"{\"Action\":\"pass\"}",
    b"\"",
    b"\\",
    b"{",
    b"[",
    b"=",
    b"password=",
    b"-----BEGIN PRIVATE KEY-----",
    b"[redacted:",
    b"://u:",
    b"@",
];

impl Mutator {
    /// One that starts at this number.
    pub fn new(seed: u64) -> Mutator {
        Mutator { state: seed | 1 }
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 16).unwrap() % end
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let at = self.below(all.len());
        &all[at]
    }

    /// A damaged copy of `seed`, with pieces of `other`.
    pub fn damage(&mut self, seed: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(6) {
            self.step(&mut bytes, other);
        }
        bytes.truncate(1 << 20);
        bytes
    }

    fn step(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let at = self.below(bytes.len() + 1);
        match self.below(12) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, u8::try_from(self.below(256)).unwrap()),
            3 => self.insert(bytes, at),
            4 => bytes.truncate(at),
            5 => {
                let end = (at + 1 + self.below(200)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            6 => {
                let piece = self.piece(other);
                bytes.splice(at..at, piece);
            }
            7 => self.number(bytes),
            _ => self.lines(bytes, other),
        }
    }

    fn insert(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let token = *self.one_of(TOKENS);
        bytes.splice(at..at, token.iter().copied());
    }

    fn piece(&mut self, other: &[u8]) -> Vec<u8> {
        let from = self.below(other.len() + 1);
        let end = (from + self.below(400)).min(other.len());
        other[from..end].to_vec()
    }

    /// Changes a run of digits.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
        if digits.is_empty() {
            return;
        }
        let at = *self.one_of(&digits);
        match self.below(3) {
            0 => bytes[at] = b'0' + u8::try_from(self.below(10)).unwrap(),
            1 => bytes.insert(at, b'1'),
            _ => drop(bytes.remove(at)),
        }
    }

    /// Doubles, drops, moves or takes over whole lines.
    fn lines(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if lines.is_empty() {
            return;
        }
        let (from, to) = (self.below(lines.len()), self.below(lines.len()));
        match self.below(5) {
            0 => lines.insert(to, lines[from].clone()),
            1 => drop(lines.remove(from)),
            2 => lines.swap(from, to),
            3 => lines.insert(to, self.some_lines(other)),
            _ => {
                let end = (from + 1 + self.below(5)).min(lines.len());
                lines.drain(from..end);
            }
        }
        *bytes = lines.concat();
    }

    /// Some whole lines that stand together.
    fn some_lines(&mut self, of: &[u8]) -> Vec<u8> {
        let lines: Vec<&[u8]> = of.split_inclusive(|byte| *byte == b'\n').collect();
        let from = self.below(lines.len() + 1);
        let end = (from + 1 + self.below(12)).min(lines.len());
        lines[from.min(end)..end].concat()
    }

    /// Some last lines.
    pub fn end_of(&mut self, text: &[u8]) -> Vec<u8> {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let from = lines.len() - 1 - self.below(lines.len().min(15));
        lines[from..].concat()
    }

    /// The text with `inserted`, ended as a line, before one of its lines or after them.
    pub fn with_lines(&mut self, text: &[u8], inserted: &[u8]) -> Vec<u8> {
        let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if let Some(last) = lines.last_mut().filter(|last| !last.ends_with(b"\n")) {
            last.push(b'\n');
        }
        let at = self.below(lines.len() + 1);
        let end: &[u8] = if inserted.ends_with(b"\n") { b"" } else { b"\n" };
        lines.insert(at, [inserted, end].concat());
        lines.concat()
    }
}
