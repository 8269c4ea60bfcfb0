//! Keeping what a command printed, whatever it printed: all of it to a cap, else its beginning and its end.
//!
//! Not here: running the command (`os::process`) and reading sense into its output. The memory needed depends on the cap
//! alone. The digest is of everything, also of what is left out. Some more than what is kept is remembered on both sides
//! of the gap, so that redaction sees a secret that the cut goes through.

use sha2::{Digest as _, Sha256};

use super::redact::{Redacted, Redactor};
use crate::domain::digest::Digest;

mod cut;
mod tail;
#[cfg(test)]
mod tests;

use tail::Tail;

/// As much of an output as is kept unless somebody says otherwise, in bytes.
pub const DEFAULT_CAP: usize = 256 * 1024;
/// More than is kept, on each side of the gap: longer than any secret.
const MARGIN: usize = 16 * 1024;
/// Room for the line that stands in the gap.
const MARKER: usize = 64;

/// Takes an output piece by piece.
#[derive(Debug)]
pub struct Capture {
    cap: usize,
    hasher: Sha256,
    size: u64,
    head: Vec<u8>,
    tail: Tail,
}

impl Capture {
    /// Nothing yet; at most `cap` bytes will be kept, the line in the gap included. A cap below 1 KiB is 1 KiB.
    pub fn new(cap: usize) -> Capture {
        let cap = cap.max(1024);
        Capture { cap, hasher: Sha256::new(), size: 0, head: Vec::new(), tail: Tail::new(cap / 2 + MARGIN) }
    }

    /// The next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
        self.size += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        let room = (self.cap / 2 + MARGIN).saturating_sub(self.head.len());
        let (first, rest) = piece.split_at_checked(room).unwrap_or((piece, &[]));
        self.head.extend_from_slice(first);
        self.tail.push(rest);
    }

    /// The output is over.
    pub fn finish(self) -> Captured {
        let tail = self.tail.into_bytes();
        let total = usize::try_from(self.size).unwrap_or(usize::MAX);
        let mut captured = Captured {
            sha256: Digest::from_bytes(self.hasher.finalize().into()),
            size: self.size,
            left_out: 0,
            before: self.head,
            after: Vec::new(),
            head: 0,
            tail: 0,
        };
        if total <= self.cap {
            captured.before.extend_from_slice(&tail);
            captured.head = captured.before.len();
            return captured;
        }
        let half = (self.cap - MARKER) / 2;
        // What was remembered is contiguous while it is all there is; then the part around the end reaches back into it.
        let whole = captured.before.len() + tail.len() == total;
        let missing = (half + MARGIN).saturating_sub(tail.len());
        if whole && missing > 0 {
            let from = captured.before.len().saturating_sub(missing);
            captured.after.extend_from_slice(captured.before.get(from..).unwrap_or_default());
        }
        captured.after.extend_from_slice(&tail);
        captured.head = cut::end_of_head(&captured.before, half);
        captured.tail = cut::start_of_tail(&captured.after, captured.after.len().saturating_sub(half));
        let kept = captured.head + captured.after.len() - captured.tail;
        captured.left_out = self.size - u64::try_from(kept).unwrap_or(self.size);
        captured
    }
}

/// An output that is over.
#[derive(Clone, Debug)]
pub struct Captured {
    /// SHA-256 of every byte that came, before any redaction.
    pub sha256: Digest,
    /// The number of bytes that came.
    pub size: u64,
    /// The number of bytes that are not kept.
    pub left_out: u64,
    /// The beginning, and a margin behind it.
    before: Vec<u8>,
    /// A margin, and the end.
    after: Vec<u8>,
    /// Where the kept part of `before` ends.
    head: usize,
    /// Where the kept part of `after` begins.
    tail: usize,
}

impl Captured {
    /// Whether something is not kept.
    pub fn truncated(&self) -> bool {
        self.left_out > 0
    }

    /// What is kept, as it came: for reading a summary, never for storing.
    pub fn text(&self) -> Vec<u8> {
        let head = self.before.get(..self.head).unwrap_or_default().to_vec();
        self.joined(head, self.after.get(self.tail..).unwrap_or_default())
    }

    /// What is kept, without its secrets: for storing.
    pub fn redacted(&self, redactor: &Redactor) -> Redacted {
        let head = redactor.redact_part(&self.before, 0..self.head);
        let tail = redactor.redact_part(&self.after, self.tail..self.after.len());
        Redacted { bytes: self.joined(head.bytes, &tail.bytes), count: head.count + tail.count }
    }

    fn joined(&self, mut head: Vec<u8>, tail: &[u8]) -> Vec<u8> {
        if self.truncated() {
            let separate = if head.ends_with(b"\n") { "" } else { "\n" };
            head.extend_from_slice(format!("{separate}… {} bytes left out …\n", self.left_out).as_bytes());
        }
        head.extend_from_slice(tail);
        head
    }
}
