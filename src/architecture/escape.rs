//! What a text literal says once its escapes are read. An import that is spelt with escapes imports all the same.

/// The text with its escapes read; what is no escape stands for itself.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\n') | None => {}
            Some('x') => out.extend(code_point(&mut rest, 2)),
            Some('u') if rest.peek() == Some(&'{') => {
                rest.next();
                out.extend(code_point(&mut rest, 8));
                if rest.peek() == Some(&'}') {
                    rest.next();
                }
            }
            Some('u') => out.extend(code_point(&mut rest, 4)),
            Some('U') => out.extend(code_point(&mut rest, 8)),
            Some(other) => out.push(other),
        }
    }
    out
}

fn code_point(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, most: u32) -> Option<char> {
    let mut number = 0_u32;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)) else { break };
        number = number.wrapping_mul(16).wrapping_add(digit);
        rest.next();
    }
    char::from_u32(number)
}
