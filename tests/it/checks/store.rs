//! Looking for secrets in everything that a repository and its home hold: objects, files, names.

use super::recipes::drawn;
use crate::harness::{Repo, everything_below};
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;

/// So many bytes of a secret in a row are a find. Shorter pieces stand in object ids by chance.
const WINDOW: usize = 12;

/// What must not be found anywhere.
#[derive(Default)]
pub struct Hidden {
    windows: HashMap<Vec<u8>, String>,
    pieces: usize,
}

impl Hidden {
    /// Adds a secret made by a recipe: only what was drawn is secret.
    pub fn recipe(&mut self, recipe: &str, number: usize) {
        for piece in drawn(recipe, number) {
            self.text(recipe, &piece);
        }
    }

    /// Adds a text, which is secret from its first byte to its last.
    pub fn text(&mut self, name: &str, text: &str) {
        if text.len() < WINDOW {
            return;
        }
        self.pieces += 1;
        for window in text.as_bytes().windows(WINDOW) {
            self.windows.insert(window.to_vec(), name.to_owned());
        }
    }

    /// How many pieces are looked for.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The names of what is found in some bytes, as they are and as a person reads them.
    pub fn found_in(&self, bytes: &[u8]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for text in [bytes.to_vec(), read(bytes)] {
            found.extend(text.windows(WINDOW).filter_map(|window| self.windows.get(window)).cloned());
        }
        found.sort();
        found.dedup();
        found
    }

    /// Nothing is found in any object, in any file below the repository's world but for `except`, in any name, or in `said`.
    pub fn nowhere(&self, repo: &Repo, except: &str, said: &[&str]) {
        let objects = objects(repo);
        assert!(objects.len() > 1000, "the objects are read");
        assert_eq!(self.found_in(&objects), Vec::<String>::new(), "in an object");
        let below = everything_below(repo.world().top());
        let fixture = repo.world().path(except);
        let mut files = 0;
        for (path, (_, _, _, bytes)) in below.iter().filter(|(path, _)| !path.starts_with(&fixture)) {
            files += 1;
            assert_eq!(self.found_in(bytes), Vec::<String>::new(), "in {}", path.display());
            assert_eq!(self.found_in(path.as_os_str().as_bytes()), Vec::<String>::new(), "in a name");
        }
        assert!(files > 50, "the files are read: {files}");
        for text in said {
            assert_eq!(self.found_in(text.as_bytes()), Vec::<String>::new(), "in what was said: {text}");
        }
    }
}

/// Every object of the store, unpacked, with its header.
pub fn objects(repo: &Repo) -> Vec<u8> {
    let mut command = repo.world().git_command(repo.path());
    command.args(["cat-file", "--batch", "--batch-all-objects"]);
    let output = command.output().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// The text without colour codes, ends of lines and indentation after them.
fn read(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = bytes;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            0x1b if after.first() == Some(&b'[') => {
                let end = after.iter().skip(1).position(|byte| matches!(byte, b'@'..=b'~')).map_or(1, |at| at + 2);
                rest = after.get(end..).unwrap_or_default();
            }
            b'\n' | b'\r' => {
                let blanks = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                rest = &after[blanks..];
            }
            byte => text.push(*byte),
        }
    }
    text
}
