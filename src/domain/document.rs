//! Which files are documents: read by people, run by nothing. Research speaks for these alone, since no test does.
//!
//! Not a promise that nothing reads such a file: a program may. It is a list of what ordinarily nothing runs.

/// The endings of documents, in lower case.
const ENDINGS: &[&str] = &[
    "md", "mdx", "markdown", "rst", "txt", "adoc", "asciidoc", "org", "tex", "bib", "pdf", "odt", "docx", "png", "jpg",
    "jpeg", "gif", "svg", "webp", "drawio", "puml", "mmd", "csv", "ics",
];

/// Names of documents that have no ending.
const NAMES: &[&str] =
    &["readme", "license", "licence", "copying", "notice", "authors", "changelog", "contributing", "todo"];

/// Files with such an ending that decide what is built or run.
const NOT: &[&str] = &["cmakelists.txt", "requirements.txt", "constraints.txt", "robots.txt"];

/// Whether a path is that of a document. What lies in a hidden directory at the top steers tools, whatever its ending.
pub fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let steers = path.starts_with('.') || NOT.contains(&name.as_str()) || name.starts_with("requirements");
    let by_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending));
    !steers && (by_ending || NAMES.contains(&name.as_str()))
}

/// The endings of prose, which nobody compares an output with.
const PROSE: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "tex"];

/// Names of directories whose files tests read.
const OF_TESTS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "__tests__",
    "testdata",
    "test-data",
    "fixtures",
    "snapshots",
    "golden",
    "corpus",
];

/// Whether a change to a file is one to a document: prose, or a document that was not there before; never what tests read.
pub fn is_change_of_document(path: &str, is_new: bool) -> bool {
    let lower = path.to_lowercase();
    let of_tests = lower.rsplit_once('/').is_some_and(|(at, _)| at.split('/').any(|part| OF_TESTS.contains(&part)));
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let prose = name.rsplit_once('.').map_or_else(|| NAMES.contains(&name), |(_, ending)| PROSE.contains(&ending));
    is_document(path) && !of_tests && (is_new || prose)
}

#[cfg(test)]
mod tests {
    use super::{is_change_of_document, is_document};

    #[test]
    fn what_tests_may_read_is_no_change_of_a_document() {
        for (path, is_new, is) in [
            ("docs/a.md", false, true),
            ("README", false, true),
            ("notes/figures.csv", true, true),
            ("want.txt", false, false),
            ("tests/want.md", true, false),
            ("a/Fixtures/x.md", false, false),
            ("src/a.rs", true, false),
        ] {
            assert_eq!(is_change_of_document(path, is_new), is, "{path}");
        }
    }

    #[test]
    fn documents_are_told_from_what_is_run() {
        for path in ["notes.md", "docs/a/B.RST", "README", "img/x.svg", "LICENSE", "a.b.txt"] {
            assert!(is_document(path), "{path}");
        }
        for path in [
            "src/lib.rs",
            "run",
            "test.sh",
            "CMakeLists.txt",
            "requirements-dev.txt",
            ".claude/skills/x.md",
            ".rapid/config.toml",
            ".github/x.md",
            "md",
            ".md",
            "a.md/run",
            "Makefile",
            "x.html",
            "x.json",
        ] {
            assert!(!is_document(path), "{path}");
        }
    }
}
