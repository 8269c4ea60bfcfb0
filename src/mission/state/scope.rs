//! Scopes: which paths a work package may change, and whether two of them may meet.

use globset::GlobBuilder;

/// What no scope reaches, however wide its patterns are.
const NEVER: &[&str] = &[".rapid", ".regista", ".git"];

/// The paths that the patterns do not allow.
pub fn scope_allows<'p>(scope: &[String], paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let globs: Vec<_> = scope
        .iter()
        .filter_map(|pattern| GlobBuilder::new(pattern).literal_separator(true).build().ok())
        .map(|glob| glob.compile_matcher())
        .collect();
    let is_never = |path: &str| {
        let first = path.split('/').next().unwrap_or_default().to_lowercase();
        NEVER.contains(&first.as_str())
    };
    let outside = |path: &&str| is_never(path) || !globs.iter().any(|glob| glob.is_match(path));
    paths.into_iter().filter(outside).map(str::to_owned).collect()
}

/// Whether two scopes may reach the same path. In doubt they do.
pub fn scopes_meet(one: &[String], other: &[String]) -> bool {
    one.iter().any(|a| other.iter().any(|b| may_meet(a, b)))
}

fn may_meet(one: &str, other: &str) -> bool {
    let (a, b) = (fixed(one), fixed(other));
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.starts_with(short)
}

/// What a pattern has before its first special character.
fn fixed(pattern: &str) -> &str {
    pattern.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default()
}
