//! Where a key stands in a configuration file, for findings that name a line. Not here: what the key means.

use toml::de::{DeTable, DeValue};

/// The line, from 1, of a key that is written with the tables above it (`limits.max_iterations`); `None` when it is not there.
pub fn line_of(text: &str, key: &str) -> Option<u32> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut at = None;
    for part in key.split('.') {
        let (name, value) = table.iter().find(|(name, _)| name.get_ref() == part)?;
        at = Some(name.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    let before = text.get(..at?)?;
    u32::try_from(before.matches('\n').count()).ok()?.checked_add(1)
}
