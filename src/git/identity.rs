//! Who writes an entry down: the committer, never the author that a hook or a commit in progress names (design §4.1).

use super::Repository;

/// A name and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

impl Identity {
    /// Who stands for a person that git does not know: having no identity is no reason to lose evidence.
    pub fn fallback() -> Identity {
        Identity { name: "git-rapid".to_owned(), email: "git-rapid@localhost".to_owned() }
    }
}

impl Repository {
    /// The committer: `GIT_COMMITTER_*`, then `committer.*` and `user.*` of the configuration, then the fallback.
    pub fn identity(&self) -> Identity {
        let part = |variable: &str, keys: [&str; 2]| {
            let set = self.environment.text(variable).map(str::to_owned);
            let set = set.or_else(|| keys.iter().find_map(|key| self.config_text(key)));
            set.map(|text| cleaned(&text)).filter(|text| !text.is_empty())
        };
        let fallback = Identity::fallback();
        Identity {
            name: part("GIT_COMMITTER_NAME", ["committer.name", "user.name"]).unwrap_or(fallback.name),
            email: part("GIT_COMMITTER_EMAIL", ["committer.email", "user.email"]).unwrap_or(fallback.email),
        }
    }
}

/// Without what would break a commit's grammar, as git leaves it out too.
fn cleaned(text: &str) -> String {
    let kept: String = text.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).collect();
    kept.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ':' | ';' | '"' | '\'' | '\\')).to_owned()
}
