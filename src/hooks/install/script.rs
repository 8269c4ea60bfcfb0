//! A hook as a part of somebody else's shell script, between marks at its beginning. The part passes on what it has read.

use super::place::{CAP, State};
use crate::diagnostics::Result;
use crate::hooks::moment::{BEGIN, END};
use crate::os::files;
use std::path::Path;

pub(super) fn install(path: &Path, block: &str) -> Result<()> {
    let text = text_of(path)?.unwrap_or_default();
    let bare = without(&text);
    // An interpreter's line stays the first one.
    let at = if bare.starts_with("#!") { bare.find('\n').map_or(bare.len(), |at| at + 1) } else { 0 };
    let (first, rest) = bare.split_at_checked(at).unwrap_or(("", &bare));
    let gap = if first.is_empty() || first.ends_with('\n') { "" } else { "\n" };
    let new = format!("{first}{gap}{block}{rest}");
    if new != text {
        files::write_atomically(path, new.as_bytes())?;
    }
    Ok(())
}

pub(super) fn uninstall(path: &Path) -> Result<Option<String>> {
    let Some(text) = text_of(path)? else { return Ok(None) };
    let bare = without(&text);
    if bare == text {
        return Ok(None);
    }
    match bare.is_empty() {
        true => drop(files::remove(path)?),
        false => files::write_atomically(path, bare.as_bytes())?,
    }
    Ok(Some(format!("{}, without our part", path.display())))
}

pub(super) fn state(path: &Path, block: &str) -> Result<State> {
    Ok(match text_of(path)? {
        Some(text) if text.contains(block) => State::Installed,
        Some(text) if text.contains(BEGIN) => State::Outdated,
        Some(_) => State::Foreign,
        None => State::Missing,
    })
}

/// Whether our part is in a script.
pub(super) fn is_in(path: &Path) -> Result<bool> {
    Ok(text_of(path)?.is_some_and(|text| text.contains(BEGIN)))
}

/// The script; one that is no text is none of ours and is left alone.
fn text_of(path: &Path) -> Result<Option<String>> {
    match files::is_taken(path) && !path.is_dir() {
        true => files::read_text(path, CAP).map(Some),
        false => Ok(None),
    }
}

/// The text without what stands between our marks.
pub(super) fn without(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        inside |= line.starts_with(BEGIN);
        if !inside {
            out.push_str(line);
        }
        inside &= !line.starts_with(END);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_leaves_every_other_byte() {
        let block = format!("{BEGIN}: x\nours\n{END}\n");
        for before in ["", "echo a\n", "#!/bin/sh\necho a", "#!/bin/sh\n", "no line break"] {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("hook");
            std::fs::write(&path, before).unwrap();
            install(&path, &block).unwrap();
            let once = std::fs::read_to_string(&path).unwrap();
            assert!(once.contains(&block) && once.starts_with("#!") == before.starts_with("#!"), "{once}");
            install(&path, &block).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), once, "twice is once");
            uninstall(&path).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), before);
        }
    }
}
