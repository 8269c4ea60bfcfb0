//! Patterns of paths: `*` and `?` stay inside one part, `**` crosses parts, `{a,b}` and `[a-z]` choose. A pattern that ends in
//! `/` means everything below.

use crate::diagnostics::{Code, Result};
use crate::domain::text::RelativePath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Some patterns.
#[derive(Clone, Debug)]
pub(super) struct Globs(GlobSet);

impl Globs {
    /// Reads patterns; each must be a path below the top (RAPID1421).
    pub(super) fn parse(patterns: &[String]) -> Result<Globs> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let whole = match pattern.strip_suffix('/') {
                Some(directory) => format!("{directory}/**"),
                None => pattern.clone(),
            };
            let refused =
                |why: String| Code::Rapid1421.because(format!("the pattern '{}' {why}", pattern.escape_debug()));
            RelativePath::parse(&whole, Code::Rapid1421)
                .map_err(|_| refused("is not a path below the top".to_owned()))?;
            let glob = GlobBuilder::new(&whole).literal_separator(true).build();
            set.add(glob.map_err(|error| refused(format!("is malformed: {}", error.kind())))?);
        }
        let set =
            set.build().map_err(|error| Code::Rapid1421.because(format!("the patterns are too much: {error}")))?;
        Ok(Globs(set))
    }

    /// Whether one of them fits a path.
    pub(super) fn match_path(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}
