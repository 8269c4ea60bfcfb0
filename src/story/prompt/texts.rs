//! The built-in texts.

use crate::domain::word::words;

words! {
    /// A language of the prompts.
    Language, "a language of the prompts" {
        /// English.
        English = "en",
        /// Spanish.
        Spanish = "es",
    }
}

/// What stands before the prompt of another try.
pub const RETRY: &str = "retry";
/// What every prompt ends with.
pub const RULES: &str = "rules";
/// Making a backlog of a specification.
pub const GROOM: &str = "product_owner-groom";
/// Repairing what was made.
pub const GROOM_REPAIR: &str = "product_owner-groom-repair";

macro_rules! texts {
    ($($name:literal,)*) => {
        /// The names of the texts.
        #[cfg(test)]
        pub(in crate::story) const NAMES: &[&str] = &[$($name,)*];

        /// A built-in text; empty for a name that there is not.
        pub fn template(language: Language, name: &str) -> &'static str {
            match (language, name) {
                $(
                    (Language::English, $name) => include_str!(concat!("../../../templates/story/en/", $name, ".md")),
                    (Language::Spanish, $name) => include_str!(concat!("../../../templates/story/es/", $name, ".md")),
                )*
                _ => "",
            }
        }
    };
}

texts! {
    "product_owner-refine",
    "qa_engineer-tests",
    "qa_engineer-repair",
    "developer-implement",
    "developer-fix",
    "reviewer-review",
    "product_owner-validate",
    "product_owner-cycle",
    "product_owner-groom",
    "product_owner-groom-repair",
    "retry",
    "rules",
}
