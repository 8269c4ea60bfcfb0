//! SHA-256 digests of canonical JSON, texts and raw bytes. Git object ids are another thing (`git_id`) and never stand in.

use super::json::Value;
use crate::diagnostics::{Code, Result};
use sha2::{Digest as _, Sha256};

/// 64 lower-case hexadecimal digits, as 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Of raw bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Of the canonical-UTF8 form.
    pub fn of_value(value: &Value) -> Digest {
        Digest::of(value.canonical().as_bytes())
    }

    /// Of the canonical-ASCII form (spec revisions only).
    pub fn of_value_ascii(value: &Value) -> Digest {
        Digest::of(value.canonical_ascii().as_bytes())
    }

    /// From an already computed SHA-256.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// Reads 64 lower-case hexadecimal digits; a fault has the code of the object that holds it.
    pub fn parse(text: &str, code: Code) -> Result<Digest> {
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let whole = pairs.len() == bytes.len() && rest.is_empty();
        let digit = |d: u8| match d {
            b'0'..=b'9' => Some(d - b'0'),
            b'a'..=b'f' => Some(d - b'a' + 10),
            _ => None,
        };
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) if whole => *byte = high << 4 | low,
                _ => return Err(code.because(format!("'{text}' is not a SHA-256 digest"))),
            }
        }
        if whole { Ok(Digest(bytes)) } else { Err(code.because(format!("'{text}' is not a SHA-256 digest"))) }
    }
}

/// A record together with the digest of all that it says.
pub fn sealed(body: Value) -> Value {
    let digest = Digest::of_value(&body);
    body.with("content_digest", digest)
}

/// The digest of a text that is still growing.
#[derive(Clone, Default)]
pub(crate) struct Running(Sha256);

impl Running {
    /// Adds to the text.
    pub(crate) fn add(&mut self, text: &str) {
        self.0.update(text);
    }

    /// The digest, were the text to end with `tail`.
    pub(crate) fn with(&self, tail: &str) -> Digest {
        let mut whole = self.0.clone();
        whole.update(tail);
        Digest(whole.finalize().into())
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut digits = [0; 64];
        for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [byte >> 4, byte & 15].map(|digit| digit + if digit < 10 { b'0' } else { b'a' - 10 });
        }
        f.write_str(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl From<Digest> for Value {
    fn from(digest: Digest) -> Value {
        Value::Text(digest.to_string())
    }
}
