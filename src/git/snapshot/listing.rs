//! The names directly below a directory, from sorted paths: how both the index and a list of changes are walked as trees.

use gix::bstr::BStr;
use std::ops::Range;

/// A name in a directory. It may be a file, a directory, or (for a moment, while one replaces the other) both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Child<'p> {
    /// Its name.
    pub name: &'p [u8],
    /// The positions of the paths that are exactly this name; more than one in a conflict.
    pub here: Range<usize>,
    /// The positions of the paths below it.
    pub below: Range<usize>,
}

/// The children of a directory, by name. `range` holds the paths below it, sorted; the first `prefix` bytes of each are the
/// directory's.
pub(super) fn children<'p>(path_at: impl Fn(usize) -> &'p BStr, range: Range<usize>, prefix: usize) -> Vec<Child<'p>> {
    let rest_at = |at: usize| path_at(at).get(prefix..).unwrap_or_default();
    let mut out: Vec<Child<'p>> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = rest_at(at);
        let start = at;
        match rest.iter().position(|byte| *byte == b'/') {
            None => {
                at += 1;
                while at < range.end && rest_at(at) == rest {
                    at += 1;
                }
                out.push(Child { name: rest, here: start..at, below: 0..0 });
            }
            Some(slash) => {
                let (name, with_slash) =
                    (rest.get(..slash).unwrap_or_default(), rest.get(..=slash).unwrap_or_default());
                at = past(at, range.end, |at| rest_at(at).starts_with(with_slash));
                out.push(Child { name, here: 0..0, below: start..at });
            }
        }
    }
    out.sort_by_key(|child| child.name);
    out.dedup_by(|later, kept| {
        let same = later.name == kept.name;
        if same {
            if kept.here.is_empty() {
                kept.here = later.here.clone();
            }
            if kept.below.is_empty() {
                kept.below = later.below.clone();
            }
        }
        same
    });
    out
}

/// The first position from `from` on for which `holds` is false; it is true for none after that.
fn past(from: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, end);
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}
