//! What the bytes of a file say about line endings, and what the attributes of a path say about its bytes: together,
//! whether a file goes into git as it lies there.

use std::io::Read;

/// What attributes and settings do to the bytes of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Nothing.
    None,
    /// Line endings, of what looks like text.
    Auto,
    /// Line endings, whatever it looks like.
    Text,
    /// More than line endings.
    Other,
    /// The encoding, besides whatever else: only git knows.
    Encoding,
}

/// What a file's bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// No line ends in CR LF: no rule for line endings changes it.
    Plain,
    /// Some line does, but no guess would take the file for text.
    Binary,
    /// Some line does, and it may be text.
    Other,
}

impl Content {
    /// Whether bytes like these are the same after the conversion.
    pub(super) fn stays(self, conversion: Conversion) -> bool {
        match conversion {
            Conversion::None => true,
            Conversion::Auto => self != Content::Other,
            Conversion::Text => self == Content::Plain,
            Conversion::Other | Conversion::Encoding => false,
        }
    }

    /// As a file holds it.
    pub(super) fn as_byte(self) -> u8 {
        match self {
            Content::Plain => b'p',
            Content::Binary => b'b',
            Content::Other => b'o',
        }
    }

    /// From what a file holds.
    pub(super) fn from_byte(byte: u8) -> Option<Content> {
        [Content::Plain, Content::Binary, Content::Other].into_iter().find(|content| content.as_byte() == byte)
    }
}

/// Looks at bytes as they pass by.
pub(super) struct Watched<R> {
    source: R,
    last: u8,
    crlf: bool,
    nul: bool,
}

impl<R> Watched<R> {
    pub(super) fn new(source: R) -> Watched<R> {
        Watched { source, last: 0, crlf: false, nul: false }
    }

    /// What they were, now that all have passed.
    pub(super) fn content(&self) -> Content {
        match (self.crlf, self.nul) {
            (false, _) => Content::Plain,
            (true, true) => Content::Binary,
            (true, false) => Content::Other,
        }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        use gix::bstr::ByteSlice;
        let count = self.source.read(buffer)?;
        let bytes = buffer.get(..count).unwrap_or_default();
        self.crlf |= (self.last == b'\r' && bytes.first() == Some(&b'\n')) || bytes.find(b"\r\n").is_some();
        self.nul |= bytes.find_byte(0).is_some();
        self.last = bytes.last().copied().unwrap_or(self.last);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(bytes: &[u8], step: usize) -> Content {
        let mut watched = Watched::new(bytes);
        while watched.read(&mut vec![0; step]).unwrap() > 0 {}
        watched.content()
    }

    #[test]
    fn a_line_end_is_seen_across_pieces() {
        for step in 1..6 {
            assert_eq!(content(b"a\r\nb", step), Content::Other, "{step}");
            assert_eq!(content(b"a\r\nb\0", step), Content::Binary, "{step}");
            assert_eq!(content(b"a\rb\n\0", step), Content::Plain, "{step}");
            assert_eq!(content(b"", step), Content::Plain, "{step}");
        }
    }

    #[test]
    fn only_what_no_rule_would_change_stays() {
        use Conversion::{Auto, Encoding, None, Other, Text};
        assert!(!Content::Plain.stays(Encoding));
        let stays = |content: Content| [None, Auto, Text, Other].map(|conversion| content.stays(conversion));
        assert_eq!(stays(Content::Plain), [true, true, true, false]);
        assert_eq!(stays(Content::Binary), [true, true, false, false]);
        assert_eq!(stays(Content::Other), [true, false, false, false]);
        for content in [Content::Plain, Content::Binary, Content::Other] {
            assert_eq!(Content::from_byte(content.as_byte()), Some(content));
        }
        assert_eq!(Content::from_byte(b'x'), Option::None);
    }
}
