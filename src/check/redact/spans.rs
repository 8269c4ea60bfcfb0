//! Where secrets are, and replacing them.
//!
//! Not here: finding them (`search`).

use std::ops::Range;

use super::view::invisible;

/// A secret in some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// What it was recognised by.
    pub(super) shape: &'static str,
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text.
    pub bytes: Vec<u8>,
    /// How many secrets were replaced.
    pub count: usize,
}

/// Sorted, and overlapping ones united under the name of the one that starts first and reaches farthest.
pub(super) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.range.is_empty());
    spans.sort_by(|a, b| a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end)));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.range.start < last.range.end => last.range.end = last.range.end.max(span.range.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// The part of `bytes` with each span replaced by its name. A span that only reaches into the part is replaced as well.
pub(super) fn replace(bytes: &[u8], spans: &[Span], part: Range<usize>) -> Redacted {
    let mut kept = Vec::with_capacity(part.len());
    let mut at = part.start;
    let mut count = 0;
    for Span { range, shape } in spans.iter().filter(|span| span.range.start < part.end && span.range.end > part.start)
    {
        kept.extend_from_slice(bytes.get(at..range.start).unwrap_or_default());
        kept.extend_from_slice(format!("[redacted:{shape}]").as_bytes());
        let inside = range.start.max(part.start)..range.end.min(part.end);
        kept.extend(colours(bytes.get(inside).unwrap_or_default()));
        at = range.end;
        count += 1;
    }
    kept.extend_from_slice(bytes.get(at..part.end).unwrap_or_default());
    Redacted { bytes: kept, count }
}

/// The colour codes in a secret: left out, a colour that ends in it would never end.
fn colours(secret: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(rest) = secret.get(at..).filter(|rest| !rest.is_empty()) {
        let length = invisible(rest);
        let sequence = rest.get(..length).unwrap_or_default();
        if sequence.starts_with(b"\x1b[") && sequence.ends_with(b"m") && sequence.iter().skip(2).all(is_parameter) {
            kept.extend_from_slice(sequence);
        }
        at += length.max(1);
    }
    kept
}

fn is_parameter(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b';' | b':' | b'm')
}
