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
