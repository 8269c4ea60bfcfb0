//! The last so many bytes of a stream.
//!
//! Not here: cutting it to lines (`cut`). A ring would do; a buffer that grows to twice the size and is then moved to its
//! front needs no arithmetic of places and copies each byte at most twice.

/// Remembers the last `limit` bytes; holds at most three times as many.
#[derive(Debug)]
pub(super) struct Tail {
    limit: usize,
    bytes: Vec<u8>,
}

impl Tail {
    pub(super) fn new(limit: usize) -> Tail {
        Tail { limit, bytes: Vec::new() }
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece.get(piece.len().saturating_sub(self.limit)..).unwrap_or_default());
        if self.bytes.len() > self.limit * 2 {
            self.drop_old();
        }
    }

    /// The last `limit` bytes, or all when there were fewer.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.drop_old();
        self.bytes
    }

    /// The memory that is held, in bytes.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    fn drop_old(&mut self) {
        self.bytes.drain(..self.bytes.len().saturating_sub(self.limit));
    }
}
