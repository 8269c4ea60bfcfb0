//! The list of allowed signers, in the form that `ssh-keygen` and git read, and the list of revoked keys.
//!
//! Strict where being lenient could let somebody in: a line that is not understood refuses the whole list, and so do
//! certificates, whose authority this tool does not follow.

use super::{ssh, unusable};
use crate::diagnostics::Result;
use crate::domain::signer::matches;
use ssh_key::{HashAlg, PublicKey, public::KeyData};

/// One line: a key, its names, and when and for what it may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) names: Vec<String>,
    pub(super) key: KeyData,
    namespaces: Option<String>,
    valid_after: Option<i64>,
    valid_before: Option<i64>,
}

impl Line {
    /// Whether it lets its key sign in this namespace.
    pub(super) fn allows(&self, namespace: &str) -> bool {
        self.namespaces.as_deref().is_none_or(|list| list_holds(list, namespace))
    }

    /// Whether its key is not valid any more then, nor ever after.
    pub(super) fn is_over_at(&self, at: i64) -> bool {
        self.valid_before.is_some_and(|before| at >= before)
    }

    /// Whether its key was valid then.
    pub(super) fn holds_at(&self, at: i64) -> bool {
        self.valid_after.is_none_or(|after| at >= after) && self.valid_before.is_none_or(|before| at < before)
    }
}

/// Whether a list of patterns holds a text; one that is negated with `!` and fits decides against it.
fn list_holds(list: &str, text: &str) -> bool {
    let mut held = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(refused) if matches(refused, text) => return false,
            Some(_) => {}
            None => held |= matches(pattern, text),
        }
    }
    held
}

/// Reads a list (RAPID1446).
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Line>> {
    lines(bytes, "the list of allowed signers")?.into_iter().map(|(number, text)| line(number, text)).collect()
}

/// Reads a list of revoked keys: their fingerprints (RAPID1446).
pub(super) fn parse_revoked(bytes: &[u8]) -> Result<Vec<String>> {
    if bytes.starts_with(b"SSHKRL") {
        return Err(unusable("the revoked keys are a binary list (KRL)").hint("write one key or fingerprint a line"));
    }
    let lines = lines(bytes, "the list of revoked keys")?;
    let fingerprint = |(number, text): (usize, &str)| match text.starts_with("SHA256:") {
        true => Ok(text.split_whitespace().next().unwrap_or(text).to_owned()),
        false => key(number, text).map(|key| key.fingerprint(HashAlg::Sha256).to_string()),
    };
    lines.into_iter().map(fingerprint).collect()
}

/// The lines that say something, with their numbers.
fn lines<'a>(bytes: &'a [u8], what: &str) -> Result<Vec<(usize, &'a str)>> {
    let text = std::str::from_utf8(bytes).map_err(|_| unusable(format!("{what} is not UTF-8")))?;
    let lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    Ok(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect())
}

fn line(number: usize, text: &str) -> Result<Line> {
    let fault = |why: String| unusable(format!("line {number} of the allowed signers {why}"));
    let (names, rest) = word(text).ok_or_else(|| fault("does not end its quotes".to_owned()))?;
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(|name| name.is_empty() || name.starts_with('!') || name.chars().any(char::is_control)) {
        return Err(fault("has a name that cannot be used (empty, or with a '!')".to_owned()));
    }
    let (mut namespaces, mut valid_after, mut valid_before) = (None, None, None);
    let mut key_text = rest;
    if !starts_with_key_type(rest) {
        let (options, rest) = word(rest).ok_or_else(|| fault("does not end its quotes".to_owned()))?;
        key_text = rest;
        for option in split_options(&options) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let value = value.trim_matches('"');
            let time =
                || seconds(value).ok_or_else(|| fault(format!("has a time that is none: '{}'", value.escape_debug())));
            match name.to_ascii_lowercase().as_str() {
                "cert-authority" => {
                    return Err(fault("names an authority of certificates, and git-rapid follows none".to_owned())
                        .hint("name the keys themselves"));
                }
                "namespaces" => namespaces = Some(value.to_owned()),
                "valid-after" => valid_after = Some(time()?),
                "valid-before" => valid_before = Some(time()?),
                other => return Err(fault(format!("has an option that is not known: '{}'", other.escape_debug()))),
            }
        }
    }
    Ok(Line { names, key: key(number, key_text)?, namespaces, valid_after, valid_before })
}

