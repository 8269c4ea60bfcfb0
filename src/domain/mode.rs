//! The five modes of work (§2.3) and the names they answer to.

use super::word::words;

words! {
    /// What kind of work a spec asks for.
    Mode, "a mode" {
        /// Something new.
        Feature = "feature",
        /// Something wrong is made right.
        Bugfix = "bugfix",
        /// Same behaviour, better shape.
        Refactor = "refactor",
        /// Old code is made safe.
        Hardening = "hardening",
        /// Something is found out.
        Research = "research",
    }
}

impl Mode {
    /// The mode that answers to `text`: its name, its number, or one of the long-known aliases (§2.3).
    pub fn from_alias(text: &str) -> Option<Mode> {
        let text = text.trim().to_lowercase().replace(['_', '-'], " ");
        Some(match text.as_str() {
            "feature" | "1" | "new" | "new feature" => Mode::Feature,
            "refactor" | "2" | "refactoring" => Mode::Refactor,
            "bugfix" | "3" | "bug" | "bug fix" | "fix" => Mode::Bugfix,
            "hardening" | "4" | "legacy" | "legacy hardening" => Mode::Hardening,
            "research" | "5" => Mode::Research,
            _ => return None,
        })
    }
}
