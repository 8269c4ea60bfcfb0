//! The Test Anything Protocol: splits an output into streams and judges each one.
//!
//! Only the top level counts; what stands below it is indented. A stream with node's closing block is node's. Not here:
//! the grammar of single lines ([`super::tap_line`]) and the verdict on a stream ([`super::tap_stream`]).

use super::Lines;
use super::tap_line::{Line, read};
use super::tap_stream::Stream;
use crate::check::summary::finding::Findings;

/// Finds streams.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut stream: Option<Stream> = None;
    for (at, text) in lines.iter().enumerate() {
        let line = read(text);
        let begins = match line {
            Line::Version { .. } => true,
            Line::Plan { .. } => stream.as_ref().is_none_or(Stream::is_complete),
            Line::Point { number: Some(1), .. } => stream.as_ref().is_none_or(Stream::is_complete),
            Line::Point { ok, number, .. } => stream.is_none() && (number.is_none() || !ok),
            _ => false,
        };
        if begins && let Some(before) = stream.replace(Stream::new(at)) {
            before.report(findings);
        }
        if let Some(stream) = &mut stream {
            stream.take(at, line);
        }
    }
    if let Some(stream) = stream {
        stream.report(findings);
    }
}
