//! Who signed: what is known of a signature that was found valid, and when two signatures are one person's.
//!
//! Not here: checking signatures (`signature`). A signer is a fact that the evaluator is given, never one it finds out.

use super::ids::EvidenceId;
use std::collections::{BTreeMap, BTreeSet};

/// Whose valid signature a piece of evidence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// The key's fingerprint.
    pub key: String,
    /// The names that the list of allowed signers gives the key, in its order; a name may be a pattern.
    pub names: Vec<String>,
    /// The key sits in a device that was touched for this signature.
    pub touch: bool,
}

/// The evidence that has a valid signature by an allowed key, and whose it is.
pub type Signed = BTreeMap<EvidenceId, Signer>;

impl Signer {
    /// The name that people know it by; the key's fingerprint where the list only gives patterns.
    pub fn name(&self) -> &str {
        self.names.iter().find(|name| !is_pattern(name)).unwrap_or(&self.key)
    }

    /// Whether both are one person's, as far as the list tells: the same key, or a name in common.
    pub fn is_also(&self, other: &Signer) -> bool {
        let shared = |name: &String| !is_pattern(name) && other.goes_by(name);
        self.key == other.key || self.names.iter().any(shared)
    }

    /// Whether one of its names is this one, or a pattern that holds it: it could be theirs, so it is taken for theirs.
    pub fn may_be(&self, name: &str) -> bool {
        self.names.iter().any(|own| matches(own, name))
    }

    /// Whether one of its names fits a pattern.
    pub fn fits(&self, pattern: &str) -> bool {
        self.names.iter().any(|own| matches(pattern, own))
    }

    fn goes_by(&self, name: &str) -> bool {
        self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// How many different people these are.
pub fn people<'a>(signers: impl IntoIterator<Item = &'a Signer>) -> Vec<&'a Signer> {
    // A later signer may tie two earlier ones together (a key that both share a name with): then they are one.
    let mut groups: Vec<Vec<&Signer>> = Vec::new();
    for signer in signers {
        let (same, mut rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|other| signer.is_also(other)));
        let mut group: Vec<&Signer> = same.into_iter().flatten().collect();
        group.push(signer);
        rest.push(group);
        groups = rest;
    }
    groups.iter().filter_map(|group| group.first().copied()).collect()
}

/// How many different people can be among these at most: as many as there are keys, and as there are names that people go by.
pub fn most_people<'a>(signers: impl IntoIterator<Item = &'a Signer>) -> usize {
    let signers: Vec<&Signer> = signers.into_iter().collect();
    let keys: BTreeSet<&str> = signers.iter().map(|signer| signer.key.as_str()).collect();
    let names: BTreeSet<String> = signers.iter().map(|signer| signer.name().to_ascii_lowercase()).collect();
    keys.len().min(names.len())
}

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether `text` fits a pattern of `*` (anything) and `?` (one character); letters in any case.
pub fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().flat_map(char::to_lowercase).collect();
    let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    // Where the newest `*` stands, and how much of the text it holds: going back there is enough.
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || text.get(read) == Some(wanted) => {
                at += 1;
                read += 1;
            }
            _ => match star {
                Some((place, held)) => {
                    star = Some((place, held + 1));
                    at = place + 1;
                    read = held + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(key: &str, names: &[&str]) -> Signer {
        Signer { key: key.to_owned(), names: names.iter().map(|name| (*name).to_owned()).collect(), touch: false }
    }

    #[test]
    fn patterns_hold_what_they_say() {
        for (pattern, text, fits) in [
            ("*@example.com", "ada@example.com", true),
            ("*@example.com", "ada@example.org", false),
            ("a?a@*", "ADA@x", true),
            ("*a*b", "xxaxxbxxb", true),
            ("*a*b", "xxaxxbx", false),
            ("", "", true),
            ("*", "", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} on {text}");
        }
    }

    #[test]
    fn two_keys_of_one_person_are_one_person() {
        let (ada, laptop, bob) =
            (signer("1", &["ada@x"]), signer("2", &["Ada@x", "ada@home"]), signer("3", &["bob@x"]));
        assert_eq!(people([&ada, &laptop]).len(), 1);
        assert_eq!(people([&ada, &bob, &laptop]).len(), 2);
        let (one, other, tie) = (signer("1", &["a@x"]), signer("2", &["b@x"]), signer("3", &["a@x", "b@x"]));
        assert_eq!(people([&one, &other]).len(), 2);
        assert_eq!(people([&one, &other, &tie]).len(), 1);
        assert_eq!(most_people([&one, &other, &tie]), 2, "the two that have nothing in common");
        assert_eq!(most_people([&ada, &laptop, &bob]), 2);
        assert_eq!(people([&signer("1", &["*@x"]), &signer("2", &["*@x"])]).len(), 2, "a pattern names nobody");
    }
}
