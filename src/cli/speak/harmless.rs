//! Text from a repository, a log or an agent, made harmless for a terminal: control, bidirectional and invisible characters are
//! shown, not obeyed (cli.md, "Conventions").

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

fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
