//! libtest's lines (`test parser::reads ... ok`) under the heading of their binary, or its JSON events.

use crate::check::summary::json;
use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};

patterns! {
    HEADING = r"^ +Running (?:unittests )?(\S+) \((\S+)\)$";
    DOCUMENTATION = r"^ +Doc-tests (\S+)$";
    RESULT = r"^test (.+?) \.\.\. (ok|FAILED|ignored)(?:, .*)?(?: <[0-9.]+s>)?$";
    LINE_NUMBER = r" \(line [0-9]+\)";
    HOW = r" - (?:should panic|compile fail|compile)$";
}

/// The tests; `None` when several binaries ran and one of them has no heading.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let mut list = TestList::default();
    let mut binary: Option<String> = None;
    let mut sessions = 0_usize;
    let mut nameless = false;
    for line in lines {
        if let Some(found) = line.starts_with(' ').then(|| HEADING.captures(line)).flatten() {
            binary = Some(format!("{} {}", crate_of(text(&found, 2)), text(&found, 1)));
        } else if let Some(found) = line.starts_with(' ').then(|| DOCUMENTATION.captures(line)).flatten() {
            binary = Some(format!("{} documentation", text(&found, 1)));
        } else if line.starts_with("running ") || (line.starts_with('{') && line.contains("\"test_count\"")) {
            sessions = sessions.saturating_add(1);
            nameless |= binary.is_none();
        } else if line.starts_with("test result: ") {
            binary = None;
        } else if let Some((name, outcome)) = result(line) {
            let name = HOW.replace(&name, "");
            let name = LINE_NUMBER.replace(&name, "");
            match &binary {
                Some(binary) => list.add(&format!("{binary} > {name}"), outcome),
                None => list.add(&name, outcome),
            }
        }
    }
    (sessions <= 1 || !nameless).then_some(list)
}

/// The test that a line reports.
fn result(line: &str) -> Option<(String, TestOutcome)> {
    let (name, word) = if line.starts_with("test ") {
        let found = RESULT.captures(line)?;
        (text(&found, 1).to_owned(), text(&found, 2).to_owned())
    } else if line.starts_with('{') && line.contains("\"test\"") {
        let event = json::parse(line).filter(|event| event.word("type") == Some("test"))?;
        (event.word("name")?.to_owned(), event.word("event")?.to_owned())
    } else {
        return None;
    };
    let outcome = match word.as_str() {
        "ok" => TestOutcome::Passed,
        "FAILED" | "failed" | "timeout" => TestOutcome::Failed,
        "ignored" => TestOutcome::Skipped,
        _ => return None,
    };
    Some((name, outcome))
}

/// The crate of `target/debug/deps/name-0123456789abcdef`.
fn crate_of(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match file.rsplit_once('-') {
        Some((name, hash)) if hash.bytes().take(16).all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => file,
    }
}
