//! Paths in the ledger: what may be a name, how deep it may go, and the shards that keep directories small.

use crate::diagnostics::{Code, Result};
use crate::domain::text::is_invisible;
use unicode_normalization::UnicodeNormalization;

/// How deep a path may go.
pub const MAX_DEPTH: usize = 24;

/// How long one name may be, in bytes.
pub const MAX_NAME: usize = 255;

/// A path that may stand in the ledger or among the attachments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LedgerPath(String);

impl LedgerPath {
    /// Reads it (RAPID1515).
    pub fn parse(text: &str) -> Result<LedgerPath> {
        let parts = text.split('/');
        if text.split('/').count() > MAX_DEPTH {
            return Err(Code::Rapid1515.because(format!("'{}' goes too deep", text.escape_debug())));
        }
        for part in parts {
            if let Some(why) = bad_name(part.as_bytes()) {
                return Err(Code::Rapid1515.because(format!("'{}' {why}", text.escape_debug())));
            }
        }
        Ok(LedgerPath(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for LedgerPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a name may not stand in the ledger, if it may not.
pub fn bad_name(name: &[u8]) -> Option<&'static str> {
    // Nearly all of them: nothing below could be said of such a name.
    if is_own_spelling(name) && name.first() != Some(&b'.') && name.len() <= MAX_NAME && !name.is_empty() {
        return None;
    }
    let Ok(text) = std::str::from_utf8(name) else { return Some("has a name that is not UTF-8") };
    let lower = text.to_ascii_lowercase();
    match text {
        "" => Some("has an empty name"),
        "." | ".." => Some("has a name that leads elsewhere"),
        _ if name.len() > MAX_NAME => Some("has a name that is too long"),
        _ if lower == ".git" || lower.starts_with("git~") => Some("has git's own name in it"),
        _ if text.chars().any(|c| c.is_control() || is_invisible(c)) => {
            Some("has a name with control or invisible characters")
        }
        _ if text.contains(['\\', ':']) => Some("has a name with '\\' or ':'"),
        _ => None,
    }
}

/// What is left of a name where neither case nor Unicode's form of it counts: names that agree in it are one name to some
/// file system.
pub(super) fn spelling(name: &str) -> String {
    match name.is_ascii() {
        true => name.to_ascii_lowercase(),
        false => name.nfkc().collect::<String>().to_lowercase().nfkc().collect(),
    }
}

/// Whether a name is its own [`spelling`], as one can tell at a glance.
pub(super) fn is_own_spelling(name: &[u8]) -> bool {
    name.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.'))
}

/// The first two hexadecimal digits of the SHA-1 of an id: the directory it is filed under.
pub fn shard(id: &str) -> String {
    let mut hex = sha1_smol::Sha1::from(id.as_bytes()).digest().to_string();
    hex.truncate(2);
    hex
}
