//! `docs/codes` holds a page for each code and nothing else.

use git_rapid::diagnostics::Code;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_code_has_its_page_and_every_page_its_code() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes");
    let files = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let pages: BTreeSet<String> = files.collect();
    let codes: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{code}.md")).collect();
    assert_eq!(pages, codes);
}

/// Whatever code a page names is one.
#[test]
fn no_page_names_a_code_that_is_none() {
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let name = regex::Regex::new(r"RAPID[0-9]+").unwrap();
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting = vec![top.join("docs"), top.join("README.md")];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            for found in name.find_iter(&std::fs::read_to_string(&path).unwrap()) {
                seen += 1;
                assert!(known.contains(found.as_str()), "{} names {}", path.display(), found.as_str());
            }
        }
    }
    assert!(seen > 200, "pages name codes: {seen}");
}
