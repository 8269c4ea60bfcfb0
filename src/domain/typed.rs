//! A command as a person types it into a shell.
//!
//! Not here: reading what somebody typed (`hooks::harness::shell`), and running anything.

/// The words of a command, each quoted where a shell would take it for more than itself.
pub fn typed<W: AsRef<str>>(words: &[W]) -> String {
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_read_is_quoted() {
        assert_eq!(typed(&["git", "add", "a b", "it's", ""]), "git add 'a b' 'it'\\''s' ''");
    }
}
