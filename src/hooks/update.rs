//! The lines that git gives to hooks about refs: which ref goes from where to where.

use crate::diagnostics::{Code, Result};
use crate::git::Oid;

/// A ref that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Update {
    /// Its full name where it moves. Git names refs by bytes; what is not UTF-8 is replaced, which makes it no other name that
    /// anything here asks for.
    pub(super) reference: String,
    /// Where it stands there now; `None`: it does not exist, or nobody said.
    pub(super) old: Option<Oid>,
    /// Where it shall stand; `None`: it is deleted.
    pub(super) new: Option<Oid>,
}

impl Update {
    /// The name as people say it.
    pub(super) fn short(&self) -> &str {
        let name = self.reference.as_str();
        name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/tags/")).unwrap_or(name)
    }
}

/// The lines of pre-push: local ref, local id, remote ref, remote id. What stands for the local ref is whatever the person
/// typed, blanks included, so the line is read from its end.
pub(super) fn pushed(input: &[u8]) -> Result<Vec<Update>> {
    lines(input, "pre-push", |line| {
        let mut words = line.rsplitn(4, |byte| *byte == b' ');
        let (old, reference, new) = (words.next()?, words.next()?, words.next()?);
        words.next()?;
        Some((reference, old, new))
    })
}

/// The lines of pre-receive, post-receive and reference-transaction: old id, new id, ref.
pub(super) fn moved(input: &[u8], hook: &str) -> Result<Vec<Update>> {
    lines(input, hook, |line| {
        let mut words = line.splitn(3, |byte| *byte == b' ');
        let (old, new, reference) = (words.next()?, words.next()?, words.next()?);
        Some((reference, old, new))
    })
}

/// A line's ref, old id and new id.
type Words<'a> = (&'a [u8], &'a [u8], &'a [u8]);

fn lines<'a>(input: &'a [u8], hook: &str, split: impl Fn(&'a [u8]) -> Option<Words<'a>>) -> Result<Vec<Update>> {
    let odd = |line: &[u8]| {
        Code::Rapid1614
            .because(format!("{hook} was given the line '{}'", line.escape_ascii()))
            .hint("this command is called by git; see docs/hooks.md")
    };
    let mut out = Vec::new();
    for line in input.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let (reference, old, new) = split(line).ok_or_else(|| odd(line))?;
        let id = |text: &[u8]| {
            let text = std::str::from_utf8(text).map_err(|_| odd(line))?;
            Oid::from_hex(text).map_err(|_| odd(line))
        };
        let some = |id: Oid| (!id.is_null()).then_some(id);
        let reference = String::from_utf8_lossy(reference).into_owned();
        out.push(Update { reference, old: some(id(old)?), new: some(id(new)?) });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const NONE: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn a_line_is_read_whatever_was_typed_for_the_local_ref() {
        for typed in ["refs/heads/main", "(delete)", ":/fix the bug", "HEAD~1"] {
            let read = pushed(format!("{typed} {ONE} refs/heads/x {NONE}\n").as_bytes()).unwrap();
            assert_eq!(read.len(), 1);
            assert_eq!((read[0].short(), read[0].old, read[0].new.is_some()), ("x", None, true), "{typed}");
        }
        assert_eq!(pushed(b"").unwrap(), []);
        let odd =
            [b"refs/heads/\xff ".as_slice(), ONE.as_bytes(), b" refs/heads/\xff ", NONE.as_bytes(), b"\n"].concat();
        assert_eq!(pushed(&odd).unwrap()[0].short(), "\u{fffd}");
        assert_eq!(
            moved(format!("{ONE} {NONE} refs/tags/v 1\n").as_bytes(), "x").unwrap()[0].reference,
            "refs/tags/v 1"
        );
    }

    #[test]
    fn what_git_never_gives_is_refused() {
        for odd in ["a b c", "x y refs/heads/x z", "\u{0}"] {
            assert_eq!(pushed(odd.as_bytes()).unwrap_err().code, Code::Rapid1614, "{odd:?}");
        }
        assert_eq!(moved(b"\xff", "pre-receive").unwrap_err().code, Code::Rapid1614);
    }
}
