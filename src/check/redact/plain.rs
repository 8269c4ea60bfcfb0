//! Whether a text is so plain that no shape of the table can be in it: a few short words, as people write them.
//!
//! Only a shortcut: the table's expressions take longer to compile than a record takes to write, and most titles and reasons
//! need none of them. When in doubt a text is not plain. Not here: names, values of variables and own patterns, which are
//! looked for in plain texts too.

/// The shortest token of the table has fifteen bytes; what is shorter is none.
const SHORTEST: usize = 12;
/// A longer word of small letters may be a token.
const LONGEST_WORD: usize = 20;
/// Parts of texts in which even a short word can be secret: what stands before it in the shapes of the table.
const BEFORE_SECRETS: [&[u8]; 11] =
    [b"auth", b"bearer", b"connection", b"cookie", b"cred", b"curl", b"key", b"login", b"machine", b"pass", b"token"];
const MORE_BEFORE_SECRETS: [&[u8]; 5] = [b"mysql", b"mariadb", b"pwd", b"secret", b"sig="];

/// Whether nothing of the table can be in a text.
pub(super) fn is_plain(text: &[u8]) -> bool {
    let printable = |byte: &u8| matches!(byte, b' '..=b'~');
    let address = text.contains(&b'@') || text.windows(3).any(|three| three == b"://");
    text.iter().all(printable)
        && !address
        && text.split(|byte| *byte == b' ').all(is_word)
        && !BEFORE_SECRETS.iter().chain(&MORE_BEFORE_SECRETS).any(|part| has(text, part))
}

/// `word`, `Word`, `v1.2.3`: short, or of small letters only.
fn is_word(word: &[u8]) -> bool {
    let letters = word.iter().skip(1).all(u8::is_ascii_lowercase) && word.iter().take(1).all(u8::is_ascii_alphabetic);
    word.len() < SHORTEST || (letters && word.len() <= LONGEST_WORD)
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}
