//! What a misspelt word most likely means: the one place that answers "did you mean". It guesses for people; nothing is decided by it.

use crate::diagnostics::Diagnostic;

/// How alike two words have to be, from 0 to 1.
const ALIKE: f32 = 0.6;

/// The known word that this one most likely means.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let (folded, lower) = (word.to_lowercase(), known.iter().map(|known| known.to_lowercase()).collect::<Vec<_>>());
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let near = similar::get_close_matches(folded.as_str(), &lower, 1, ALIKE).first().copied()?;
    known.iter().zip(lower).find(|(_, lower)| *lower == near).map(|(known, _)| *known)
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
        assert_eq!(nearest("", &known), None);
        assert_eq!(nearest("gate.tests", &[]), None);
    }
}
