//! The manual is a test: what README and `docs/` show in a terminal is typed line by line, and what they show is what is said.
//!
//! A page sets its scene with a comment, `<!-- scene: started -->` (`scene`); without one it only needs its commands to exist.
//! `RAPID_BLESS=1 cargo test --test it manual` writes what is said in place of a line `?`, and the options of every command.

pub mod help;
mod mentions;
mod page;
mod played;
mod scene;
mod schemas;
mod settings;
mod shells;

pub use schemas::{fits, records_fit};
use std::path::{Path, PathBuf};

/// README and every page below `docs/`, but those of the codes, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![top.join("README.md")];
    let mut directories = vec![top.join("docs")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("codes") {
                directories.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Whether pages are written anew instead of compared.
fn blessing() -> bool {
    std::env::var_os("RAPID_BLESS").is_some()
}

#[test]
fn the_two_commands_are_there() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for command in ["cargo run --release --locked -- demo", "cargo test --locked"] {
        assert!(readme.contains(&format!("```sh\n{command}\n```")), "{command}");
    }
}
