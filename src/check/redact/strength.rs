//! Whether a text looks as if it had been drawn at random, as secrets are.
//!
//! Not here: where the text stands; beside a name that says nothing, no text is judged at all. All of it is by counting:
//! kinds of characters, their spread, and whether the parts of it are words.

/// Kinds and spread of a text's bytes.
#[derive(Default)]
struct Profile {
    lower: usize,
    upper: usize,
    digits: usize,
    /// Neither letter nor digit nor one of `_ - .`, with which names are put together.
    signs: usize,
    /// Bits per byte.
    spread: f64,
}

impl Profile {
    fn of(text: &[u8]) -> Profile {
        let mut seen = [0usize; 256];
        let mut profile = Profile::default();
        for byte in text {
            if let Some(count) = seen.get_mut(usize::from(*byte)) {
                *count += 1;
            }
            match byte {
                b'a'..=b'z' => profile.lower += 1,
                b'A'..=b'Z' => profile.upper += 1,
                b'0'..=b'9' => profile.digits += 1,
                b'_' | b'-' | b'.' => {}
                _ => profile.signs += 1,
            }
        }
        let total = as_f64(text.len());
        let bits = |count: &usize| as_f64(*count) / total * (total / as_f64(*count)).log2();
        profile.spread = seen.iter().filter(|count| **count > 0).map(bits).sum();
        profile
    }

    fn kinds(&self) -> usize {
        [self.lower, self.upper, self.digits, self.signs].iter().filter(|count| **count > 0).count()
    }
}

fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// Whether a text beside a telling name is a secret and not a word, a number, a path or a piece of program.
pub(super) fn is_strong(text: &[u8]) -> bool {
    let named = is_placeholder(text) || is_path(text) || is_digest(text);
    if !(8..=4096).contains(&text.len()) || named || is_program(text) || is_words(text) {
        return false;
    }
    let profile = Profile::of(text);
    if text.iter().all(u8::is_ascii_hexdigit) {
        return text.len() >= 16 && profile.kinds() > 1 && profile.spread >= 2.5;
    }
    if profile.digits + profile.signs == 0 {
        // Letters alone: twenty with a case that changes all the time are no name.
        return text.len() >= 20 && changes_of_case(text) * 4 >= text.len();
    }
    (profile.kinds() >= 3 && profile.spread >= 2.5)
        || (profile.kinds() == 2 && text.len() >= 12 && profile.spread >= 3.0)
}

/// Whether a text after the end of a line can be more of the secret that stands before it. One that has its line for
/// itself (`alone`) is more of it unless it is made of plain words; one with something after it has to look drawn.
pub(super) fn goes_on(before: &[u8], text: &[u8], alone: bool) -> bool {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = text.get(..text.len() - padding).unwrap_or_default();
    let in_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-.~".contains(byte);
    let foreign = !body.iter().all(in_token) || is_date(body) || (is_id(body) && !ends_in_hex(before));
    if foreign || body.len() < 4 {
        return false;
    }
    if alone {
        return !body.split(|byte| !byte.is_ascii_alphanumeric()).all(is_plain);
    }
    let profile = Profile::of(body);
    let mixed = profile.digits > 0 && profile.lower + profile.upper > 0;
    body.len() >= 6 && !is_words(body) && (mixed || changes_of_case(body) > 2 || profile.digits >= 12)
}

/// `word`, `Word`, `WORD`, `12`, `v12`.
fn is_plain(part: &[u8]) -> bool {
    let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, number) = part.split_at_checked(letters).unwrap_or_default();
    let tail = word.get(1..).unwrap_or_default();
    let one_case = tail.iter().all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase);
    one_case && word.len() <= 24 && number.len() <= 4 && number.iter().all(u8::is_ascii_digit)
}

/// Whether a text stands for a secret without being one.
pub(super) fn is_placeholder(text: &[u8]) -> bool {
    const WORDS: [&str; 22] = [
        "",
        "none",
        "null",
        "nil",
        "true",
        "false",
        "undefined",
        "empty",
        "unset",
        "missing",
        "required",
        "invalid",
        "expired",
        "optional",
        "redacted",
        "hidden",
        "masked",
        "bearer",
        "basic",
        "string",
        "password",
        "secret",
    ];
    const BEGINNINGS: [&[u8]; 8] = [b"$", b"{{", b"%(", b"%{", b"<", b"[redacted", b"***", b"..."];
    let is_word = |word: &&str| text.eq_ignore_ascii_case(word.as_bytes());
    let same = |byte: u8| text.iter().all(|other| *other == byte);
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
        || WORDS.iter().any(is_word)
        || b"*xX.-_#".iter().any(|byte| same(*byte))
}

