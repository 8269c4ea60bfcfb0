//! What a shell makes of text before it runs it: braces, escapes, what a command prints. Text in, text out.
//!
//! Not here: quotes and words (`shell`).

use super::Simple;

/// The most words that braces are written out to; beyond that they stay as they are.
const MOST: usize = 64;

/// `a{b,c}d` as the words that it stands for.
pub(super) fn braces(word: &str) -> Vec<String> {
    let mut open = vec![word.to_owned()];
    let mut done = Vec::new();
    while let Some(word) = open.pop() {
        match split(&word) {
            Some((before, parts, after)) if open.len() + done.len() + parts.len() <= MOST => {
                open.extend(parts.iter().rev().map(|part| format!("{before}{part}{after}")));
            }
            _ => done.push(word),
        }
    }
    done.retain(|word| !word.is_empty());
    done
}

/// The first group of braces that holds a comma: what is before it, its parts, what is after.
fn split(word: &str) -> Option<(&str, Vec<&str>, &str)> {
    word.match_indices('{').find_map(|(open, _)| {
        let (mut depth, mut from, mut parts) = (0_usize, open + 1, Vec::new());
        for (at, c) in word.char_indices().skip_while(|(at, _)| *at < open) {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => {
                    parts.push(word.get(from..at)?);
                    return (parts.len() > 1).then(|| {
                        (word.get(..open).unwrap_or_default(), parts, word.get(at + 1..).unwrap_or_default())
                    });
                }
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => {
                    parts.push(word.get(from..at)?);
                    from = at + 1;
                }
                _ => {}
            }
        }
        None
    })
}

/// Text with its escapes undone, as `$'…'`, `printf` and `echo -e` do.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let (base, most) = match rest.peek() {
            Some('x') => (16, 2),
            Some('u') => (16, 4),
            Some('U') => (16, 8),
            Some('0'..='7') => (8, 3),
            Some('n') => (0, 0),
            _ => (1, 0),
        };
        match base {
            0 => {
                rest.next();
                out.push('\n');
            }
            1 => match rest.next() {
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            _ => {
                if base == 16 {
                    rest.next();
                }
                let mut value = 0_u32;
                for _ in 0..most {
                    let Some(digit) = rest.peek().and_then(|c| c.to_digit(base)) else { break };
                    value = value.wrapping_mul(base).wrapping_add(digit);
                    rest.next();
                }
                out.push(char::from_u32(value).unwrap_or('\u{fffd}'));
            }
        }
    }
    out
}

/// What a command prints, when that stands in it: `echo`, `printf`, `cat` of a here-document.
pub(in crate::hooks::harness) fn printed(command: &Simple) -> Option<String> {
    let (program, words) = command.words.split_first()?;
    match program.as_str() {
        "printf" => Some(formatted(words)),
        "echo" => {
            let words: Vec<&str> =
                words.iter().map(String::as_str).skip_while(|word| ["-n", "-e", "-ne", "-en"].contains(word)).collect();
            Some(unescaped(&words.join(" ")))
        }
        "cat" if words.is_empty() && !command.input.is_empty() => Some(command.input.clone()),
        _ => None,
    }
}

/// `printf` with its arguments put where they go.
fn formatted(words: &[String]) -> String {
    let Some((format, arguments)) = words.split_first() else { return String::new() };
    let mut out = String::new();
    let mut arguments = arguments.iter();
    loop {
        let before = arguments.len();
        let mut parts = format.split('%');
        out.push_str(&unescaped(parts.next().unwrap_or_default()));
        for part in parts {
            let kind = part.chars().next();
            let rest = kind.and_then(|kind| part.get(kind.len_utf8()..)).unwrap_or_default();
            match kind {
                Some('s' | 'b' | 'q') => {
                    out.push_str(&unescaped(arguments.next().map(String::as_str).unwrap_or_default()))
                }
                Some(kind) => {
                    out.push('%');
                    out.push(kind);
                }
                None => {}
            }
            out.push_str(&unescaped(rest));
        }
        if arguments.len() == 0 || arguments.len() == before {
            return out;
        }
    }
}

/// What is run inside of text that a shell expands: `$(…)` and back quotes.
pub(super) fn substitutions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '$', '`']) {
        let after = rest.get(at + 1..).unwrap_or_default();
        rest = match rest.get(at..=at) {
            Some("`") => {
                let (inner, after) = after.split_once('`').unwrap_or((after, ""));
                found.push(inner.to_owned());
                after
            }
            Some("$") if after.starts_with('(') => {
                let inside = after.get(1..).unwrap_or_default();
                let mut depth = 1_usize;
                let end = inside.char_indices().find(|(_, c)| {
                    match c {
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                });
                let end = end.map_or(inside.len(), |(at, _)| at);
                found.push(inside.get(..end).unwrap_or_default().to_owned());
                inside.get(end..).unwrap_or_default()
            }
            Some("\\") => {
                let skipped = after.chars().next().map_or(0, char::len_utf8);
                after.get(skipped..).unwrap_or_default()
            }
            _ => after,
        };
    }
    found
}
