//! What every source file has, and how large it may grow.

use super::layers::{is_test, sources};

/// A file larger than this holds more than one idea.
const MOST_LINES: usize = 520;

/// Names that say nothing.
const BANNED: &[&str] = &["util", "utils", "helpers", "common", "misc", "manager", "imp", "mod"];

#[test]
fn every_file_begins_by_saying_what_it_is() {
    let silent: Vec<_> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(file, _)| file).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn no_file_is_larger_than_one_idea() {
    let large: Vec<_> = sources()
        .into_iter()
        .filter(|(file, text)| !is_test(file) && text.lines().count() > MOST_LINES)
        .map(|(file, text)| (file, text.lines().count()))
        .collect();
    assert!(large.is_empty(), "{large:?}");
}

#[test]
fn no_name_says_nothing() {
    let banned: Vec<_> = sources()
        .into_iter()
        .filter(|(file, _)| file.file_stem().is_some_and(|stem| BANNED.iter().any(|name| stem == *name)))
        .map(|(file, _)| file)
        .collect();
    assert!(banned.is_empty(), "{banned:?}");
}

#[test]
fn nothing_unfinished_is_left_in_the_sources() {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", concat!("FIX", "ME")];
    let left: Vec<_> = sources()
        .into_iter()
        .flat_map(|(file, text)| {
            marks
                .iter()
                .filter(move |mark| text.contains(**mark))
                .map(move |mark| (file.clone(), *mark))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