/// A path to a file is where a secret lies.
pub(super) fn is_path(text: &[u8]) -> bool {
    let slashes = text.iter().filter(|byte| **byte == b'/').count();
    let begins = |beginning: &[u8]| text.starts_with(beginning);
    begins(b"./") || begins(b"../") || begins(b"~/") || (begins(b"/") && slashes > 1) || text.get(1..3) == Some(b":\\")
}

/// `sha256:…`: it says itself that it is a digest.
pub(super) fn is_digest(text: &[u8]) -> bool {
    const KINDS: [&str; 8] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake3"];
    let kind = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (kind, rest) = text.split_at_checked(kind).unwrap_or_default();
    KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known.as_bytes()))
        && matches!(rest, [b':' | b'-', digest @ ..] if digest.len() >= 16)
}

/// `8-4-4-4-12` hexadecimal digits.
pub(super) fn is_uuid(text: &[u8]) -> bool {
    let lengths: Vec<usize> = text.split(|byte| *byte == b'-').map(<[u8]>::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Calls, places in lists, paths of names, addresses.
fn is_program(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b' ' | b'\t'))
        || text.windows(2).any(|pair| pair == b"::" || pair == b"->" || pair == b"=>" || pair == b"//")
}

/// Words and small numbers put together with signs or capitals: names, versions, dates, fields, paths.
pub(super) fn is_words(text: &[u8]) -> bool {
    text.split(|byte| matches!(byte, b'_' | b'-' | b'.' | b'/' | b':')).all(is_part)
}

/// A part of such a text: few digits, and words of three letters and more on average, or next to nothing.
fn is_part(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let few_digits = digits <= if letters == 0 { 6 } else { 3 };
    // Letters that are drawn make words that are too long, too short, or can't be spoken.
    let words = words_in(part);
    let few = letters >= 3 * words && letters <= 24 * words;
    let like_words = few && (words < 4 || (letters >= 4 * words && consonants_in_a_row(part) < 7));
    digits + letters == part.len() && few_digits && (part.len() <= 3 || like_words)
}

/// The words in `camelCase`, `HTTPServer`, `oauth2client`: each begins after a digit, or with a capital that follows a
/// small letter or that a small letter follows.
fn words_in(part: &[u8]) -> usize {
    let first = usize::from(part.first().is_some_and(u8::is_ascii_alphabetic));
    let begins = |place: usize| {
        let at = |place: usize| part.get(place).copied().unwrap_or(b' ');
        let (before, this, after) = (at(place - 1), at(place), at(place + 1));
        let capital = this.is_ascii_uppercase() && (before.is_ascii_lowercase() || after.is_ascii_lowercase());
        this.is_ascii_alphabetic() && (!before.is_ascii_alphabetic() || capital)
    };
    first + (1..part.len()).filter(|place| begins(*place)).count()
}

fn consonants_in_a_row(part: &[u8]) -> usize {
    let is_other = |byte: &u8| !byte.is_ascii_alphabetic() || b"aeiouyAEIOUY".contains(byte);
    part.split(is_other).map(<[u8]>::len).max().unwrap_or(0)
}

/// A day, as logs begin their lines with it.
fn is_date(text: &[u8]) -> bool {
    let shape: Vec<u8> = text.iter().take(10).map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect();
    shape == b"9999-99-99" || shape == b"9999/99/99"
}

/// A git id, short or whole, a digest, a UUID: at the beginning of a line it is the line's own.
fn is_id(text: &[u8]) -> bool {
    let hex = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let parts: Vec<&[u8]> = text.split(|byte| *byte == b'-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    parts.into_iter().all(hex) && matches!(lengths.as_slice(), [7..=12 | 32 | 40 | 64] | [8, 4, 4, 4, 12])
}

/// After hexadecimal digits, more of them are no id.
fn ends_in_hex(text: &[u8]) -> bool {
    text.last_chunk::<8>().is_some_and(|last| last.iter().all(u8::is_ascii_hexdigit))
}

fn changes_of_case(text: &[u8]) -> usize {
    text.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() != b.is_ascii_lowercase())).count()
}
