//! The name of a git object as records hold it: hexadecimal digits of a SHA-1 or SHA-256 repository.
//!
//! Only a name: what it names is known to the `git` room. It never replaces a SHA-256 digest (`digest`).

use super::json::Value;
use crate::diagnostics::{Code, Result};

/// Which hash names the objects of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectFormat {
    /// 40 digits.
    Sha1,
    /// 64 digits.
    Sha256,
}

impl ObjectFormat {
    /// As git and the contract write it.
    pub fn as_str(self) -> &'static str {
        match self {
            ObjectFormat::Sha1 => "sha1",
            ObjectFormat::Sha256 => "sha256",
        }
    }

    /// Reads what [`ObjectFormat::as_str`] writes.
    pub fn parse(text: &str, code: Code) -> Result<ObjectFormat> {
        match text {
            "sha1" => Ok(ObjectFormat::Sha1),
            "sha256" => Ok(ObjectFormat::Sha256),
            _ => Err(code.because(format!("object format '{text}' is not known"))),
        }
    }

    /// How many hexadecimal digits an id has.
    pub fn digits(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 40,
            ObjectFormat::Sha256 => 64,
        }
    }
}

/// The id of a commit, tree or blob.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GitId(String);

impl GitId {
    /// Reads 40 or 64 lower-case hexadecimal digits; a fault has the code of the object that holds it.
    pub fn parse(text: &str, code: Code) -> Result<GitId> {
        let digits = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        match text.len() {
            40 | 64 if digits => Ok(GitId(text.to_owned())),
            _ => Err(code.because(format!("'{text}' is not the id of a git object"))),
        }
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The format whose ids are this long.
    pub fn format(&self) -> ObjectFormat {
        if self.0.len() == ObjectFormat::Sha1.digits() { ObjectFormat::Sha1 } else { ObjectFormat::Sha256 }
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl std::fmt::Display for GitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&GitId> for Value {
    fn from(id: &GitId) -> Value {
        Value::Text(id.0.clone())
    }
}
