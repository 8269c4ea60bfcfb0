//! What a misspelt word most likely means: the one place that answers "did you mean". It guesses for people; nothing is decided by it.

use crate::diagnostics::Diagnostic;

/// How alike two words have to be, from 0 to 1.
const ALIKE: f32 = 0.6;

/// How alike a word has to be to the beginning of a longer one.
const BEGINS_ALIKE: f32 = 0.75;

/// The shortest beginning that says anything, in characters.
const SHORTEST: usize = 3;

/// The known word that this one most likely means: all of it, else its beginning.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let (folded, length) = (word.to_lowercase(), word.chars().count());
    let whole = |known: &str| known.to_lowercase();
    let beginning = |known: &str| known.to_lowercase().chars().take(length).collect();
    let begun = || among(&folded, known, &beginning, BEGINS_ALIKE).filter(|_| length >= SHORTEST);
    among(&folded, known, &whole, ALIKE).or_else(begun)
}

fn among<'k>(word: &str, known: &[&'k str], part: &dyn Fn(&str) -> String, alike: f32) -> Option<&'k str> {
    let parts: Vec<String> = known.iter().map(|known| part(known)).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let near = similar::get_close_matches(word, &parts, 1, alike).first().copied()?;
    known.iter().zip(parts).find(|(_, part)| *part == near).map(|(known, _)| *known)
}

/// The diagnostic with the word that was most likely meant, where one is near.
pub fn with_near(missing: Diagnostic, word: &str, known: &[&str]) -> Diagnostic {
    match nearest(word, known) {
        Some(near) => missing.hint(format!("did you mean '{near}'?")),
        None => missing,
    }
}

/// The diagnostic with the word that was most likely meant, or, where none is near, with what to do instead.
pub fn or_near(missing: Diagnostic, word: &str, known: &[&str], otherwise: impl Into<String>) -> Diagnostic {
    match nearest(word, known) {
        Some(near) => missing.hint(format!("did you mean '{near}'?")),
        None => missing.hint(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_fingers_is_understood_and_another_word_is_not() {
        let known = ["gate.tests", "gate.baseline", "Tests Ready"];
        assert_eq!(nearest("gate.test", &known), Some("gate.tests"));
        assert_eq!(nearest("GATE.TETS", &known), Some("gate.tests"));
        assert_eq!(nearest("testsready", &known), Some("Tests Ready"));
        assert_eq!(nearest("zzz", &known), None);
        assert_eq!(nearest("great", &["other", "greet-by-name-r1-run-001"]), Some("greet-by-name-r1-run-001"));
        assert_eq!(nearest("", &known), None);
        assert_eq!(nearest("gate.tests", &[]), None);
    }
}