fn key(number: usize, text: &str) -> Result<KeyData> {
    let key = PublicKey::from_openssh(text);
    let key = key.map_err(|error| unusable(format!("line {number} has a key that cannot be read: {error}")))?;
    match ssh::is_supported(key.key_data()) {
        true => Ok(key.key_data().clone()),
        false => {
            Err(unusable(format!("line {number} has a key of a kind that cannot be checked: {}", key.algorithm()))
                .hint(
                    "use ssh-ed25519, ecdsa-sha2-nistp256, ssh-rsa, or one of the two first on a security key (sk-…)",
                ))
        }
    }
}

/// The first word and what follows it; a word in quotes may hold blanks, and so may a value in quotes inside it.
fn word(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let mut quoted = false;
    let end = text.char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        c.is_whitespace() && !quoted
    });
    let (word, rest) = match end {
        Some((at, _)) => text.split_at(at),
        None if quoted => return None,
        None => (text, ""),
    };
    let whole = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
    Some((whole.unwrap_or(word).to_owned(), rest.trim_start()))
}

/// Options are parted by commas outside of quotes.
fn split_options(text: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = text.split(|c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    parts.collect()
}

fn starts_with_key_type(text: &str) -> bool {
    ["ssh-", "ecdsa-", "sk-"].iter().any(|start| text.starts_with(start))
}

/// `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with or without a `Z`: always in UTC, so that everybody reads the same.
fn seconds(text: &str) -> Option<i64> {
    let digits = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    let whole = matches!(digits.len(), 8 | 12 | 14) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |part| part.parse::<i64>().ok());
    let (year, month, day) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    let (hour, minute, second) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
    let right =
        whole && (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    // Days since 1970 of a date in the Gregorian calendar, with years that begin in March.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (m * 153 + 2) / 5 + day - 1 - 719_468;
    right.then_some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJhBnXAo6JJGEmO0/0zYzZr1gSx+xGbAdmXvZ0kDUdyg";

    fn one(text: &str) -> Line {
        parse(text.as_bytes()).unwrap().into_iter().next().unwrap()
    }

    #[test]
    fn times_are_utc_seconds() {
        for (text, is) in [
            ("19700101", Some(0)),
            ("19700101000001Z", Some(1)),
            ("20000301", Some(951_868_800)),
            ("202602281230", Some(1_772_281_800)),
            ("20261301", None),
            ("2026", None),
            ("2026x101", None),
        ] {
            assert_eq!(seconds(text), is, "{text}");
        }
    }

    #[test]
    fn a_line_has_names_options_and_a_key() {
        let line = one(&format!("ada@x,ada namespaces=\"git,approval@*\",valid-before=\"20300101\" {KEY} laptop"));
        assert_eq!(line.names, ["ada@x", "ada"]);
        assert!(line.allows(super::super::NAMESPACE) && line.allows("git") && !line.allows("file"));
        assert!(line.holds_at(0) && !line.holds_at(1_893_456_000));
        assert!(one(&format!("ada {KEY}")).allows("anything"));
        assert!(!one(&format!("ada namespaces=\"!approval@git-rapid,*\" {KEY}")).allows(super::super::NAMESPACE));
        assert_eq!(one(&format!("\"Ada L\" {KEY}")).names, ["Ada L"]);
        assert_eq!(parse(format!("# nobody\n\n  ada {KEY}\n").as_bytes()).unwrap().len(), 1);
    }

    #[test]
    fn what_is_not_understood_lets_nobody_in() {
        for (text, why) in [
            (format!("ada cert-authority {KEY}"), "authority"),
            (format!("ada touch-optional {KEY}"), "option"),
            (format!("ada valid-after=\"soon\" {KEY}"), "time"),
            (format!("!ada {KEY}"), "name"),
            ("ada ssh-ed25519 AAAA".to_owned(), "key"),
            (format!("ada namespaces=\"git {KEY}"), "quotes"),
        ] {
            let refused = parse(text.as_bytes()).unwrap_err();
            assert_eq!(refused.code.as_str(), "RAPID1446");
            assert!(refused.message.contains(why), "{text}: {}", refused.message);
        }
    }
}
