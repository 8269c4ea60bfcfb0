//! Text from a repository, a log or an agent, made harmless for whoever reads it: control, bidirectional and invisible characters are
//! shown, not obeyed (cli.md, "Conventions").

use super::text::is_invisible;

/// The text with what would move the cursor, colour, hide or reorder it written out as `\u{…}`. Line ends and tabs stay.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if is_harmful(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The same for a JSON document, by its own escapes: it stays the same document.
pub fn harmless_json(document: &str) -> String {
    let mut out = String::with_capacity(document.len());
    for c in document.chars() {
        match c {
            '\n' => out.push(c),
            c if is_harmful(c) => {
                out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    out
}

fn is_harmful(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn nothing_that_a_stranger_writes_reaches_the_terminal_as_a_command() {
        for hostile in [
            "\u{1b}]52;c;AAAA\u{7}",
            "\u{1b}[2J",
            "\u{9b}31m",
            "a\u{202e}b",
            "a\u{200b}b",
            "x\ry",
            "\u{feff}",
            "\u{7f}",
        ] {
            let shown = harmless(hostile);
            assert!(shown.chars().all(|c| !super::is_harmful(c)), "{shown:?}");
            assert!(shown.contains("\\u{"), "{shown:?}");
        }
        assert_eq!(harmless("ñandú\n\tok"), "ñandú\n\tok");
    }
}
