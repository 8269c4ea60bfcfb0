//! What a push of unverified work gets, ref by ref (`enforce.pre_push`): one word for all, or a table of patterns.
//!
//! Not here: whether the work is verified, and who asks (`hooks`).

use super::PrePush;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::json::Value;
use globset::{GlobBuilder, GlobMatcher};

/// The pattern that stands for every branch and tag that no other pattern names.
const REST: &str = "*";

/// Which refs must be covered by a passing run.
#[derive(Clone, Debug)]
pub struct PushRules {
    rules: Vec<(String, GlobMatcher, PrePush)>,
    rest: PrePush,
}

impl PartialEq for PushRules {
    fn eq(&self, other: &PushRules) -> bool {
        let said =
            |rules: &PushRules| rules.rules.iter().map(|(text, _, word)| (text.clone(), *word)).collect::<Vec<_>>();
        self.rest == other.rest && said(self) == said(other)
    }
}

impl Eq for PushRules {}

impl PushRules {
    /// The same for every branch and tag.
    pub fn all(word: PrePush) -> PushRules {
        PushRules { rules: Vec::new(), rest: word }
    }

    /// These patterns, and nothing for what they do not name.
    pub fn patterns(texts: &[String], word: PrePush) -> Result<PushRules> {
        let named = |why: String| {
            Code::Rapid1600
                .because(format!("{why}, so it protects nothing"))
                .hint("name branches, as in main or 'release/*'; a server's are in: git config --get-all rapid.protect")
        };
        let rules = texts.iter().map(|text| Ok((text.clone(), matcher(text).map_err(named)?, word)));
        Ok(PushRules { rules: rules.collect::<Result<_>>()?, rest: PrePush::Off })
    }

    /// Reads the value of `enforce.pre_push`.
    pub(super) fn from_value(value: Value) -> Result<PushRules> {
        let members = match value {
            Value::Text(word) => return Ok(PushRules::all(PrePush::parse(&word, Code::Rapid1600)?)),
            Value::Object(members) => members,
            _ => return Err(malformed("it must be a word, or a table of patterns")),
        };
        let mut rules = PushRules::all(PrePush::Warn);
        for (pattern, word) in members {
            let Value::Text(word) = word else { return Err(malformed("each pattern gets one word")) };
            let word = PrePush::parse(&word, Code::Rapid1600)?;
            match pattern.as_str() {
                REST => rules.rest = word,
                _ => rules.rules.push((pattern.clone(), matcher(&pattern).map_err(|why| malformed(&why))?, word)),
            }
        }
        Ok(rules)
    }

    /// What holds for a ref, by its full name. The longest pattern that fits decides; a pattern without `refs/` in front
    /// names branches. Refs that are neither branches nor tags are judged only where a pattern names them.
    pub fn of(&self, reference: &str) -> PrePush {
        let branch = reference.strip_prefix("refs/heads/");
        let fits = |text: &str, glob: &GlobMatcher| match text.starts_with("refs/") {
            true => glob.is_match(reference),
            false => branch.is_some_and(|branch| glob.is_match(branch)),
        };
        let fitting = self.rules.iter().filter(|(text, glob, _)| fits(text, glob));
        let named = fitting.max_by_key(|(text, _, word)| (text.len(), *word)).map(|(_, _, word)| *word);
        let rest = if branch.is_some() || reference.starts_with("refs/tags/") { self.rest } else { PrePush::Off };
        named.unwrap_or(rest)
    }
}

/// The pattern; or why it is none.
fn matcher(pattern: &str) -> std::result::Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("'{pattern}' is no pattern: {}", error.kind()))
}

fn malformed(why: &str) -> Diagnostic {
    Code::Rapid1600
        .because(format!("'enforce.pre_push' in the configuration cannot be read: {why}"))
        .hint("write pre_push = \"require\", or pre_push = { main = \"require\", \"release/*\" = \"require\", \"*\" = \"warn\" }")
}
