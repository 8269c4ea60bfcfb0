//! The commands in a shell's text, as far as they can be told without running it.
//!
//! Not a shell: words are split and unquoted, and nothing is expanded. What a substitution holds stays part of its word.

/// What a text runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Its simple commands, in order.
    pub(super) commands: Vec<Vec<String>>,
    /// What makes it unclear what else it runs.
    pub(super) unclear: Vec<String>,
}

/// Words before a command that are none.
const RESERVED: &[&str] =
    &["if", "then", "else", "elif", "while", "until", "do", "!", "{", "(", "time", "exec", "builtin"];
/// Words that run what only they know.
const UNCLEAR: &[&str] = &["eval", "trap"];
/// Commands that are words of the grammar: nothing is run by them.
const NOTHING: &[&str] = &["for", "case", "select", "function", "fi", "done", "esac", "}", "in"];

/// Reads a text.
pub(super) fn read(text: &str) -> Script {
    let mut script = Script::default();
    for words in split(text, &mut script.unclear) {
        let skipped = words.iter().take_while(|word| RESERVED.contains(&word.as_str())).count();
        let words: Vec<String> = words.into_iter().skip(skipped).collect();
        let Some(first) = words.first() else { continue };
        if UNCLEAR.contains(&first.as_str()) {
            script.unclear.push(first.clone());
        }
        if !NOTHING.contains(&first.as_str()) {
            script.commands.push(words);
        }
    }
    script
}

fn split(text: &str, unclear: &mut Vec<String>) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'\n') => drop(chars.next()),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|c| *c != '\'')),
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    match c {
                        '\\' => word.extend(chars.next()),
                        '$' if chars.peek() == Some(&'(') => substitution(&mut chars, word),
                        c => word.push(c),
                    }
                }
            }
            '$' if chars.peek() == Some(&'(') => substitution(&mut chars, word.get_or_insert_default()),
            '#' if word.is_none() => drop(chars.by_ref().find(|c| *c == '\n')),
            c if c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '<' | '>') => {
                if c == '<' && chars.peek() == Some(&'<') {
                    unclear.push("<<".to_owned());
                }
                let redirects = matches!(c, '<' | '>');
                // The number of a stream before a redirection is no word.
                let finished = word.take().filter(|word| !(redirects && word.chars().all(|c| c.is_ascii_digit())));
                if let (Some(finished), Some(last)) = (finished, commands.last_mut()) {
                    last.push(finished);
                }
                // `>&2` and `&>` begin no command.
                if redirects {
                    while chars.next_if(|c| matches!(c, '<' | '>' | '&' | ' ')).is_some() {}
                    while chars.next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '&' | '|' | ')')).is_some() {}
                } else if c == '&' && chars.peek() == Some(&'>') || c != '\n' && c.is_whitespace() {
                } else {
                    commands.push(Vec::new());
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    if let (Some(word), Some(last)) = (word, commands.last_mut()) {
        last.push(word);
    }
    commands.retain(|words| !words.is_empty());
    commands
}

/// A command substitution with its brackets, the first of which is next.
fn substitution(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut String) {
    word.push('$');
    let mut open = 0_u32;
    for c in chars.by_ref() {
        word.push(c);
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
}
