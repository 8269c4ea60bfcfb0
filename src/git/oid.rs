//! The id of a git object in binary form, of either hash. Records hold its digits (`domain::git_id::GitId`).

use crate::diagnostics::{Code, Result};
use crate::domain::git_id::{GitId, ObjectFormat};

/// An object id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid(pub(super) gix::ObjectId);

impl Oid {
    /// From hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Oid> {
        match gix::ObjectId::from_hex(text.as_bytes()) {
            Ok(id) => Ok(Oid(id)),
            Err(_) => Err(Code::Rapid1506.because(format!("'{}' is not the id of a git object", text.escape_debug()))),
        }
    }

    /// From the bytes of an id; `None` when their number is not that of a known hash.
    pub fn from_bytes(bytes: &[u8]) -> Option<Oid> {
        gix::ObjectId::try_from(bytes).ok().map(Oid)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// As records hold it.
    pub fn to_git_id(self) -> GitId {
        // Every id has 40 or 64 lower-case digits, so reading them back cannot fail.
        GitId::parse(&self.to_string(), Code::Rapid003).unwrap_or_else(|_| unreachable_id())
    }

    /// The id of the tree with nothing in it.
    pub fn empty_tree(format: ObjectFormat) -> Oid {
        Oid(gix::ObjectId::empty_tree(kind(format)))
    }

    /// The id of nothing: git's mark for "no such ref".
    pub fn null(format: ObjectFormat) -> Oid {
        Oid(gix::ObjectId::null(kind(format)))
    }

    /// Whether it is of the hash that names the objects of this format.
    pub fn is_of(&self, format: ObjectFormat) -> bool {
        self.0.kind() == kind(format)
    }

    /// Whether it is the id of nothing.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> String {
        self.0.to_hex_with_len(12).to_string()
    }
}

#[expect(clippy::unreachable, reason = "an object id always has 40 or 64 lower-case hexadecimal digits")]
fn unreachable_id() -> GitId {
    unreachable!()
}

impl TryFrom<&GitId> for Oid {
    type Error = crate::diagnostics::Diagnostic;

    fn try_from(id: &GitId) -> Result<Oid> {
        Oid::from_hex(id.as_str())
    }
}

impl std::fmt::Display for Oid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl std::fmt::Debug for Oid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

pub(super) fn kind(format: ObjectFormat) -> gix::hash::Kind {
    match format {
        ObjectFormat::Sha1 => gix::hash::Kind::Sha1,
        ObjectFormat::Sha256 => gix::hash::Kind::Sha256,
    }
}
